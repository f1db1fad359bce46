"""What bench/run.py writes: table, summary, cactus plot, docs/performance.md."""
import csv
import io
import json
import math
import shlex
import statistics
from typing import NamedTuple

import emulation
import aligned
import identification
import suites

SOLVED = ('sat', 'unsat')
LABELS = {'mmaspec': 'mmaspec', 'z3': 'z3 alone', 'cvc5': 'cvc5 alone', 'bitwuzla': 'bitwuzla alone'}


class Row(NamedTuple):
    question: object  # questions.Question
    k: int
    records: dict     # by contender

    def limit(self, contender):
        return self.records[contender]['timeout']

    def answered(self, contender):
        """In time."""
        r = self.records[contender]
        return r['answer'] in SOLVED and r['seconds'] <= self.limit(contender)

    def seconds(self, contender):
        """A time-out counts as the limit."""
        return self.records[contender]['seconds'] if self.answered(contender) else self.limit(contender)

    @property
    def answer(self):
        return self.records['mmaspec']['answer'] if self.answered('mmaspec') else 'undecided'

    @property
    def ratio(self):
        """Of the better baseline to mmaspec; None: no baseline. 1 where none answers."""
        alone = [c for c in self.records if c != 'mmaspec']
        if not alone:
            return None
        return min(self.seconds(c) for c in alone) / self.seconds('mmaspec')


def cell(text):
    return str(text).replace('|', '\\|').replace('\n', ' ')


def seconds_text(row, contender):
    if row.answered(contender):
        return f'{row.seconds(contender):.2f}'
    answer = row.records[contender]['answer']
    early = answer in ('undecided', 'error') and row.records[contender]['seconds'] < 0.9 * row.limit(contender)
    return ('error' if answer == 'error' else 'gave up') if early else f'> {row.limit(contender):g}'


def who(row):
    how = row.records['mmaspec']['how'].splitlines() or ['']
    if row.answer == 'undecided':
        return '-'
    return 'no solver' if 'no solver' in how[0] else how[0]


def table_head(contenders):
    alone = [f'{LABELS[c]}, s' for c in contenders if c != 'mmaspec']
    columns = ['question', 'K', 'expected', 'answer', 'mmaspec, s', 'answered by', *alone]
    columns += ['best alone / mmaspec'] if alone else []
    columns += ['peak, MiB']
    return '| ' + ' | '.join(columns) + ' |\n|' + ' --- |' * len(columns)


def table_line(row, contenders):
    alone = [seconds_text(row, c) for c in contenders if c != 'mmaspec']
    cells = [row.question.text, row.k, row.question.expected or 'unknown', row.answer, seconds_text(row, 'mmaspec'),
             who(row), *alone]
    if alone:
        cells.append('-' if row.ratio is None else f'{row.ratio:.1f}')
    cells.append(f'{row.records["mmaspec"]["peak_kib"] / 1024:.0f}')
    return '| ' + ' | '.join(cell(c) for c in cells) + ' |'


def table(rows):
    contenders = list(rows[0].records) if rows else ['mmaspec']
    return '\n'.join([table_head(contenders)] + [table_line(r, contenders) for r in rows])


def summary(rows, wrong):
    """The figures that count, as a list."""
    if not rows:
        return 'No question was asked.'
    limit = f'{rows[0].limit("mmaspec"):g} s'
    lines = []
    for answer, name in (('sat', 'Satisfiable'), ('unsat', 'Unsatisfiable')):
        asked = [r for r in rows if (r.question.expected or r.answer) == answer]
        if not asked:
            continue
        share = {c: sum(r.answered(c) for r in asked) for c in asked[0].records}
        done = share['mmaspec']
        median = statistics.median(r.seconds('mmaspec') for r in asked)
        line = f'- {name}: {"all " if done == len(asked) else f"{done} of "}{len(asked)} answered within {limit} ' \
               f'({100 * done / len(asked):.0f} %), median {median:.2f} s'
        alone = [f'{LABELS[c]} {n}' for c, n in share.items() if c != 'mmaspec']
        of_alone = next((f'{rows[0].limit(c):g} s' for c in share if c != 'mmaspec'), limit)
        if of_alone != limit:
            alone[-1] += f' within {of_alone}'
        lines.append(line + (f'; {", ".join(alone)}' if alone else '') + '.')
    ratios = [r.ratio for r in rows if r.ratio is not None]
    if ratios:
        lines.append(f'- Best solver alone / mmaspec: geometric mean {statistics.geometric_mean(ratios):.1f} over '
                     f'{len(ratios)} questions; a time-out counts as the limit.')
    peak = max(r.records['mmaspec']['peak_kib'] for r in rows)
    lines.append(f'- Largest process: {peak / 1024:.0f} MiB.')
    lines.append(f'- Wrong answers: {len(wrong) or "none"}.')
    return '\n'.join(lines)


