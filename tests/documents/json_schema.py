"""Validates the output of mmaspec --json against docs/schema/mmaspec.schema.json.

json_schema.py MMASPEC SCHEMA: asks the questions below. json_schema.py --recorded FILE SCHEMA: of the
command lines that tests ran, a line each: {"command": [...], "out": "..."} (tests/support/cli/json_outputs.cpp).
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = Path(__file__).resolve().parents[2]
FIRST = "design:fused-dot-add(k=2,fraction_bits=24)"
SECOND = "design:fused-dot-add(k=2,fraction_bits=25)"
RANGE = "design:fused-dot-add(k=2,fraction_bits=24..25)"
SCALED = "design:fused-dot-add(k=2,fraction_bits=24,scale=ue8m0,scale_block=2)"
VOLTA = "volta/mma.m8n8k4.f32.f16.f16.f32"
PLAN = f"plan:chain({VOLTA},k=64)"
QUESTIONS = [
    ["list"],
    ["list", "--products"],
    ["list", "--conversions"],
    ["show", "hopper/cvt.rna.tf32.f32"],
    ["eval", "hopper/cvt.rna.tf32.f32", "--c", "1"],
    ["diff", "hopper/cvt.rna.tf32.f32", "hopper/cvt.rn.tf32.f32"],
    ["eval", "volta/mma.m8n8k4.f32.f16.f16.f32", "--chain", "7", "--a", "1"],
    ["show", VOLTA],
    ["show", FIRST],
    ["eval", VOLTA, "--a", "1,inf", "--b", "2,-1", "--trace"],
    ["eval", SCALED, "--a", "1", "--b", "2", "--sa", "2"],
    ["diff", FIRST, SECOND, "--count", "2"],
    ["diff", FIRST, SECOND, "--where", "zero(a[*])"],
    ["diff", FIRST, FIRST, "--all-k"],
    ["diff", FIRST, "cdna3/v_mfma_f32_32x32x8_f16", "--ulp", "100"],
    ["diff", FIRST, SECOND, "--distribution", "normal", "--samples", "100", "--link"],
    ["diff", "volta", "turing", "--timeout", "2"],
    ["diff", FIRST, SECOND, "--maximize", "--timeout", "2"],
    ["diff", RANGE, SECOND],
    ["prove", "commutative", RANGE],
    ["prove", "monotone-c", VOLTA],
    ["prove", "commutative", FIRST, "--where", "c == 0"],
    ["prove", "error-bound", FIRST, "--bound", "1000000"],
    ["prove", "error-bound", FIRST, "--timeout", "5"],
    ["prove", "error-bound", PLAN],
    ["prove", "--list"],
    ["tolerance", FIRST, SECOND, "--timeout", "3", "--distribution", "uniform", "--samples", "100"],
    ["table", FIRST, VOLTA, "--properties", "commutative,monotone-c"],
    ["check", FIRST, "--samples", "2"],
    ["suite", FIRST, SECOND],
    ["matrix", FIRST, SECOND, VOLTA],
]
LINES = {"list", "list_products", "list_conversions", "table", "check", "matrix", "certify", "property", "row"}


def definition_of(command, document):
    """The definition for a document of the command."""
    name = command[0]
    if name == "diff" and "products" in document:
        return "machines"
    if name == "diff" and "measure" in document:
        return "maximize"
    if name in ("diff", "prove") and "parameter" in document:
        return "range"
    if name == "explain" and "second" in document:
        return "explain_two"
    if name == "list" and "product" in document:
        return "list_products"
    if name == "list" and "keys" in document:
        return "list_conversions"
    if name == "prove" and "--list" in command:
        return "property"
    if name == "prove" and "bounds" in document:
        return "bounds"
    if name == "prove" and "refutation" in document:
        return "tightest"
    if name == "eval" and "--rows" in command:
        return "row"
    if name == "show" and "--parameters" in command:
        return "parameters"
    if name == "replay" and "passed" not in document:
        return "replay_files"
    return name


def documents_of(command, text):
    """The JSON documents in a command's output: the whole output, or its lines."""
    try:
        return [json.loads(text)]
    except ValueError:
        documents = [json.loads(line) for line in text.splitlines()]
        if not all(definition_of(command, d) in LINES for d in documents):
            raise
        return documents


def fault_of(kind, schema, command, text):
    """The fault of an output according to the schema; empty if it is valid."""
    try:
        documents = documents_of(command, text)
        if not documents:
            return "nothing was written"
        for document in documents:
            name = definition_of(command, document)
            if name not in schema["$defs"]:
                return f"the schema has no definition {name}"
            kind({**schema, "$ref": f"#/$defs/{name}"}).validate(document)
    except (jsonschema.ValidationError, ValueError) as error:
        return str(error)[:2000]
    return ""


def outputs_of(mmaspec):
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as rows:
        rows.write("a0,b0,c,d\n1,1,0,1\n1,1,0,2\nx,1,1,1\n")
        rows.flush()
        for command in [*QUESTIONS, ["verify", rows.name, "--as", VOLTA]]:
            run = subprocess.run([mmaspec, *command, "--json"], capture_output=True, text=True)
            yield command, run.stdout


def recorded(file):
    for line in Path(file).read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        yield entry["command"], entry["out"]


def fault_of_output(command, text):
    """For other tests: the fault of an output according to docs/schema; empty if it is valid, or without jsonschema."""
    if jsonschema is None:
        return ""
    schema = json.loads((ROOT / "docs/schema/mmaspec.schema.json").read_text(encoding="utf-8"))
    return fault_of(jsonschema.validators.validator_for(schema), schema, command, text)


def main():
    if jsonschema is None:
        print("skipped: there is no jsonschema")
        return
    is_recorded = sys.argv[1] == "--recorded"
    schema = json.loads(Path(sys.argv[-1]).read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    failed = 0
    for command, text in recorded(sys.argv[2]) if is_recorded else outputs_of(sys.argv[1]):
        fault = fault_of(kind, schema, command, text)
        if fault:
            print(f"mmaspec {' '.join(command)}: {fault}")
            failed += 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
