#!/usr/bin/env python3
"""Checks and times matrices in the memory of a CUDA GPU, and compares them with the GPU's own products.

    PYTHONPATH=build/release/python bench/device.py [--mma-sim FOLDER] [--results FILE.json] [--elements N]

Needs an NVIDIA GPU, its driver, NVRTC and PyTorch, and takes a few minutes. Each part says what it found; the status
is 1 if any result differs:

- tensors with strides, on several streams, by DLPack, and of CuPy if it is installed: equal to the CPU's results;
- dot products a second of M = N = K = 4096, and the memory that they take beyond the matrices;
- with --mma-sim, MMA-Sim's own code (version 2.1 or a fork with its interface) on the same GPU;
- on compute capability 9.0, N elements (10^10 by default) of PyTorch's products with K = 16 and results in float32,
  which cuBLAS computes with one instruction each.
"""

import argparse
import importlib
import json
import sys
import time

import torch

import mmaspec

NAMES = ["hopper/mma.m16n8k16.f32.f16.f16.f32", "cdna3/v_mfma_f32_32x32x8_f16", "hopper/wgmma.m64n8k32.f32.e4m3.e4m3"]
TYPES = {"f16": torch.float16, "e4m3": torch.float8_e4m3fn}


def drawn(u, m, n, k, device):
    """Operands of numbers near 1, with some zeros, and one C."""
    a, b = (torch.randn(s, device=device).to(TYPES[f]) for s, f in (((m, k), u.a), ((k, n), u.b)))
    return a, b, torch.randn(m, n, device=device)


def patterns(x):
    """A tensor of float32 as integers, with one pattern for all NaNs."""
    return torch.where(x.isnan(), torch.tensor(0x7FC00000, dtype=torch.int32, device=x.device), x.view(torch.int32))


def equal(x, y):
    return bool((patterns(x.contiguous().cpu()) == patterns(y.contiguous().cpu())).all())


class Exported:
    """A tensor that only DLPack describes."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack__(self, **options):
        return self.tensor.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


def checks(device):
    """Names of checks, and whether each agrees with the CPU."""
    found = {}
    for name in NAMES:
        u = mmaspec.unit(name)
        a, b, c = drawn(u, 100, 70, 96, device)
        host = u(a.cpu(), b.cpu(), c.cpu())
        found[f"{name}: contiguous"] = equal(u(a, b, c), host)
        turned = b.t().contiguous().t(), c.t().contiguous().t()
        found[f"{name}: transposed"] = equal(u(a, *turned), host)
        sliced = u(a[::3, 16:64], b[16:64, ::2], c[::3, ::2])
        found[f"{name}: sliced"] = equal(sliced, u(a.cpu()[::3, 16:64], b.cpu()[16:64, ::2], c.cpu()[::3, ::2]))
        out = torch.zeros(70, 100, device=device).t()
        found[f"{name}: out"] = u(a, b, c, out=out) is out and equal(out, host)
        torch.cuda.synchronize()
        found[f"{name}: DLPack"] = equal(torch.from_dlpack(u(Exported(a), Exported(b), Exported(c))), host)
        with torch.cuda.stream(torch.cuda.Stream(device)):
            late = torch.empty_like(a)
            torch.cuda._sleep(10**8)  # the kernel must follow this stream's work
            late.copy_(a)
            found[f"{name}: stream"] = equal(u(late, b, c), host)
    try:
        import cupy
    except ImportError:
        return found
    u = mmaspec.unit(NAMES[0])
    a, b, c = drawn(u, 33, 40, 48, device)
    mine = [cupy.from_dlpack(x) for x in (a, b, c)]
    d = u(*mine)
    host = u(a.cpu(), b.cpu(), c.cpu())
    found["CuPy"] = isinstance(d, cupy.ndarray) and equal(torch.from_dlpack(d), host)
    return found


def seconds(work):
    """Of one run: the least of three, after one that compiles."""
    work()
    times = []
    for _ in range(3):
        torch.cuda.synchronize()
        start = time.perf_counter()
        work()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return min(times)


def rate(name, device, size=4096):
    """Dot products a second, and the bytes of the device that were taken beyond A, B and D."""
    u = mmaspec.unit(name)
    a, b, _ = drawn(u, size, size, size, device)
    out = torch.empty(size, size, device=device)
    u(a[:16, :64], b[:64, :16])  # compiles
    torch.cuda.synchronize()
    before = torch.cuda.mem_get_info(device)[0]
    passed = seconds(lambda: u(a, b, out=out))
    return size * size * (size // u.k) / passed, before - torch.cuda.mem_get_info(device)[0]


def of_mma_sim(folder, device):
    """MMA-Sim's rate on its own tile of 16 x 8 x 16, and whether its results are those of @mma-sim."""
    sys.path.insert(0, folder)
    nv_ptx = importlib.import_module("mmasim.simulator.nv_ptx")
    sys.path.remove(folder)
    mma = nv_ptx.mma("Hopper", "m16n8k16.f32.f16.f16.f32")
    u = mmaspec.unit(NAMES[0] + "@mma-sim")
    a, b, c = drawn(u, 16, 8, 16, device)
    agrees = equal(mma(a, b, c), u(a, b, c))
    return 16 * 8 / seconds(lambda: mma(a, b, c)), agrees