# The cactus plot.

STYLE = """
text { font: 13px sans-serif; fill: #222 } .back { fill: #fff } .grid { stroke: #ddd; fill: none }
.axis { stroke: #222; fill: none } .line { fill: none; stroke-width: 2.2 } .mmaspec { stroke: #0060a8 }
.z3 { stroke: #c24a00; stroke-dasharray: 7 4 } .cvc5 { stroke: #00795a; stroke-dasharray: 2 3 }
.bitwuzla { stroke: #7a3fb0; stroke-dasharray: 12 4 2 4 }
@media (prefers-color-scheme: dark) {
text { fill: #ddd } .back { fill: #0d1117 } .grid { stroke: #30363d } .axis { stroke: #ddd }
.mmaspec { stroke: #58a6ff } .z3 { stroke: #ff9e64 } .cvc5 { stroke: #3fcf9a }
.bitwuzla { stroke: #c79bff }
}
"""
WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 20, 44, 56


def cactus(rows):
    """Questions answered against seconds: how many each contender answers when each may take so long."""
    contenders = list(rows[0].records) if rows else []
    limit = max((rows[0].limit(c) for c in contenders), default=60)
    least = 0.01
    decades = math.log10(limit / least)
    x_scale = (WIDTH - LEFT - RIGHT) / decades
    most = max(len(rows), 1)

    def x(seconds):
        return LEFT + x_scale * math.log10(max(seconds, least) / least)

    def y(count):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * count / most

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
           'aria-label="Questions answered against seconds">', f'<style>{STYLE}</style>',
           f'<rect class="back" width="{WIDTH}" height="{HEIGHT}"/>']
    ticks = [t for t in (0.01, 0.1, 1, 10, 100, 1000) if t <= limit * 1.0001]
    if limit / ticks[-1] > 1.5:
        ticks.append(limit)
    for t in ticks:
        out.append(f'<path class="grid" d="M{x(t):.1f} {TOP}V{HEIGHT - BOTTOM}"/>'
                   f'<text x="{x(t):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{t:g}</text>')
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100) if most / s <= 10)
    for n in range(0, most + 1, step):
        out.append(f'<path class="grid" d="M{LEFT} {y(n):.1f}H{WIDTH - RIGHT}"/>'
                   f'<text x="{LEFT - 8}" y="{y(n) + 4:.1f}" text-anchor="end">{n}</text>')
    out.append(f'<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 14}" text-anchor="middle">'
               'seconds a question may take (logarithmic)</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out.append(f'<text transform="translate(18 {middle}) rotate(-90)" text-anchor="middle">'
               f'questions answered, of {len(rows)}</text>')
    for i, c in enumerate(contenders):
        times = sorted(r.seconds(c) for r in rows if r.answered(c))
        path = f'M{x(least):.1f} {y(0):.1f}'
        for n, t in enumerate(times, 1):
            path += f'H{x(t):.1f}V{y(n):.1f}'
        path += f'H{x(limit):.1f}'
        out.append(f'<path class="line {c}" d="{path}"/>')
        left = LEFT + 162 * i
        out.append(f'<path class="line {c}" d="M{left} 20h36"/>'
                   f'<text x="{left + 44}" y="24">{LABELS[c]}: {len(times)}</text>')
    return '\n'.join(out + ['</svg>']) + '\n'


# The evaluator's throughput, from evaluator_bench's output.

class Throughput(NamedTuple):
    batch: list    # (algorithm, name, K, instruction set, dot products per second)
    others: dict   # 'exact', 'sampler' -> (name, items per second); 'compile' -> (name, seconds)
    threads: list  # (threads, dot products per second)
    name: str      # of the design measured with several threads
    isas: list     # in order of first appearance
    devices: dict  # name of a design -> {'batch', 'kernels' or 'opencl': dot products per second}


UNITS = {'ns': 1e-9, 'us': 1e-6, 'ms': 1e-3, 's': 1.0}


def benchmark_rows(path):
    """(name, items a second or None, seconds) of Google Benchmark's JSON or CSV."""
    text = path.read_text()
    if text.lstrip().startswith('{'):
        found = json.loads(text)['benchmarks']
    else:
        lines = text.splitlines()
        start = next((i for i, line in enumerate(lines) if line.startswith('name,')), None)
        if start is None:
            raise ValueError(f'{path}: neither JSON nor CSV of Google Benchmark')
        found = list(csv.DictReader(io.StringIO('\n'.join(lines[start:]))))
    for row in found:
        if row.get('error_occurred') in (True, 'true') or row.get('run_type', 'iteration') != 'iteration':
            continue
        items = row.get('items_per_second')
        yield row['name'], float(items) if items not in (None, '') else None, \
            float(row['real_time']) * UNITS[row['time_unit']]


