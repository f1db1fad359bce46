"""What libraries compute for matrix products on this GPU: torch.mm, torch._scaled_mm, torch.compile and Triton kernels.

    python3 gemm.py OUT.jsonl [--wide]

Each line of OUT is a product: {"product":..., "kernel":[names], "a":FORMAT, "b":FORMAT, "d":FORMAT, "m":..., "n":..., "k":...,
"seed":..., "span":..., "d_rows":[...], "d_columns":[...], "elements":["HEX ...", ...]}, one string of patterns for each row of
d_rows. A and B are not stored. Element i (row-major; B has k rows and n columns) of the matrix with number w (A: 0, B: 1) is
a function of h = splitmix64(seed * 2^40 + w * 2^36 + i). Its sign = bit 63 of h, exponent = -(bits 0.. of h mod span), fraction = the bits of h
from 20 on. With --wide the span is as wide as the format allows (40 for bf16 and f32), for the first shape and half of the
sizes of K, so that products differ widely in size. The first line is a header: device, driver, versions.
"""

import json
import sys

import numpy as np
import torch

FORMATS = {  # exponent bits, fraction bits, bias, container
    "f16": (5, 10, 15, np.uint16, torch.float16),
    "bf16": (8, 7, 127, np.uint16, torch.bfloat16),
    "f32": (8, 23, 127, np.uint32, torch.float32),
    "e4m3": (4, 3, 7, np.uint8, torch.float8_e4m3fn),
    "e5m2": (5, 2, 15, np.uint8, torch.float8_e5m2),
}


WIDE = {"f16": 15, "bf16": 40, "f32": 40, "e4m3": 7, "e5m2": 15}


