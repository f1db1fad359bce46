#!/usr/bin/env python3
"""Times questions on this machine and prints one table: mmaspec as a user runs it (search first, then both solvers
raced), and the same formula given to each solver alone. Ratios are within one run.

    bench/questions.py [--mmaspec build/release/bin/mmaspec] [--timeout 60] [--only TEXT]
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

HOPPER = 'hopper/mma.m16n8k16.f32.f16.f16.f32'
AMPERE = 'ampere/mma.m16n8k16.f32.f16.f16.f32'
FUSED = 'design:fused-dot-add(k={},fraction_bits={})'

# (what is asked, arguments of diff, expected verdict)
QUESTIONS = [
    ('Volta, Turing, K=4', ['volta/mma.m8n8k4.f32.f16.f16.f32', 'turing/mma.m8n8k4.f32.f16.f16.f32'], 'witness'),
    ('Hopper, Ampere 2 x 8, K=16', [HOPPER, AMPERE], 'witness'),
    ('the same, more than 1000 ulp', [HOPPER, AMPERE, '--ulp', '1000'], 'witness'),
    ('Hopper, Blackwell, K=16', [HOPPER, 'blackwell/mma.m16n8k16.f32.f16.f16.f32'], 'proved'),
    ('Hopper bf16, MMA-Sim', ['hopper/mma.m16n8k16.f32.bf16.bf16.f32',
                              'hopper/mma.m16n8k16.f32.bf16.bf16.f32@mma-sim'], 'witness'),
    ('CDNA3, Hopper, K=8, more than 0.2', ['cdna3/v_mfma_f32_32x32x8_f16', 'hopper/mma.m16n8k8.f32.f16.f16.f32',
                                          '--abs', '0.2'], 'witness'),
    ('MI100, pairwise or exact', ['cdna1/v_mfma_f32_4x4x4f16', 'cdna1/v_mfma_f32_4x4x4f16@khattak-mikaitis'],
     'witness'),
    ('Hopper FP8 by toolkit, K=32', ['hopper/mma.m16n8k32.f32.e4m3.e4m3.f32',
                                     'hopper/mma.m16n8k32.f32.e4m3.e4m3.f32@cuda-12.6'], 'witness'),
    ('Ada, Hopper FP8, K=32', ['ada/mma.m16n8k32.f32.e4m3.e4m3.f32', 'hopper/wgmma.m64n8k32.f32.e4m3.e4m3'], 'witness'),
    ('Hopper FP8, CDNA3 FP8 by value, K=32', ['hopper/wgmma.m64n8k32.f32.e4m3.e4m3',
                                              'cdna3/v_mfma_f32_16x16x32_fp8_fp8'], 'witness'),
    ('F=23, F=24, K=4', [FUSED.format(4, 23), FUSED.format(4, 24)], 'witness'),
    ('F=24, F=25, K=2, more than 2^24 ulp', [FUSED.format(2, 24), FUSED.format(2, 25), '--ulp', '16777216'], None),
    ('floor -133 or none, f16 operands, K=1', ['design:fused-dot-add(k=1,fraction_bits=25,floor=-133)',
                                               'design:fused-dot-add(k=1,fraction_bits=25)'], 'proved'),
    ('exact sum, F=60, e2m1 operands, f16 result, K=2',
     ['design:fused-dot-add(a=e2m1,c=f16,k=2,fraction_bits=60,round=rne)', 'design:exact-dot-add(a=e2m1,c=f16,k=2)'],
     'proved'),
    ('FMA, exact sum, f16, K=1', ['design:sequential-fma(c=f16,k=1)', 'design:exact-dot-add(c=f16,k=1)'], 'proved'),
    ('FMA, exact sum, e5m2, K=1', ['design:sequential-fma(a=e5m2,c=e5m2,k=1)', 'design:exact-dot-add(a=e5m2,c=e5m2,k=1)'],
     'proved'),
    ('FMA chain, exact sum, e5m2, K=2', ['design:sequential-fma(a=e5m2,c=f16,k=2)',
                                         'design:exact-dot-add(a=e5m2,c=f16,k=2)'], 'witness'),
    ('products normalised or not, K=2', [FUSED.format(2, 24), 'design:fused-dot-add(k=2,fraction_bits=24,'
                                         'normalize_products=yes)'], 'witness'),
    ('c early or late, K=4', [FUSED.format(4, 24), 'design:fused-dot-add(k=4,fraction_bits=24,c_joins=late)'], 'witness'),
    ('CDNA2, CDNA1, K=4', ['cdna2/v_mfma_f32_4x4x4f16', 'cdna1/v_mfma_f32_4x4x4f16'], 'witness'),
]


def ask(mmaspec, arguments, timeout):
    """Verdict and seconds of one run; 'undecided' counts as the limit."""
    start = time.monotonic()
    run = subprocess.run([mmaspec, 'diff', *arguments, '--json', '--timeout', str(timeout)], capture_output=True,
                         text=True, check=False)
    seconds = time.monotonic() - start
    if run.returncode not in (0, 1, 3):
        sys.exit(f'mmaspec diff {" ".join(arguments)}: status {run.returncode}\n{run.stderr}')
    return json.loads(run.stdout)['verdict'], seconds


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--mmaspec', default=str(root / 'build/release/bin/mmaspec'))
    parser.add_argument('--timeout', type=float, default=60)
    parser.add_argument('--only', default='')
    options = parser.parse_args()

    alone = ['--no-search', '--no-shrink', '--solver']
    print('| question | answer | mmaspec, s | z3 alone, s | cvc5 alone, s | best alone / mmaspec |')
    print('| --- | --- | --- | --- | --- | --- |')
    ratios = []
    for name, arguments, expected in QUESTIONS:
        if options.only not in name:
            continue
        verdict, seconds = ask(options.mmaspec, arguments, options.timeout)
        if expected and verdict not in (expected, 'undecided'):
            sys.exit(f'{name}: {verdict}, expected {expected}')
        cells = []
        times = []
        for solver in ('z3', 'cvc5'):
            answer, t = ask(options.mmaspec, [*arguments, *alone, solver], options.timeout)
            if answer != 'undecided' and verdict != 'undecided' and answer != verdict:
                sys.exit(f'{name}: {solver} says {answer}, mmaspec {verdict}')
            times.append(t)
            cells.append(f'> {options.timeout:.0f}' if answer == 'undecided' else f'{t:.2f}')
        ratios.append(min(times) / seconds)
        print(f'| {name} | {verdict} | {seconds:.2f} | {cells[0]} | {cells[1]} | {ratios[-1]:.1f} |', flush=True)
    print(f'\nGeometric mean of the last column: {statistics.geometric_mean(ratios):.1f} over {len(ratios)} questions.')


if __name__ == '__main__':
    main()