# A column after the instruction sets.
MATRICES = 'whole matrices'


def read_throughput(path, names):
    """`names` tells a design's algorithm and K."""
    batch, others, threads, isas, threaded, devices = [], {}, [], [], '', {}
    for full, items, seconds in benchmark_rows(path):
        parts = full.split('/')
        kind = parts[0]
        if len(parts) < 3:
            continue
        name = '/'.join(parts[1:3])
        if kind in ('batch', 'matrix') and items:
            shown = names.show(name)
            isa = parts[3] if kind == 'batch' else MATRICES
            if isa not in isas:
                isas.append(isa)
            batch.append((shown['algorithm'], name, shown['k'], isa, items))
        elif kind == 'threads' and items:
            count = next(int(p.split(':')[1]) for p in parts if p.startswith('threads:'))
            threads.append((count, items))
            threaded = name
        elif kind == 'device' and items:
            devices.setdefault(name, {})[parts[3]] = items
        elif kind in ('exact', 'sampler') and items:
            others[kind] = (name, items)
        elif kind == 'compile':
            others.setdefault(kind, []).append((parts[3], seconds))
    return Throughput(batch, others, sorted(threads), threaded, isas, devices)


def rate(items):
    for unit, name in ((1e9, 'G'), (1e6, 'M'), (1e3, 'k')):
        if items >= unit:
            return f'{items / unit:.3g} {name}'
    return f'{items:.3g}'


# Written by hand from a profile of the evaluator.
EVALUATOR_BOUND = (
    'The kernels are bound by memory traffic. `hopper/mma.m16n8k16.f32.f16.f16.f32` has 826 steps. Each '
    'step is a loop over 256 lanes; all registers together have 114 KiB, more than the first-level cache. '
    'Generated machine code (*native*, AVX2) runs all steps on 16 lanes, then on the next 16. It is '
    'generated after a design has evaluated 8,192 lanes, which takes about as long as the generation. It '
    'has 2,350 instructions, ordered so that values stay in the 16 vector registers for the shortest '
    'time: 300 of them spill a register, and 260 reload one. The native code is bound by reading the '
    'operands, which are 64-bit words: with inputs of 270 KiB it computes 58 M results a second on this '
    'machine, and with inputs of 540 KiB, which exceed the second-level cache, 48 M. Matrices keep their '
    'operands unchanged, and compute what depends on a column of B only once for all rows.'
)


def throughput_section(t):
    lines = ['Random operands of all bit patterns; one thread unless said otherwise.', '']
    if t.batch:
        lines += ['Median over the distinct designs of a family (least to most), in dot products a second:', '',
                  '| algorithm | designs | K | ' + ' | '.join(t.isas) + ' |', '|' + ' --- |' * (3 + len(t.isas))]
        for family in sorted({b[0] for b in t.batch}):
            of = [b for b in t.batch if b[0] == family]
            ks = sorted({b[2] for b in of})
            cells = []
            for isa in t.isas:
                found = [b[4] for b in of if b[3] == isa]
                cells.append(f'{rate(statistics.median(found))} ({rate(min(found))} to {rate(max(found))})'
                             if found else '-')
            lines.append(f'| {family} | {len({b[1] for b in of})} | {ks[0]}'
                         f'{f" to {ks[-1]}" if len(ks) > 1 else ""} | ' + ' | '.join(cells) + ' |')
        lines.append('')
    if 'exact' in t.others:
        name, items = t.others['exact']
        line = f'The exact evaluator, which every witness is confirmed by: {rate(items)} of `{name}` a second'
        same = [(b[4], b[3]) for b in t.batch if b[1] == name and b[3] != MATRICES]
        if same:
            best, isa = max(same)
            line += f'; the batch evaluator does {rate(best)} ({isa}), {best / items:,.0f} times as many'
        lines += [line + '.', '']
    lines += [EVALUATOR_BOUND, '']
    if 'sampler' in t.others:
        name, items = t.others['sampler']
        line = f'The sampler of its inputs: {rate(items)} a second.'
        if 'compile' in t.others:
            line += ' Making the batch program of the design and a first result: ' + ', '.join(
                f'{seconds * 1e3:.2g} ms ({isa})' for isa, seconds in t.others['compile']) + '.'
        lines += [line, '']
    if t.threads:
        base = t.threads[0][1] / t.threads[0][0]
        lines += [f'Threads, `{t.name}`:', '', '| threads | dot products a second | times one thread |',
                  '| --- | --- | --- |']
        lines += [f'| {n} | {rate(items)} | {items / base:.2f} |' for n, items in t.threads]
        lines.append('')
    if t.devices:
        lines += ['### On a device', '', device_table(t.devices), '']
    return '\n'.join(lines).rstrip()