def splitmix(x: np.ndarray) -> np.ndarray:
    """The function of SplitMix64 (Steele, Lea, Flood 2014), of 64-bit integers."""
    with np.errstate(over="ignore"):
        z = (x + np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def matrix(fmt: str, rows: int, columns: int, seed: int, which: int, span: int) -> torch.Tensor:
    """A matrix of the format on the GPU, as the head of this file says."""
    exponent_bits, fraction_bits, bias, container, dtype = FORMATS[fmt]
    i = np.arange(rows * columns, dtype=np.uint64)
    h = splitmix(np.uint64((seed << 40) + (which << 36)) + i)
    sign = (h >> np.uint64(63)).astype(np.uint64)
    field = np.uint64(bias) - (h % np.uint64(2**20)) % np.uint64(span)
    fraction = (h >> np.uint64(20)) & np.uint64((1 << fraction_bits) - 1)
    bits = sign << np.uint64(exponent_bits + fraction_bits) | field << np.uint64(fraction_bits) | fraction
    signed = {np.uint8: np.uint8, np.uint16: np.int16, np.uint32: np.int32}[container]
    return torch.from_numpy(bits.astype(container).view(signed).reshape(rows, columns)).cuda().view(dtype)


def patterns(d: torch.Tensor, rows: list[int], columns: list[int]) -> list[str]:
    size = d.element_size()
    as_integers = d.contiguous().view({1: torch.uint8, 2: torch.int16, 4: torch.int32}[size]).cpu().numpy()
    mask = (1 << (8 * size)) - 1
    return [" ".join(f"{int(as_integers[r, c]) & mask:0{2 * size}x}" for c in columns) for r in rows]


def kernels_of(call) -> list[str]:
    """Names of the kernels that a call starts."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        call()
        torch.cuda.synchronize()
    runtime = ("cuLaunch", "cuda", "Activity Buffer", "Memcpy", "Memset", "Lazy")  # calls of the driver and the runtime, copies
    return [e.key[:200] for e in profile.key_averages() if not e.key.startswith(runtime)]


def triton_mm():
    """A plain kernel: one tile a program, tl.dot over blocks of K."""
    import triton
    import triton.language as tl

    @triton.jit
    def kernel(a, b, d, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, IMPRECISE: tl.constexpr, TF32: tl.constexpr):
        rows = tl.program_id(0) * BM + tl.arange(0, BM)
        columns = tl.program_id(1) * BN + tl.arange(0, BN)
        ks = tl.arange(0, BK)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for first in range(0, k, BK):
            inside = first + ks < k
            x = tl.load(a + rows[:, None] * k + (first + ks)[None, :], mask=inside[None, :], other=0.0)
            y = tl.load(b + (first + ks)[:, None] * n + columns[None, :], mask=inside[:, None], other=0.0)
            acc = tl.dot(x, y, acc, input_precision="tf32" if TF32 else "ieee", max_num_imprecise_acc=IMPRECISE)
        tl.store(d + rows[:, None] * n + columns[None, :], acc)

    def run(a, b, block_k, imprecise=None, tf32=True):
        m, k = a.shape
        n = b.shape[1]
        d = torch.empty((m, n), dtype=torch.float32, device="cuda")
        kernel[(m // 64, n // 64)](a, b, d, m, n, k, BM=64, BN=64, BK=block_k, IMPRECISE=imprecise, TF32=tf32)
        return d

    return run


def main() -> None:
    out = open(sys.argv[1], "w")
    wide = "--wide" in sys.argv[2:]
    print(json.dumps({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "cuda": torch.version.cuda,
                      "cublas": torch.backends.cuda.matmul.__class__.__module__ and str(torch.version.cuda),
                      "program": "hardware/replay/device/cuda/capture/gemm.py"}), file=out)
    seed = 1000 if wide else 0

    def record(product: str, a_format: str, b_format: str, d_format: str, m: int, n: int, k: int, call, span: int = 8) -> None:
        nonlocal seed
        seed += 1
        if wide:
            span = WIDE[a_format]
        try:
            a = matrix(a_format, m, k, seed, 0, span)
            b = matrix(b_format, k, n, seed, 1, span)
            d = call(a, b)
            torch.cuda.synchronize()
            names = kernels_of(lambda: call(a, b))
        except Exception as error:  # noqa: BLE001: a library that lacks one product must not end the others
            print(json.dumps({"product": product, "a": a_format, "k": k, "lacks": str(error).splitlines()[0][:200]}), file=out, flush=True)
            return
        rows = sorted({0, 1, 7, 8, m // 2 - 1, m - 1})
        columns = sorted({0, 1, 5, 8, n // 2, n - 1})
        print(json.dumps({"product": product, "kernel": names, "a": a_format, "b": b_format, "d": d_format, "m": m, "n": n, "k": k,
                          "seed": seed, "span": span, "d_rows": rows, "d_columns": columns, "elements": patterns(d, rows, columns)}), file=out, flush=True)

    shapes = [(64, 64), (512, 256), (16, 4096)]
    ks = [16, 64, 256, 1008, 4096, 8192]
    if wide:
        shapes, ks = shapes[:1], [64, 1008, 8192]
    for m, n in shapes:
        for k in ks:
            for fmt in ("f16", "bf16"):
                record("torch.mm", fmt, fmt, fmt, m, n, k, torch.mm)
                reduced = fmt == "f16"
                backend = torch.backends.cuda.matmul
                name = "allow_fp16_reduced_precision_reduction" if reduced else "allow_bf16_reduced_precision_reduction"

                def exact(a, b, name=name, backend=backend):
                    before = getattr(backend, name)
                    setattr(backend, name, False)
                    try:
                        return torch.mm(a, b)
                    finally:
                        setattr(backend, name, before)

                record(f"torch.mm, {name}=False", fmt, fmt, fmt, m, n, k, exact)
                record("torch.mm, out_dtype=float32", fmt, fmt, "f32", m, n, k, lambda a, b: torch.mm(a, b, out_dtype=torch.float32))
            for tf32 in (False, True):
                def f32_mm(a, b, tf32=tf32):
                    torch.backends.cuda.matmul.allow_tf32 = tf32
                    return torch.mm(a, b)

                record(f"torch.mm, allow_tf32={tf32}", "f32", "f32", "f32", m, n, k, f32_mm)
            one = torch.ones((), device="cuda")
            for fast in (False, True):
                for out_format, out_type in (("bf16", torch.bfloat16), ("f32", torch.float32)):
                    record(f"torch._scaled_mm, use_fast_accum={fast}", "e4m3", "e4m3", out_format, m, n, k,
                           lambda a, b, fast=fast, out_type=out_type: torch._scaled_mm(
                               a, b.t().contiguous().t(), one, one, out_dtype=out_type, use_fast_accum=fast), 6)
            record("torch._scaled_mm, row-wise scales of one", "e4m3", "e4m3", "bf16", m, n, k,
                   lambda a, b, m=m, n=n: torch._scaled_mm(a, b.t().contiguous().t(), torch.ones((m, 1), device="cuda"),
                                                           torch.ones((1, n), device="cuda"), out_dtype=torch.bfloat16), 6)
    triton = triton_mm()
    for k in ks:
        for block_k in (32, 64, 128):
            for fmt in ("f16", "bf16"):
                record(f"triton tl.dot, BLOCK_K={block_k}", fmt, fmt, "f32", 64, 64, k, lambda a, b, bk=block_k: triton(a, b, bk))
            for imprecise in (None, 0, 32, 128):
                record(f"triton tl.dot, BLOCK_K={block_k}, max_num_imprecise_acc={imprecise}", "e4m3", "e4m3", "f32", 64, 64, k,
                       lambda a, b, bk=block_k, i=imprecise: triton(a, b, bk, i), 6)
            for tf32 in (True, False):
                record(f"triton tl.dot, BLOCK_K={block_k}, input_precision={'tf32' if tf32 else 'ieee'}", "f32", "f32", "f32", 64, 64, k,
                       lambda a, b, bk=block_k, t=tf32: triton(a, b, bk, None, t))
    compiled = torch.compile(torch.mm, mode="max-autotune-no-cudagraphs")
    for k in (256, 4096):
        record("torch.compile(torch.mm), max-autotune", "bf16", "bf16", "bf16", 64, 64, k, compiled)
    out.close()


if __name__ == "__main__":
    main()
