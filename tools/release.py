"""Makes the parts of a release: release.py check|notes|sbom|recipes VERSION [...]. scripts/release runs it.

- check: fails unless all places that repeat the version agree with CMakeLists.txt, and CHANGELOG.md has its section.

- notes: prints that section.

- sbom: prints the components of the wheel as CycloneDX 1.6 (apps/python/LICENSES.md).

- recipes: writes copies of packaging/ with the checksum of the source archive.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE = "CMakeLists.txt"
PLACEHOLDER = "https://mmaspec.example/releases/v{version}/mmaspec-{version}.tar.gz"

# Files that repeat the version, because their formats do not have variables.
REPEATED = {
    "CITATION.cff": r"(?m)^version: (\S+)$",
    "CHANGELOG.md": r"(?m)^## \[(\d[^\]]*)\] - \d{4}-\d{2}-\d{2}$",
    "packaging/conda/recipe.yaml": r'(?m)^  version: "([^"]+)"$',
    "packaging/spack/package.py": r'(?m)^    version\("([^"]+)"',
    "packaging/homebrew/mmaspec.rb": r'(?m)^  url ".*/mmaspec-([0-9][^/]*)\.tar\.gz"$',
    "packaging/nix/package.nix": r'(?m)^  version = "([^"]+)";$',
}

# The names that apps/python/LICENSES.md uses, as SPDX expressions.
EXPRESSIONS = {"GPL-3.0 with the GCC Runtime Library Exception": "GPL-3.0-or-later WITH GCC-exception-3.1"}

# Debian's names of the packages that apps/python/wheel-libraries unpacks.
DEBIAN = {
    "fmt": "libfmt-dev",
    "nlohmann/json": "nlohmann-json3-dev",
    "Xbyak": "libxbyak-dev",
    "CLI11": "libcli11-dev",
    "Boost": "libboost1.74-dev",
}


class Wrong(Exception):
    """Something that a release must not have; the message says what to change."""


def text_of(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def version() -> str:
    """The version in CMakeLists.txt."""
    found = re.search(r"(?m)^project\(mmaspec VERSION ([0-9]+\.[0-9]+\.[0-9]+)\b", text_of(SOURCE))
    if found is None:
        raise Wrong(f"{SOURCE} has no version")
    return found[1]


def repeated() -> dict[str, str]:
    """The version in each file that repeats it; of CHANGELOG.md the latest."""
    versions = {}
    for file, pattern in REPEATED.items():
        found = re.search(pattern, text_of(file))
        if found is None:
            raise Wrong(f"{file} has no version")
        versions[file] = found[1]
    return versions


def check(wanted: str) -> None:
    """Raises Wrong unless all files are those of this version."""
    if version() != wanted:
        raise Wrong(f"{SOURCE} has the version {version()}, not {wanted}")
    for file, other in repeated().items():
        if other != wanted:
            raise Wrong(f"{file} has the version {other}, not {wanted}")
    notes(wanted)


def notes(wanted: str) -> str:
    """The section of CHANGELOG.md, without its heading."""
    text = text_of("CHANGELOG.md")
    head = re.search(rf"(?m)^## \[{re.escape(wanted)}\] - .*\n", text)
    if head is None:
        raise Wrong(f"CHANGELOG.md has no section [{wanted}] with a date")
    end = re.compile(r"(?m)^(## |\[[^\]]+\]: )").search(text, head.end())
    section = text[head.end() : end.start() if end else len(text)].strip()
    if not re.search(r"(?m)^- ", section):
        raise Wrong(f"CHANGELOG.md says nothing in the section [{wanted}]")
    return section + "\n"


def components() -> list[tuple[str, str]]:
    """Name and licence of each, from the table of apps/python/LICENSES.md."""
    rows = re.findall(r"(?m)^\| (?!what |---)(.+?) \| (.+?) \|$", text_of("apps/python/LICENSES.md"))
    if not rows:
        raise Wrong("apps/python/LICENSES.md has no table")
    return rows


def debian_versions(text: str) -> dict[str, str]:
    """Upstream's version of each package, from lines of a name and Debian's version (1:9.1.0+ds1-2 is 9.1.0)."""
    return {name: re.sub(r"^\d+:|(\+ds\d*)?-[^-]*$", "", of) for name, of in (line.split() for line in text.splitlines())}


def sbom(wanted: str, timestamp: str, libraries: str = "") -> dict[str, Any]:
    """The components of a wheel as CycloneDX 1.6, with those versions that are known.

    timestamp: ISO 8601; that of the commit, so that the document is the same each time. libraries: the text of
    `versions` that apps/python/wheel-libraries wrote.
    """
    versions = debian_versions(libraries)
    z3 = re.search(r"'z3-solver==([0-9.]+)'", text_of("apps/python/build-wheel"))
    if z3 is None:
        raise Wrong("apps/python/build-wheel names no version of z3-solver")
    reference = f"pkg:pypi/mmaspec@{wanted}"
    found = []
    for what, licence in components():
        name = re.sub(r" \(.*", "", what)
        component: dict[str, Any] = {"type": "library", "bom-ref": name, "name": name}
        component["licenses"] = [{"expression": EXPRESSIONS.get(licence, licence)}]
        if name in DEBIAN and DEBIAN[name] in versions:
            component["version"] = versions[DEBIAN[name]]
        if name == "Z3":
            component |= {"version": z3[1], "purl": f"pkg:pypi/z3-solver@{z3[1]}"}
        found.append(component)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": timestamp,
            "component": {
                "type": "library",
                "bom-ref": reference,
                "name": "mmaspec",
                "version": wanted,
                "licenses": [{"expression": "Apache-2.0"}],
                "purl": reference,
            },
        },
        "components": found,
        "dependencies": [
            {"ref": reference, "dependsOn": [c["bom-ref"] for c in found]},
            *({"ref": c["bom-ref"]} for c in found),
        ],
    }


def write_recipes(wanted: str, sha256: str, url: str, folder: Path) -> None:
    """Copies of the recipes with the archive's address and checksum; the other files of packaging/ take none."""
    if not re.fullmatch(r"[0-9a-f]{64}", sha256):
        raise Wrong(f"'{sha256}' is not a SHA-256 checksum")
    for file in ("conda/recipe.yaml", "spack/package.py", "homebrew/mmaspec.rb"):
        text = text_of(f"packaging/{file}")
        if "0" * 64 not in text:
            raise Wrong(f"packaging/{file} has no place for the checksum")
        text = text.replace("0" * 64, sha256)
        if url:
            text = text.replace(PLACEHOLDER.format(version="${{ version }}"), url)
            text = text.replace(PLACEHOLDER.format(version=wanted), url)
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="What a release is made of.")
    parser.add_argument("what", choices=["version", "check", "notes", "sbom", "recipes"])
    parser.add_argument("version", nargs="?")
    parser.add_argument("--timestamp", default="1970-01-01T00:00:00Z")
    parser.add_argument("--libraries", type=Path, help="`versions` of apps/python/wheel-libraries")
    parser.add_argument("--sha256", default="")
    parser.add_argument("--url", default="")
    parser.add_argument("--out", type=Path, default=Path("."))
    given = parser.parse_args()
    try:
        wanted = given.version or version()
        libraries = given.libraries.read_text() if given.libraries else ""
        if given.what == "version":
            print(version())
        elif given.what == "check":
            check(wanted)
        elif given.what == "notes":
            print(notes(wanted), end="")
        elif given.what == "sbom":
            print(json.dumps(sbom(wanted, given.timestamp, libraries), indent=2))
        else:
            write_recipes(wanted, given.sha256, given.url, given.out)
    except Wrong as error:
        print(f"release: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