def device_table(devices):
    """Whole matrices by the first OpenCL device and by this machine's processor without OpenCL."""
    lines = ['Whole matrices by [generated kernels](emulation.md#on-a-device), on PoCL (this processor as an OpenCL device), and without '
             'OpenCL. M = N = 256, K = 1024; transfers are included, compiling a kernel is not. In dot products a second of processor '
             'time, all threads:', '', '| design | batch evaluator | floating-point kernels | OpenCL | OpenCL / batch evaluator |',
             '| --- | --- | --- | --- | --- |']
    for name, by in devices.items():
        cells = [rate(by[key]) if key in by else '-' for key in ('batch', 'kernels', 'opencl')]
        ratio = f'{by["opencl"] / by["batch"]:.2f}' if 'opencl' in by and 'batch' in by else '-'
        lines.append(f'| `{name}` | ' + ' | '.join(cells + [ratio]) + ' |')
    return '\n'.join(lines)


def suites_section(records):
    """What bench/suites.py measured."""
    return ['## Suites',
            'The fewest inputs that distinguish designs (`mmaspec suite`), with the commands in [suites.md](suites.md): '
            'found, proved smallest among the candidates and made simple. The median of five runs, the start of the '
            'program included.',
            suites.table(records)]


def identification_section(records):
    """What bench/identification.py measured."""
    return ['## Identification',
            'A name for an unknown unit (`mmaspec identify`, [identify.md](identify.md)): designs of the catalogue behind an '
            'oracle, `mmaspec eval NAME --rows -`, in the whole default space, with 10,000 confirming rows, each asked '
            'twice. Seconds of processors are those of the oracle, too.',
            identification.table(records)]


def emulation_section(records):
    """What bench/emulation.py measured."""
    size = records[0]
    return ['## Emulated models',
            f'A transformer of {size["parameters"] / 1e6:.1f} million parameters on {size["tokens"]} tokens, its products emulated '
            '([emulation.md](emulation.md)) and by PyTorch alone. Processor seconds of all threads; PyTorch\'s own results are not '
            'computed as well.',
            emulation.table(records)]


def document(rows, wrong, machine, svg, throughput, suite_records, identified, emulated):
    """docs/performance.md."""
    m = machine
    parts = [
        '<!-- Written by bench/run.py --markdown; see bench/README.md. -->\n\n# Performance',
        f'{m["date"]}, {m["mmaspec"]}{" at " + m["commit"] if m["commit"] else ""}. {m["cpu"]}, {m["cores"]} cores, '
        f'{m["memory_gib"]:g} GiB, {m["system"]}. Solvers: {m["solvers"]}. {m["timeout"]:g} s for each question. To measure '
        'again: [bench/README.md](../bench/README.md).',
        '## Questions',
        'Each question is a command line of `mmaspec` (`bench/run.py --list`), timed as a user runs it, the start of '
        'the program included. *Alone*: the same formula, already in normal form, given to one solver without any '
        'strategy. The peak is that of the largest process.',
        summary(rows, wrong)]
    if svg:
        parts.append(f'![Questions answered against seconds]({svg})')
    parts.append(table(rows))
    if wrong:
        parts.append('Wrong:\n\n' + '\n'.join(f'- {cell(w)}' for w in wrong))
    asked = [r for r in rows if r.question.valpey]
    if asked:
        parts.append('## The questions of Valpey et al.')
        parts.append('Valpey et al. (arXiv 2502.15999) formalise tensor cores for SMT solvers and ask for carry bits, '
                     'normalisation, the order of accumulation, rounding, and subnormal results. Theirs and such '
                     'questions, with the command lines:')
        lines = ['| question | answer | why | seconds | answered by | `mmaspec` ... |', '|' + ' --- |' * 6]
        lines += ['| ' + ' | '.join(cell(c) for c in (
            r.question.text, r.answer, r.question.why, seconds_text(r, 'mmaspec'), who(r),
            f'`{shlex.join(r.question.arguments)}`')) + ' |' for r in asked]
        parts.append('\n'.join(lines))
    if suite_records:
        parts += suites_section(suite_records)
    if identified:
        parts += identification_section(identified)
    if emulated:
        parts += emulation_section(emulated)
    if throughput:
        parts += ['## The evaluator', throughput_section(throughput),
                  'Whole matrices by the Python package, and by MMA-Sim and its forks: [measurements](measurements.md#matrices-in-python).']
    if in_floating_point:
        parts += aligned.section(in_floating_point)
    return '\n\n'.join(parts) + '\n'
