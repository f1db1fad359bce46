#!/usr/bin/env python3
"""Times the bench's questions (bench/questions.py): mmaspec as a user runs it, and the same formulas given to each
solver alone. See bench/README.md.

Exit status: 0; 1 if an answer contradicts the expected or another one; 2 if something could not be run.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import platform
import re
import shlex
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
import aligned  # noqa: E402
import report  # noqa: E402
from questions import FAMILIES, QUESTIONS, SAT, UNSAT  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALONE = ('z3', 'cvc5', 'bitwuzla')
# The options that each contender adds to a question's command line.
CONTENDERS = {'mmaspec': [], **{s: ['--strategies', 'none', '--no-shrink', '--solver', s] for s in ALONE}}
TO_THE_END = ['--to-the-end']
WITHOUT_ARGUMENTS = ['--strategies', 'search,enumerate,cut,weaken,relax,restrict,split,derive']
GRACE = 30  # seconds after the limit until a process is killed; other limits are the process's own
ANSWERS = {0: UNSAT, 1: SAT, 3: 'undecided'}


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(2)


def run_limited(command, limit):
    """Status, output, errors, seconds and rusage of a command; status None: killed."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
    texts = [b'', b'']

    def read(i, pipe):
        texts[i] = pipe.read()

    readers = [threading.Thread(target=read, args=(i, pipe), daemon=True)
               for i, pipe in enumerate((process.stdout, process.stderr))]
    for reader in readers:
        reader.start()
    killed = threading.Event()

    def kill():
        killed.set()
        os.killpg(process.pid, signal.SIGKILL)  # kills its attempts, too

    timer = threading.Timer(limit, kill)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    seconds = time.monotonic() - start
    for reader in readers:
        reader.join(5)
    process.returncode = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
    return (None if killed.is_set() else process.returncode, texts[0].decode(errors='replace'),
            texts[1].decode(errors='replace'), seconds, usage)


def run_question(mmaspec, question, contender, extra, timeout):
    """One run as a record of the results."""
    command = [mmaspec, *question.arguments, '--json', '--timeout', str(timeout), *extra]
    status, output, errors, seconds, usage = run_limited(command, timeout + GRACE if '--to-the-end' not in extra
                                                        else 20 * timeout + GRACE)
    record = {'question': question.text, 'arguments': list(question.arguments), 'contender': contender,
              'timeout': timeout, 'answer': 'undecided', 'seconds': round(seconds, 4),
              'cpu_seconds': round(usage.ru_utime + usage.ru_stime, 4), 'how': 'killed at the limit',
              'peak_kib': usage.ru_maxrss, 'status': status, 'attempts': []}
    if status is None:
        return record
    record['answer'] = ANSWERS.get(status, 'error')
    if status not in ANSWERS:
        record['how'] = errors.strip()[:2000]
        return record
    document = json.loads(output)
    record['how'] = document.get('how', '')
    record['attempts'] = document.get('attempts', [])
    if document.get('verdict') == 'not applicable':
        record['answer'] = 'error'
        record['how'] = 'not applicable: ' + record['how']
    record['peak_kib'] = max([usage.ru_maxrss] + [a['peak_kib'] for a in record['attempts']])
    return record


class Names:
    """What `mmaspec show` says of names, asked once each."""

    def __init__(self, mmaspec):
        self.mmaspec = mmaspec
        self.known = {}

    def show(self, name):
        if name not in self.known:
            run = subprocess.run([self.mmaspec, 'show', name, '--json'], capture_output=True, text=True, check=False)
            if run.returncode != 0:
                fail(f'{name}: {run.stderr.strip()}')
            self.known[name] = json.loads(run.stdout)
        return self.known[name]

    def of(self, question):
        return [self.show(a) for a in question.arguments[1:4] if '/' in a or a.startswith('design:')]

    def k(self, question):
        if '--chain' in question.arguments:
            return int(question.arguments[question.arguments.index('--chain') + 1])
        return max(d['k'] for d in self.of(question))


def solvers(mmaspec):
    """Those that there are, such as 'cvc5 1.0.3'."""
    run = subprocess.run([mmaspec, '--version'], capture_output=True, text=True, check=False)
    found = [line for line in run.stdout.splitlines() if line.startswith('solvers: ')]
    # Remove paths, which are specific to this machine.
    return re.sub(r' \([^()]*\)', '', found[0][len('solvers: '):]).split(', ') if found else []


def machine(mmaspec, timeout):
    """What the times were measured on."""
    def first_line(command):
        try:
            run = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError:
            return ''
        lines = (run.stdout or run.stderr).strip().splitlines()
        return lines[0].strip() if lines else ''

    cpu = platform.processor() or platform.machine()
    try:
        for line in pathlib.Path('/proc/cpuinfo').read_text().splitlines():
            if line.startswith('model name'):
                cpu = line.split(':', 1)[1].strip()
                break
    except OSError:
        pass
    pages = os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE')
    return {'cpu': cpu, 'cores': len(os.sched_getaffinity(0)), 'memory_gib': round(pages / 2**30, 1),
            'system': f'{platform.system()} {platform.release()}', 'solvers': ', '.join(solvers(mmaspec)),
            'mmaspec': first_line([mmaspec, '--version']),
            'commit': first_line(['git', '-C', str(ROOT), 'rev-parse', '--short', 'HEAD']),
            'date': datetime.date.today().isoformat(), 'timeout': timeout}


