#!/usr/bin/env python3
"""Breaks the examples in one place each, and asks mmaspec whether it sees that.

    mutants.py --mmaspec build/release/bin/mmaspec [--timeout 20] [--markdown] [--only N] [--no-search]

Each mutant is a text of the file and its replacement. The exit status is 1 if a mutant that is not listed as equivalent
is proved or not found. It is also 1 if Icarus Verilog does not confirm a witness. --no-search uses only solvers: they may leave a
mutant undecided, but must not prove a wrong one.
"""
import argparse, json, pathlib, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
DESIGN = "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=4,fraction_bits=25,round=%s)"

TREE = [  # (kind, text, instead)
    ("width", "localparam S = M + 5;", "localparam S = M + 3;"),
    ("width", "localparam M = F + 2; ", "localparam M = F + 1; "),
    ("width", "localparam E = 10; ", "localparam E = 8; "),
    ("width", "reg [5:0] zeros;", "reg [4:0] zeros;"),
    ("width", "wire [2*FRAC+1:0] significand", "wire [2*FRAC:0] significand"),
    ("width", "kept[S-2 -: 23]", "kept[S-1 -: 23]"),
    ("width", "{significand, {(F-2*FRAC){1'b0}}}", "{significand[2*FRAC+1:1], {(F-2*FRAC+1){1'b0}}}"),
    ("constant", "160 - 2*BIAS", "161 - 2*BIAS"),
    ("constant", "~|c_field} + 33", "~|c_field} + 32"),
    ("constant", "zeros = S - 1 - j", "zeros = S - j"),
    ("constant", "(S - 1 - F) - 33", "(S - 1 - F) - 34"),
    ("constant", "field > 254", "field > 255"),
    ("constant", "field > 254", "field > 253"),
    ("constant", "12'd1 - field", "12'd2 - field"),
    ("mux", "e[2*n] < e[2*n+1] ? e[2*n+1] : e[2*n]", "e[2*n] < e[2*n+1] ? e[2*n] : e[2*n+1]"),
    ("mux", "negative[i] ? -wide : wide", "negative[i] ? wide : -wide"),
    ("mux", "sum[S-1] ? -sum : sum", "sum"),
    ("mux", "tiny ? normal >> too_far : normal", "normal"),
    ("mux", "negative[i] ? -wide : wide", "negative[i] ? ~wide : wide"),
    ("alignment", "leaf[i] >> (e[(LEAVES+i)/2] - e[LEAVES+i])", "leaf[i] >> (e[(LEAVES+i)/2] - e[LEAVES+i] + 10'd1)"),
    ("alignment", "at_4 = LEAVES > 2 ? at_2 >>", "at_4 = LEAVES > 2 ? at_2 <<"),
    ("special", "|significand ? x_e", "1'b1 ? x_e"),
    ("special", "|c_significand ? {2'b0", "1'b1 ? {2'b0"),
    ("special", "~|x_field};", "1'b0};"),
    ("special", "{|c_field, c[22:0]}", "{1'b1, c[22:0]}"),
    ("special", " | (some_plus & some_minus)", ""),
    ("special", "                            | (x_infinite & ~|y[N-2:0]) | (y_infinite & ~|x[N-2:0]);", ";"),
    ("special", "|c[22:0]) | (some_plus", "c[22]) | (some_plus"),
    ("special", ": none       ? 32'h00000000", ": none       ? {c[31], 31'd0}"),
    ("special", ": some_minus ? 32'hff800000", ": some_minus ? 32'h7f800000"),
]
PIPELINE = [
    ("sticky", "wire sticky = |kept[S-26:0] | lost;", "wire sticky = 1'b0;"),
    ("sticky", "|kept[S-26:0] | lost", "lost"),
    ("sticky", "|kept[S-26:0] | lost", "|kept[S-26:0]"),
    ("sticky", "|kept[S-26:0]", "|kept[S-26:1]"),
    ("sticky", "|kept[S-26:0]", "|kept[S-27:0]"),
    ("rounding", "guard & (sticky | kept[S-24])", "guard"),
    ("rounding", "guard & (sticky | kept[S-24])", "guard & sticky"),
    ("rounding", "guard & (sticky | kept[S-24])", "guard & kept[S-24]"),
    ("rounding", "guard & (sticky | kept[S-24])", "guard & (sticky | kept[S-23])"),
    ("rounding", "guard & (sticky | kept[S-24])", "1'b0"),
    ("rounding", "guard & (sticky | kept[S-24])", "guard | sticky"),
    ("width", "localparam S = M + 3;", "localparam S = M + 1;"),
    ("width", "guard = kept[S-25]", "guard = kept[S-26]"),
    ("width", "reg [9:0] distance_1 [0:4];", "reg [5:0] distance_1 [0:4];"),
    ("constant", "zeros = S - 1 - j", "zeros = S - 2 - j"),
    ("constant", "field > 12'd254", "field >= 12'd254"),
    ("constant", "k < 5; k = k + 1) if (e[k]", "k < 4; k = k + 1) if (e[k]"),
    ("mux", "sign ? minus_2 - plus_2 : plus_2 - minus_2", "sign ? plus_2 - minus_2 : minus_2 - plus_2"),
    ("mux", "if (negative_1[i]) minus", "if (!negative_1[i]) minus"),
    ("special", "if (significand == 0) e[k] = 10'd34;", ""),
    ("special", "nan = nan | (some_plus & some_minus);", ""),
    ("special", "x_infinite & ~|y[N-2:0]", "1'b0"),
    ("pipeline", "e_2 <= e_1;", "e_2 <= e_max;"),
    ("pipeline", "nan_3 <= nan_2;", "nan_3 <= nan_1;"),
    ("pipeline", "sign_3 <= sign;", "sign_3 <= plus < minus;"),
]
# Determined by hand, for f16 and K = 4.
EQUIVALENT = {
    4: "32 zeros are those of the sum 0, which is handled apart",
    12: "no finite f32 and four products of f16 reach beyond the largest f32",
    23: "c's least exponent is the one that zeros have",
    33: "only c is below the least normal f32, and exact there",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mmaspec", default="mmaspec")
    parser.add_argument("--timeout", type=int, default=20)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--no-search", action="store_true")
    parser.add_argument("--only", type=int, help="this mutant alone, counted from 1")
    options = parser.parse_args()
    failed = 0
    number = 0
    if options.markdown:
        print("| # | design | kind | text | instead | found by | seconds | simulation |\n" + "| --- " * 8 + "|")
    for file, mutants, extra, rounding in (
        ("fused_dot.v", TREE, [], "rz"),
        ("fused_dot_pipelined.v", PIPELINE, ["--latency", "3"], "rne"),
    ):
        source = (HERE / file).read_text()
        for kind, text, instead in mutants:
            number += 1
            if options.only and number != options.only:
                continue
            if text not in source:
                sys.exit(f"mutant {number}: '{text}' is not in {file}")
            with tempfile.TemporaryDirectory() as folder:
                mutant = pathlib.Path(folder) / file
                mutant.write_text(source.replace(text, instead, 1))
                run = subprocess.run(
                    [options.mmaspec, "rtl", str(mutant), "--top", file[:-2], *extra, "--against", DESIGN % rounding,
                     "--json", "--timeout", str(options.timeout), *(["--no-search"] if options.no_search else [])],
                    capture_output=True, text=True)
            if run.returncode not in (0, 1, 3):
                verdict, how, seconds, simulation = f"status {run.returncode}", run.stderr.strip()[-90:], 0, ""
            else:
                answer = json.loads(run.stdout)
                verdict, how, seconds = answer["verdict"], answer["how"], answer["seconds"]
                simulated = answer.get("simulation")
                simulation = "" if "fails" not in (simulated or {}) else "fails too" if simulated["fails"] else "DOES NOT FAIL"
            # A wrong pipeline reads another dot product's operands: the command reports it with
            # status 2.
            if "which no operand determines" in run.stderr:
                verdict, how = "witness", "depends on another cycle's operands"
            expected = {"proved", "undecided"} if number in EQUIVALENT else {"witness"}
            if options.no_search:
                expected.add("undecided")
            if verdict not in expected or simulation == "DOES NOT FAIL":
                failed += 1
            shown = how if verdict == "witness" else f"**{verdict}**" + (f": {EQUIVALENT[number]}" if number in EQUIVALENT else "")
            if options.markdown:
                print(f"| {number} | {file} | {kind} | `{text.strip()}` | `{instead.strip() or ' '}` | {shown} | {seconds:.2f} | {simulation} |".replace("||", "\\|\\|"), flush=True)
            else:
                print(f"{number:3} {file:22} {kind:10} {verdict:10} {seconds:7.2f} s  {simulation:10} {how[:60]}", flush=True)
    print(f"{number} mutants, {failed} answered wrongly", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
