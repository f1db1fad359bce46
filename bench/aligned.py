#!/usr/bin/env python3
"""What aligned_bench measured, as a section of docs/performance.md.

    build/release/bin/aligned_bench > build/aligned.jsonl
    bench/aligned.py build/aligned.jsonl
"""

import json
import pathlib
import statistics
import sys

ISAS = ('avx2', 'avx512')


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def millions(rates):
    return f'{statistics.median(rates) / 1e6:.0f} M ({min(rates) / 1e6:.0f} to {max(rates) / 1e6:.0f})'


def ratios(rows, isa):
    of = [r[isa] / r['programs'] for r in rows]
    return f'{statistics.median(of):.1f} ({min(of):.1f} to {max(of):.1f})'


def table(records, kind):
    isas = [isa for isa in ISAS if isa in records[0]]
    head = ['algorithm', 'designs', 'programs'] + [c for isa in isas for c in (isa, f'{isa} / programs')]
    lines = ['| ' + ' | '.join(head) + ' |', '|' + ' --- |' * len(head)]
    rows = [r for r in records if r['kind'] == kind]
    for algorithm in sorted({r['algorithm'] for r in rows}):
        of = [r for r in rows if r['algorithm'] == algorithm]
        cells = [algorithm, str(len(of)), millions([r['programs'] for r in of])]
        for isa in isas:
            cells += [millions([r[isa] for r in of]), ratios(of, isa)]
        lines.append('| ' + ' | '.join(cells) + ' |')
    return '\n'.join(lines)


def tiles(records):
    isas = ['programs'] + [isa for isa in ISAS if isa in records[0]]
    rows = [r for r in records if r['kind'] == 'matrices']
    return 'One product of 16 x 8 results takes (median): ' + ', '.join(
        f'{statistics.median(r[f"{isa} tile"] for r in rows):.1f} us ({isa})' for isa in isas) + '.'


def section(records):
    """Paragraphs of docs/performance.md."""
    return [
        '## Fused designs in floating point',
        'Matrices of fused, group, round-down and split FP8 designs do not run as programs of the batch evaluator, but by kernels that '
        'multiply by a power of two and convert to an integer (`concrete/aligned/lower.h`). `bench/aligned_bench.cpp` runs '
        'both in turn, one thread, its own processor time, and compares their results. '
        'Median over the distinct designs (least to most), in dot products a second.',
        'Matrices of 256 x 256 results, K = 256 (or the instruction\'s own K, where it is not chained), numbers of about the '
        'size of 1, decoding included:',
        table(records, 'matrices'),
        tiles(records),
        'Dot products that each have their own operands, which the sampler draws. Where the kernels gain nothing (by AVX2 all '
        'but split FP8, and K below 8), programs run:',
        table(records, 'lanes'),
    ]


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print('\n\n'.join(section(read(pathlib.Path(sys.argv[1])))))
