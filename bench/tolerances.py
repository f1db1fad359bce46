#!/usr/bin/env python3
"""Asks `mmaspec tolerance` for pairs of GPUs, data and K, and writes the table of docs/tolerances.md.

Exit status: 0; 2 if something could not be run.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

PAIRS = [
    ('H100, MI300X: f16', 'h100/mma.m16n8k16.f32.f16.f16.f32', 'mi300x/v_mfma_f32_32x32x8_f16'),
    ('H100, MI300X: bf16', 'h100/mma.m16n8k16.f32.bf16.bf16.f32', 'mi300x/v_mfma_f32_32x32x8_bf16'),
    ('H100, A100: f16', 'h100/mma.m16n8k16.f32.f16.f16.f32', 'a100/mma.m16n8k16.f32.f16.f16.f32'),
    ('H100, A100: bf16', 'h100/mma.m16n8k16.f32.bf16.bf16.f32', 'a100/mma.m16n8k16.f32.bf16.bf16.f32'),
    ('H100, B200: FP8 e4m3', 'h100/wgmma.m64n8k32.f32.e4m3.e4m3', 'b200/tcgen05.mma.m64n8k32.f32.e4m3.e4m3'),
]
DATA = [
    ('abs(a), abs(b) <= 1', 'abs(a[*]) <= 1 && abs(b[*]) <= 1 && c == 0'),
    ('0 <= a, b <= 1', 'a[*] >= 0 && a[*] <= 1 && b[*] >= 0 && b[*] <= 1 && c == 0'),
    ('abs(a), abs(b) <= 6', 'abs(a[*]) <= 6 && abs(b[*]) <= 6 && c == 0'),
]
LENGTHS = [16, 256, 4096, 16384]
TRIES = 4  # for a question that may have lacked time because of other programs


def ask(program, first, second, where, k, seconds):
    started = time.monotonic()
    done = subprocess.run([program, 'tolerance', first, second, '--where', where, '--k', str(k), '--timeout', str(seconds),
                           '--json'], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f'{first} {second} K = {k}: {done.stderr.strip()}')
    answer = json.loads(done.stdout)
    return {'proved': answer.get('proved', False), 'atol': answer.get('atol'), 'found': answer.get('found'),
            'seconds': time.monotonic() - started}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--program', default=str(ROOT / 'build' / 'release' / 'bin' / 'mmaspec'))
    parser.add_argument('--document', default=str(ROOT / 'docs' / 'tolerances.md'), help='the document to write')
    parser.add_argument('--timeout', type=float, default=20, help='seconds for each question')
    parser.add_argument('--only', default='', help='only pairs whose title has this in it; print the rows alone')
    o = parser.parse_args()
    rows = []
    loads = []
    for title, first, second in PAIRS:
        if o.only not in title:
            continue
        for data, where in DATA:
            for k in LENGTHS:
                for _ in range(TRIES):
                    loads.append(os.getloadavg()[0])
                    x = ask(o.program, first, second, where, k, o.timeout)
                    if (x['proved'] and x['found']) or loads[-1] <= os.cpu_count():
                        break
                bound = f"{x['atol']:.4g}" if x['proved'] else 'not proved'
                found = 'none' if x['found'] is None else f"{x['found']:.4g}"
                ratio = f"{x['atol'] / x['found']:.2f}" if x['proved'] and x['found'] else ''
                rows.append(f"| {title} | {data} | {k:,} | {bound} | {found} | {ratio} | {x['seconds']:.1f} |")
                print(rows[-1], flush=True)
    if o.only:
        return
    pathlib.Path(o.document).write_text(
        '# Tolerances between GPUs\n\n'
        'The table compares the results of two GPUs for one dot product of length K with c = 0. It has a proved upper bound of\n'
        'the difference, and the largest difference found on an input. Both instructions are chained over K.\n\n'
        f'`bench/tolerances.py` writes this page. Each question had {o.timeout:.0f} s on {os.cpu_count()} cores; the load average of '
        f'the machine was {min(loads):.1f} to {max(loads):.1f}.\n'
        f'If other programs left a question no time, it was asked again, up to {TRIES} times. The seconds are those of the whole '
        'question: the\nbound is known early, and the rest of the time is spent on larger differences. For other data and plans, see\n'
        '[tolerances for tests](testing.md).\n\n'
        '| GPUs and operands | data | K | proved upper bound (atol) | largest difference found | ratio | seconds |\n'
        '| --- | --- | ---: | ---: | ---: | ---: | ---: |\n' + '\n'.join(rows) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
