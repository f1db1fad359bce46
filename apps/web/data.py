"""Brings the committed tables to the page, each as a plain script: data.py ROOT OUT-FOLDER."""

import base64
import gzip
import json
import pathlib
import sys

# The members of a cell that the page shows.
CELL = ("design", "property", "instr", "verdict", "by", "how", "case", "refuted", "proved", "refuted_by", "smaller", "witness")


def rows_of(file: pathlib.Path) -> list[dict]:
    if not file.exists():
        return []
    text = gzip.decompress(file.read_bytes()).decode() if file.suffix == ".gz" else file.read_text()
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def properties(root: pathlib.Path) -> dict:
    # The page does not compute conversions.
    rows = [
        {key: row[key] for key in CELL if key in row}
        for row in rows_of(root / "docs/properties.jsonl")
        if not row["design"].startswith("conversion ")
    ]
    # A file may contain a cell again that was asked with more time: the last one counts.
    last = {(row["design"], row["property"]): row for row in rows}
    return {"rows": list(last.values())}


def contradictions(root: pathlib.Path) -> dict:
    return {"rows": rows_of(root / "docs/contradictions.jsonl")}


def differences(root: pathlib.Path) -> dict:
    """The rows that `mmaspec matrix` keeps, each pair as [first, second, verdict, by, operands, K]."""
    pairs = []
    for row in rows_of(root / "docs/differences.jsonl.gz"):
        if "first" in row and "verdict" in row:
            witness = row.get("witness")
            operands = witness and {key: witness[key] for key in ("a", "b", "c", "sa", "sb") if key in witness}
            pairs.append([row["first"], row["second"], row["verdict"], row.get("by", ""), operands, row.get("k")])
    return {"pairs": pairs}


def suites(root: pathlib.Path) -> dict:
    return {"rows": rows_of(root / "docs/suites.jsonl")}


def main() -> None:
    root, out = map(pathlib.Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    for make in (properties, contradictions, differences, suites):
        text = json.dumps(make(root), separators=(",", ":"), ensure_ascii=False)
        packed = base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
        (out / f"{make.__name__}.js").write_text(f'mmaspecData("{make.__name__}", {{"packed":"{packed}"}});\n')


if __name__ == "__main__":
    main()
