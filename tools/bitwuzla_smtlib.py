"""Bitwuzla's Python wheel as a program: reads SMT-LIB 2 on standard input, answers on standard output.

bitwuzla_smtlib.py FOLDER [--version]: FOLDER contains the wheel. scripts/build.sh makes the program mmaspec-bitwuzla from
it. That program starts Python without the module `site`, so Python does not find the wheel by itself.
"""
import sys

sys.path.insert(0, sys.argv[1])
import bitwuzla  # noqa: E402

if sys.argv[2:] == ['--version']:
    print(bitwuzla.version())
else:
    try:
        bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options()).parse('/dev/stdin')
    except bitwuzla.BitwuzlaException as error:
        sys.exit(f'bitwuzla: {error}')
