"""Holds what mmaspec --json writes to docs/schema/mmaspec.schema.json: json_schema.py MMASPEC SCHEMA."""

import json
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: there is no jsonschema")
    sys.exit(0)

MMASPEC, SCHEMA = sys.argv[1:]
FIRST = "design:fused-dot-add(k=2,fraction_bits=24)"
SECOND = "design:fused-dot-add(k=2,fraction_bits=25)"
RANGE = "design:fused-dot-add(k=2,fraction_bits=24..25)"
SCALED = "design:fused-dot-add(k=2,fraction_bits=24,scale=ue8m0,scale_block=2)"
VOLTA = "volta/mma.m8n8k4.f32.f16.f16.f32"
QUESTIONS = [
    ("list", ["list"]),
    ("show", ["show", VOLTA]),
    ("show", ["show", FIRST]),
    ("eval", ["eval", VOLTA, "--a", "1,inf", "--b", "2,-1", "--trace"]),
    ("eval", ["eval", SCALED, "--a", "1", "--b", "2", "--sa", "2"]),
    ("diff", ["diff", FIRST, SECOND, "--count", "2"]),
    ("diff", ["diff", FIRST, SECOND, "--where", "zero(a[*])"]),
    ("diff", ["diff", FIRST, FIRST, "--all-k"]),
    ("diff", ["diff", FIRST, "cdna3/v_mfma_f32_32x32x8_f16", "--ulp", "100"]),
    ("maximize", ["diff", FIRST, SECOND, "--maximize", "--timeout", "2"]),
    ("range", ["diff", RANGE, SECOND]),
    ("range", ["prove", "commutative", RANGE]),
    ("prove", ["prove", "monotone-c", VOLTA]),
    ("prove", ["prove", "commutative", FIRST, "--where", "c == 0"]),
    ("prove", ["prove", "error-bound", FIRST, "--bound", "1000000"]),
    ("tightest", ["prove", "error-bound", FIRST, "--timeout", "5"]),
    ("property", ["prove", "--list"]),
    ("tolerance", ["tolerance", FIRST, SECOND, "--timeout", "3"]),
    ("table", ["table", FIRST, "--properties", "commutative,monotone-c"]),
    ("check", ["check", FIRST, "--samples", "2"]),
]
LINES = {"list", "property", "table", "check"}


def main():
    with open(SCHEMA) as file:
        schema = json.load(file)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    failed = 0
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as rows:
        rows.write("a0,b0,c,d\n1,1,0,1\n1,1,0,2\nx,1,1,1\n")
        rows.flush()
        for name, command in [*QUESTIONS, ("verify", ["verify", rows.name, "--as", VOLTA])]:
            out = subprocess.run([MMASPEC, *command, "--json"], capture_output=True, text=True).stdout
            documents = out.splitlines() if name in LINES else [out]
            validator = kind({**schema, "$ref": f"#/$defs/{name}"})
            try:
                for document in documents:
                    validator.validate(json.loads(document))
                if not documents:
                    raise ValueError("nothing was written")
            except (jsonschema.ValidationError, ValueError) as error:
                print(f"{' '.join(command)}: {str(error)[:2000]}")
                failed += 1
    sys.exit(1 if failed else 0)


main()