class Results:
    """Records, also kept in a file, so that a stopped bench continues where it stopped."""

    def __init__(self, path):
        self.path = path
        self.records = []
        self.machine = None
        if path and path.exists():
            for number, line in enumerate(path.read_text().splitlines(), 1):
                try:
                    record = json.loads(line)
                except json.JSONDecodeError:
                    print(f'{path}:{number}: not whole, left out', file=sys.stderr)
                    continue
                if isinstance(record, dict) and 'machine' in record:
                    self.machine = record['machine']
                elif isinstance(record, dict) and 'contender' in record:
                    self.records.append(record)
                else:
                    fail(f'{path}:{number}: not a line of results; the file is left as it is')

    def write(self, record):
        if self.path:
            with self.path.open('a') as out:
                out.write(json.dumps(record) + '\n')

    def add_machine(self, found):
        if self.machine is None:
            self.machine = found
            self.write({'machine': found})

    def add(self, record):
        self.records.append(record)
        self.write(record)

    def find(self, question, contender, timeout):
        for r in self.records:
            if (r['arguments'], r['contender'], r['timeout']) == (list(question.arguments), contender, timeout):
                return r
        return None


def wrong_answers(question, records):
    """What contradicts the expected answer or another one, in words. Late answers count here too."""
    said = {r['contender']: r['answer'] for r in records if r['answer'] in (SAT, UNSAT)}
    wrong = [f'{question.text}: {who} says {answer}, expected {question.expected}'
             for who, answer in said.items() if question.expected and answer != question.expected]
    if not wrong and len(set(said.values())) > 1:
        wrong.append(f'{question.text}: ' + ', '.join(f'{who} says {answer}' for who, answer in said.items()))
    wrong += [f'{question.text}: {r["contender"]} ended with status {r["status"]}: {r["how"]}'
              for r in records if r['answer'] == 'error']
    return wrong


def measure(options, questions, results, names):
    """All runs that are still to be made; prints the table as it grows."""
    there = {s.split()[0].lower() for s in solvers(options.mmaspec)}
    contenders = {c: a for c, a in CONTENDERS.items()
                  if c == 'mmaspec' or (c in there and not options.no_baseline)}
    results.add_machine(machine(options.mmaspec, options.timeout))
    limits = {c: options.timeout if c == 'mmaspec' else options.alone_timeout or options.timeout for c in contenders}
    rows, wrong = [], []
    print(report.table_head(list(contenders)), flush=True)
    for question in questions:
        found = {c: results.find(question, c, limits[c]) for c in contenders}
        # mmaspec gets the whole machine; each solver alone needs one core, so they run in parallel.
        for group in (['mmaspec'], [c for c in contenders if c != 'mmaspec']):
            missing = [c for c in group if found[c] is None]
            with concurrent.futures.ThreadPoolExecutor(max(min(len(missing), os.cpu_count() or 1), 1)) as pool:
                runs = [pool.submit(run_question, options.mmaspec, question, c, contenders[c], limits[c])
                        for c in missing]
                for c, run in zip(missing, runs):
                    found[c] = run.result()
                    results.add(found[c])
        records = [found[c] for c in contenders]
        row = report.Row(question, names.k(question), {r['contender']: r for r in records})
        rows.append(row)
        wrong += wrong_answers(question, records)
        print(report.table_line(row, list(contenders)), flush=True)
    return rows, wrong


def to_the_end(options, questions, names):
    """Every strategy run to its end: their answers must agree."""
    print('| question | K | expected | answer | seconds | answered | agree |')
    print('| --- | --- | --- | --- | --- | --- | --- |')
    wrong = []
    for question in questions:
        r = run_question(options.mmaspec, question, 'to the end', TO_THE_END, options.timeout)
        said = [a['attempt'] for a in r['attempts'] if a['counts']]
        bad = wrong_answers(question, [r])
        wrong += bad
        print(f'| {question.text} | {names.k(question)} | {question.expected} | {r["answer"]} | {r["seconds"]:.2f} | '
              f'{"; ".join(dict.fromkeys(said)) or r["how"].splitlines()[0][:80]} | {"NO" if bad else "yes"} |',
              flush=True)
    return wrong


def without_arguments(options, questions, names):
    """What has no answer, proved by all strategies but arguments."""
    print('| question | K | answer | seconds | how |')
    print('| --- | --- | --- | --- | --- |')
    wrong = []
    proved = 0
    unsatisfiable = [q for q in questions if q.expected == UNSAT]
    for question in unsatisfiable:
        r = run_question(options.mmaspec, question, 'without arguments', WITHOUT_ARGUMENTS, options.timeout)
        wrong += wrong_answers(question, [r])
        proved += r['answer'] == UNSAT
        print(f'| {question.text} | {names.k(question)} | {r["answer"]} | {r["seconds"]:.2f} | '
              f'{(r["how"].splitlines() or [""])[0][:100]} |', flush=True)
    print(f'\nWithout arguments {proved} of {len(unsatisfiable)} unsatisfiable questions are answered.')
    return wrong


