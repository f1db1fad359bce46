#!/usr/bin/env python3
"""Times a transformer of ten million parameters with emulated products and with plain PyTorch.

    PYTHONPATH=build/release/python bench/emulation.py [--results FILE.json]

Needs PyTorch. Counts processor time of all threads, so that a busy machine matters less.
"""
import argparse
import contextlib
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Types, and what computes the products: PyTorch, or a machine's units.
RUNS = [('float16', None), ('float16', 'h100'), ('float16', 'mi300x'), ('float16', 'v100'), ('float32', None),
        ('float32', 'h100')]


def transformer(dtype):
    import torch

    sys.path.insert(0, str(ROOT / 'examples' / 'python'))
    from emulation import Transformer

    torch.manual_seed(0)
    model = Transformer(words=2048, size=384, heads=6, depth=5).to(dtype)
    return model, torch.randint(2048, (1, 64))


def seconds(work):
    """Processor seconds: the lesser of two, after one that makes what is kept."""
    work()
    times = []
    for _ in range(2):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measure():
    import torch

    import mmaspec.torch

    records = []
    for name, target in RUNS:
        model, tokens = transformer(getattr(torch, name))
        report = None

        def run(backward):
            nonlocal report
            context = (mmaspec.torch.emulate(target, against_torch=False) if target
                       else contextlib.nullcontext())
            with context as report, torch.set_grad_enabled(backward):
                result = model(tokens)
                if backward:
                    result.float().square().mean().backward()

        both = seconds(lambda: run(True))
        forward = seconds(lambda: run(False))
        emulated = report.emulated if report else []
        units = sorted({x.plan.partition('(')[2].partition(',')[0] or x.plan for x in emulated})
        records.append({'type': name, 'target': target, 'units': units, 'forward': forward, 'both': both,
                        'parameters': sum(p.numel() for p in model.parameters()), 'tokens': tokens.numel(),
                        'products': sum(x.results * x.shapes[0][-1] for x in emulated)})
        print(table(records).splitlines()[-1], flush=True)
    return records


def table(records):
    lines = ['| type | products by | forward, s | forward and backward, s | products a second, forward |', '|' + ' --- |' * 5]
    for r in records:
        by = 'PyTorch' if r['target'] is None else f"{r['target']}: " + ', '.join(f'`{u}`' for u in r['units'])
        rate = f"{r['products'] / r['forward'] / 1e6:,.0f} M" if r['target'] else ''
        lines.append(f"| {r['type']} | {by} | {r['forward']:.2f} | {r['both']:.2f} | {rate} |")
    return '\n'.join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--results', type=pathlib.Path, help='write the measurements here, as JSON')
    options = parser.parse_args()
    records = measure()
    if options.results:
        options.results.write_text(json.dumps(records, indent=1) + '\n')
    return 0


if __name__ == '__main__':
    sys.exit(main())
