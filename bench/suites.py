#!/usr/bin/env python3
"""Times `mmaspec suite` on the suites of docs/suites.md, and writes what that document and docs/performance.md show of
them. See bench/README.md.

Exit status: 0; 2 if something could not be run.
"""
import argparse
import json
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

FP4 = ' '.join(f"'design:fused-dot-add(k=4,a=e2m1,b=e2m1,c=f16,d=f16,block={block},fraction_bits={bits},round=rz)'"
               for bits in range(1, 6) for block in (1, 2, 4))

# Without x86/top2bf16ps: whether a chain of it equals one of CDNA2's is not decided in minutes for
# K = 32.
BF16 = "'a*/*' 'hopper/*' '*blackwell/*' '*dna*/*' 'p*/*' 'riscv/*' 'x86/*dpbf16ps'"

# The question, and the command line behind `mmaspec suite`.
SUITES = [
    ('which architecture is this? f16', '--all-architectures f16,f16,f32,f32'),
    ('which architecture is this? bf16', '--all-architectures bf16,bf16,f32,f32'),
    ('which architecture is this? FP8', '--all-architectures e4m3,e4m3,f32,f32'),
    ('all f16 to f32, K = 32', "'*/*' --formats f16,f16,f32,f32 --chain 32"),
    ('the same, K = 64', "'*/*' --formats f16,f16,f32,f32 --chain 64"),
    ('the same and all variants, K = 32', "'*/*' '*/*@*' --formats f16,f16,f32,f32"),
    ('all bf16 to f32 but TOP2BF16PS', BF16 + " --formats bf16,bf16,f32,f32"),
    ('the same and all variants', BF16 + " '*/*@*' --formats bf16,bf16,f32,f32"),
    ('all TF32', "'*/*' --formats tf32,tf32,f32,f32"),
    ('all FP8, e4m3 by e4m3 to f32', "'*/*' --formats e4m3,e4m3,f32,f32"),
    ('all FP8, e5m2 by e4m3 to f16', "'*/*' --formats e5m2,e4m3,f16,f16"),
    ('all f16 to f16', "'*/*' --formats f16,f16,f16,f16"),
    ('15 FP4 designs, c = 0, results from 0 to 2',
     FP4 + " --where 'c == 0 && d >= 0 && d <= 2'"),
    ('the same, fewest questions on average',
     FP4 + " --where 'c == 0 && d >= 0 && d <= 2' --adaptive"),
]


def fail(message):
    print(f'suites.py: {message}', file=sys.stderr)
    sys.exit(2)


def run(mmaspec, arguments):
    """The command's output; its status may be 3, undecided."""
    try:
        done = subprocess.run([mmaspec, 'suite', *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        fail(f'{mmaspec}: {error.strerror}')
    if done.returncode not in (0, 3):
        fail(f'{shlex.join(arguments)}: status {done.returncode}: {done.stderr.strip()}')
    return done.stdout


def measure(mmaspec, times):
    records = []
    for text, line in SUITES:
        seconds = []
        for _ in range(times):
            start = time.monotonic()
            found = json.loads(run(mmaspec, [*shlex.split(line), '--json']))
            seconds.append(time.monotonic() - start)
        records.append({
            'text': text, 'line': line, 'designs': len(found['designs']), 'classes': len(found['classes']),
            'undecided': len(found['undecided']), 'inputs': len(found['rows']),
            'candidates': found['candidates'],
            'information': found['information_least'], 'expected': found['expected_questions'],
            'expected_of_candidates': found['expected_of_candidates'], 'seconds': statistics.median(seconds),
            'found': found})
        print(f'{text}: {records[-1]["seconds"]:.2f} s', file=sys.stderr)
    return records


def size(record):
    """The number of inputs, and what they were chosen of."""
    return f'{record["inputs"]}' + (f' (of {record["candidates"]})' if record['inputs'] > 1 else '')


def table(records):
    """A row for each suite. What docs_suites_test compares: all but the seconds."""
    lines = ['| suite | designs | classes | undecided pairs | inputs (of candidates) | information-theoretic least | questions on '
             'average | of all candidates | seconds |', '|' + ' --- |' * 9]
    for r in records:
        lines.append(f'| {r["text"]} | {r["designs"]} | {r["classes"]} | {r["undecided"]} | {size(r)} | '
                     f'{r["information"]} | {r["expected"]:.4g} | {r["expected_of_candidates"]:.4g} | '
                     f'{r["seconds"]:.2f} |')
    return '\n'.join(lines)


def commands(records):
    return '\n'.join(['```sh', *(f'mmaspec suite {r["line"]}  # {r["text"]}' for r in records), '```'])


def kept(record):
    """A suite as the explorer shows it: its figures, its inputs, and what each class answers."""
    figures = {key: value for key, value in record.items() if key not in ('found', 'seconds')}
    found = record['found']
    return {**figures, **{key: found[key] for key in ('k', 'a', 'b', 'c', 'd')},
            'rows': [{key: row[key] for key in ('a', 'b', 'c', 'sa', 'sb') if key in row} for row in found['rows']],
            'members': found['classes']}


def refresh(document, records, mmaspec):
    """Rewrites the document's parts between `<!-- suites: ... -->` and `<!-- end -->`."""
    def part(found):
        what = found.group(1)
        if what == 'table':
            body = table(records)
        elif what == 'commands':
            body = commands(records)
        else:
            body = run(mmaspec, [*shlex.split(what), '--format', 'markdown']).strip()
        return f'<!-- suites: {what} -->\n\n{body}\n\n<!-- end -->'

    text = document.read_text()
    document.write_text(re.sub(r'<!-- suites: (.*?) -->\n.*?<!-- end -->', part, text, flags=re.DOTALL))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--mmaspec', default=str(ROOT / 'build/release/bin/mmaspec'), help='the program')
    parser.add_argument('--times', type=int, default=5, help='runs of each, of which the median counts (5)')
    parser.add_argument('--results', type=pathlib.Path, help='write the figures here, for run.py --suites')
    parser.add_argument('--document', type=pathlib.Path, help='rewrite the marked parts of docs/suites.md')
    parser.add_argument('--rows', type=pathlib.Path, help='write inputs and classes here, a line each, for the explorer')
    options = parser.parse_args()
    if options.times < 1:
        fail('--times: at least 1')
    for path in (options.results, options.document, options.rows):
        if path and not path.parent.is_dir():
            fail(f'{path}: there is no such folder')
    if options.document and not options.document.is_file():
        fail(f'{options.document}: there is no such file')
    records = measure(options.mmaspec, options.times)
    if options.results:
        options.results.write_text(json.dumps([{key: value for key, value in r.items() if key != 'found'} for r in records],
                                              indent=1) + '\n')
    if options.rows:
        options.rows.write_text(''.join(json.dumps(kept(r)) + '\n' for r in records))
    if options.document:
        refresh(options.document, records, options.mmaspec)
    if not (options.results or options.document or options.rows):
        print(table(records))
    return 0


if __name__ == '__main__':
    sys.exit(main())