def check(options, questions, names):
    """The set is what it should be, and mmaspec takes every line of it. What is answered at once must be right."""
    wrong = []
    count = {answer: sum(q.expected == answer for q in questions) for answer in (SAT, UNSAT)}
    if not options.only:
        if len(questions) < 48 or min(count.values()) < 20:
            wrong.append(f'{len(questions)} questions, {count[SAT]} sat, {count[UNSAT]} unsat: expected 48 or more, '
                         'and 20 or more of each')
        if min(len({q.text for q in questions}), len({q.arguments for q in questions})) < len(questions):
            wrong.append('a question is there twice')
        seen = {d['algorithm'] for q in questions for d in names.of(q)}
        wrong += [f'no question is about {f}' for f in FAMILIES if f not in seen]
        if not any('scale' in d and d['algorithm'] == 'fused-dot-add' for q in questions for d in names.of(q)):
            wrong.append('no question is about a fused dot-add with scale factors')
        lengths = {names.k(q) for q in questions}
        wrong += [f'no question has K={k}' for k in (1, 2, 4, 8, 16, 32, 64) if k not in lengths]
    for question in questions:
        record = run_question(options.mmaspec, question, 'mmaspec', ['--strategies', 'none', '--no-shrink'], 0.01)
        wrong += wrong_answers(question, [record])
    print(f'{len(questions)} questions, {count[SAT]} sat, {count[UNSAT]} unsat, {len(wrong)} wrong')
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--mmaspec', default=str(ROOT / 'build/release/bin/mmaspec'), help='the program')
    parser.add_argument('--timeout', type=float, default=60, help='seconds for each question (60)')
    parser.add_argument('--alone-timeout', type=float, help='seconds for each solver alone (as many)')
    parser.add_argument('--only', default='', help='questions whose text or command line holds this')
    parser.add_argument('--no-baseline', action='store_true', help='mmaspec alone')
    parser.add_argument('--results', type=pathlib.Path,
                        help='JSON Lines file of all runs; what is there is not run again')
    parser.add_argument('--svg', type=pathlib.Path, help='write the cactus plot here')
    parser.add_argument('--markdown', type=pathlib.Path, help='write docs/performance.md here')
    parser.add_argument('--evaluator', type=pathlib.Path, help="evaluator_bench's JSON or CSV output, for --markdown")
    parser.add_argument('--suites', type=pathlib.Path, help="suites.py's results, for --markdown")
    parser.add_argument('--identification', type=pathlib.Path,
                        help="identification.py's results, for --markdown")
    parser.add_argument('--emulation', type=pathlib.Path, help="emulation.py's results, for --markdown")
    parser.add_argument('--aligned', type=pathlib.Path, help="aligned_bench's output, for --markdown")
    parser.add_argument('--to-the-end', action='store_true',
                        help='run every strategy to its end instead, and tell where they disagree')
    parser.add_argument('--without-arguments', action='store_true',
                        help='run what has no answer with all strategies but arguments instead')
    parser.add_argument('--check', action='store_true', help='check the set of questions, in seconds')
    parser.add_argument('--list', action='store_true', help='print the command lines')
    options = parser.parse_args()

    questions = [q for q in QUESTIONS if options.only in q.text or options.only in shlex.join(q.arguments)]
    if options.list:
        for q in questions:
            print(f'{q.expected}\tmmaspec {shlex.join(q.arguments)}')
        return 0
    if not os.access(options.mmaspec, os.X_OK):
        fail(f'{options.mmaspec}: not there; build it, or say --mmaspec')
    for path in (options.results, options.svg, options.markdown):
        if path and not path.parent.is_dir():
            fail(f'{path}: there is no such folder')
    names = Names(options.mmaspec)
    if options.check:
        wrong = check(options, questions, names)
    elif options.without_arguments:
        wrong = without_arguments(options, questions, names)
    elif options.to_the_end:
        wrong = to_the_end(options, questions, names)
    else:
        results = Results(options.results)
        throughput = report.read_throughput(options.evaluator, names) if options.evaluator else None
        suites = json.loads(options.suites.read_text()) if options.suites else None
        identified = json.loads(options.identification.read_text()) if options.identification else None
        emulated = json.loads(options.emulation.read_text()) if options.emulation else None
        in_floating_point = aligned.read(options.aligned) if options.aligned else None
        rows, wrong = measure(options, questions, results, names)
        print('\n' + report.summary(rows, wrong))
        if options.svg:
            options.svg.write_text(report.cactus(rows))
        if options.markdown:
            svg = os.path.relpath(options.svg, options.markdown.parent) if options.svg else None
            options.markdown.write_text(report.document(rows, wrong, results.machine, svg, throughput,
                                                        suites, identified, emulated))
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
