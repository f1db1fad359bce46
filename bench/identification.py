#!/usr/bin/env python3
"""Times `mmaspec identify` on a few designs of the catalogue behind oracles, for docs/performance.md.

Exit status: 0; 2 if something could not be run.
"""
import argparse
import json
import pathlib
import resource
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The hidden design, the formats of a, b, c, d, and K.
DESIGNS = [
    ('volta/mma.m8n8k4.f32.f16.f16.f32', 'f16,f16,f32,f32', 4),
    ('ampere/mma.m16n8k16.f16.f16.f16.f16', 'f16,f16,f16,f16', 16),
    ('ampere/mma.m16n8k16.f32.bf16.bf16.f32', 'bf16,bf16,f32,f32', 16),
    ('hopper/mma.m16n8k16.f32.f16.f16.f32', 'f16,f16,f32,f32', 16),
    ('ada/mma.m16n8k16.f32.e4m3.e4m3.f32', 'e4m3,e4m3,f32,f32', 16),
    ('hopper/wgmma.m64n8k32.f16.e5m2.e4m3', 'e5m2,e4m3,f16,f16', 32),
    ('cdna3/v_mfma_f32_32x32x2_f32', 'f32,f32,f32,f32', 2),
]


def measure(mmaspec):
    records = []
    for name, formats, k in DESIGNS:
        oracle = f'{shlex.quote(mmaspec)} eval {shlex.quote(name)} --rows -'
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([mmaspec, 'identify', '--json', '--oracle', oracle, '--formats', formats, '--k', str(k)],
                              capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if not done.stdout:
            print(f'identification.py: {name}: {done.stderr.strip()}', file=sys.stderr)
            sys.exit(2)
        found = json.loads(done.stdout)
        records.append({'name': name, 'k': k, 'cpu': after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}
                       | {key: found[key] for key in ('verdict', 'equal', 'inputs', 'fitting', 'seconds')})
        print(table(records).splitlines()[-1], flush=True)
    return records


def table(records):
    lines = ['| hidden design | K | said | inputs | designs left | seconds | of processors |', '|' + ' --- |' * 7]
    lines += [f"| `{r['name']}` | {r['k']} | {r['verdict']}, equality {r['equal']} | {r['inputs']} | {r['fitting']} "
              f"| {r['seconds']:.1f} | {r['cpu']:.1f} |" for r in records]
    return '\n'.join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--mmaspec', default=str(ROOT / 'build/release/bin/mmaspec'))
    parser.add_argument('--results', type=pathlib.Path, help='write the measurements here, as JSON')
    options = parser.parse_args()
    records = measure(options.mmaspec)
    if options.results:
        options.results.write_text(json.dumps(records, indent=1) + '\n')
    return 0


if __name__ == '__main__':
    sys.exit(main())
