#!/usr/bin/env python3
"""Compares the symbols and types of libmmaspec.so with those in api/abi/.

    tests/abi/abi.py [--write] LIBRARY COMPILER FOLDER

api/abi/symbols.txt has the names of the exported symbols; api/abi/layout.txt the public types: sizes, offsets of
members, values of enumerators. abidw (Debian's abigail-tools) reads the types from the debug information of a source
that includes the headers alone, which COMPILER compiles into FOLDER.

A symbol or a type that is missing or different breaks programs that were linked with an earlier library of the same
SONAME. `--write` rewrites both files: before version 1.0 with a new minor version, later only if the change adds
symbols or types.
"""

import difflib
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
ABI = ROOT / "api/abi"
NAMESPACE = ("mmaspec", "v0")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(library):
    """The exported symbols, one per line. Whether a symbol is weak depends on the compiler."""
    lines = output_of("nm", "-D", "--defined-only", "--format=posix", library).splitlines()
    return sorted(line.split()[0] for line in lines)


def public_types(element, path=()):
    """The namespaces' classes and enumerations."""
    for child in element:
        if child.tag == "namespace-decl":
            yield from public_types(child, (*path, child.get("name")))
        elif child.tag in ("abi-instr", "abi-corpus"):
            yield from public_types(child, path)
        elif path[:2] == NAMESPACE and child.tag in ("class-decl", "enum-decl"):
            if child.get("is-declaration-only") != "yes":
                yield "::".join([*path[2:], child.get("name")]), child


def layout(document):
    """One line for each type and for each of its members."""
    names = {e.get("id"): e.get("name") for e in document.iter("type-decl")}
    types = dict(public_types(document))
    names |= {element.get("id"): name for name, element in types.items()}
    for name, element in sorted(types.items()):
        if element.tag == "enum-decl":
            yield f"enum {name}"
            for e in element.iter("enumerator"):
                yield f"  {e.get('name')} = {e.get('value')}"
            continue
        if element.find("base-class") is not None and element.find("data-member") is None:
            continue  # exceptions, whose only part is the standard library's: compilers do not agree on describing them here
        yield f"struct {name}: {int(element.get('size-in-bits')) // 8} bytes"
        for base in element.iter("base-class"):
            yield f"  base at {int(base.get('layout-offset-in-bits')) // 8}: {names.get(base.get('type-id'))}"
        for member in element.iter("data-member"):
            if member.get("layout-offset-in-bits") is None:
                continue  # static
            variable = member.find("var-decl")
            kind = names.get(variable.get("type-id"))
            at = int(member.get("layout-offset-in-bits")) // 8
            yield f"  {variable.get('name')} at {at}" + (f": {kind}" if kind else "")


def public_layout(compiler, folder):
    source = folder / "abi.cpp"
    source.write_text("#include <mmaspec/mmaspec.h>\nint abi();\nint abi() { return 0; }\n")
    library = folder / "abi.so"
    subprocess.run(
        [compiler, "-std=c++17", "-g", "-fno-eliminate-unused-debug-types", "-shared", "-fPIC"]
        + [f"-I{ROOT / 'api/include'}", str(source), "-o", str(library)],
        check=True,
    )
    text = output_of("abidw", "--load-all-types", "--no-corpus-path", "--no-comp-dir-path", str(library))
    return list(layout(ElementTree.fromstring(text)))


def is_same(name, lines, write):
    file = ABI / name
    if write:
        file.write_text("\n".join(lines) + "\n")
        return True
    known = file.read_text().splitlines()
    for line in difflib.unified_diff(known, lines, str(file.relative_to(ROOT)), "built", lineterm="", n=1):
        print(line)
    return known == lines


def main():
    arguments = sys.argv[1:]
    write = arguments[:1] == ["--write"]
    library, compiler, folder = arguments[1:] if write else arguments
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    same = is_same("symbols.txt", symbols(library), write)
    if shutil.which("abidw"):
        same = is_same("layout.txt", public_layout(compiler, pathlib.Path(folder)), write) and same
    elif same:
        print("skipped: there is no abidw (Debian's abigail-tools), which reads the layout of types")
    if not same:
        sys.exit("the ABI is not that of api/abi/: see tests/abi/abi.py")


main()