def own_products(elements, device, size=8192):
    """Elements of the GPU's own products that were compared, and those that differ."""
    u = mmaspec.unit(NAMES[0])
    compared = differing = 0
    generator = torch.Generator(device).manual_seed(0)
    while compared < elements:
        # Exponents spread over the whole range; every fourth product has arbitrary patterns.
        words = [torch.randint(-(2**15), 2**15, s, dtype=torch.int16, device=device, generator=generator)
                 for s in ((size, 16), (16, size))]  # fmt: skip
        a, b = (w.view(torch.float16) for w in words)
        if compared // (size * size) % 4:
            a, b = (torch.where(x.isfinite(), x, 0.0) for x in (a, b))
        own = torch.mm(a, b, out_dtype=torch.float32)
        differing += int((patterns(own) != patterns(u(a, b))).sum())
        compared += size * size
    return compared, differing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mma-sim", metavar="FOLDER")
    parser.add_argument("--results", metavar="FILE")
    parser.add_argument("--elements", type=float, default=1e10, metavar="N")
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        parser.error("PyTorch finds no CUDA GPU")
    device = torch.device("cuda", 0)
    capability = torch.cuda.get_device_capability(device)
    record = {"device": torch.cuda.get_device_name(device), "capability": capability, "torch": torch.__version__}
    print(f"{record['device']}, PyTorch {torch.__version__}")
    failed = 0
    record["checks"] = checks(device)
    for name, passed in record["checks"].items():
        print(f"{'equal' if passed else 'DIFFERENT'}: {name}")
        failed += not passed
    record["rates"] = {}
    for name in NAMES:
        record["rates"][name] = products, memory = rate(name, device)
        print(f"{name:<50} {products / 1e9:8.2f} G dot products a second, {memory:,} bytes beyond the matrices")
    if arguments.mma_sim:
        record["mma-sim"] = products, agrees = of_mma_sim(arguments.mma_sim, device)
        print(f"{'MMA-Sim, one tile':<50} {products / 1e9:8.5f} G dot products a second, "
              f"{'equal' if agrees else 'DIFFERENT'}")  # fmt: skip
        failed += not agrees
    if capability == (9, 0):
        record["own products"] = compared, differing = own_products(arguments.elements, device)
        print(f"{compared:,} elements of the GPU's own products: {differing:,} differ")
        failed += differing > 0
    if arguments.results:
        with open(arguments.results, "w") as file:
            json.dump(record, file, indent=1)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
