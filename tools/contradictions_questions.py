"""The questions of tools/contradictions.py: which models of one instruction are asked about, and what is said of them."""

def design(tool, name, **changes):
    """The instruction with other parameters, as a design."""
    shown = tool.show(name)
    values = {key: shown[key] for key in ("a", "b", "c", "d", "k", "scale", "scale_block") if key in shown}
    values.update({p["key"]: p["value"] for p in shown["parameters"]})
    values.update(changes)
    return f"design:{shown['algorithm']}(" + ",".join(f"{key}={value}" for key, value in values.items()) + ")"


def direct(section, label, first, second, options=(), **more):
    """`second` may be a function of the tool. `short`: what to ask where neither search nor solvers find an input of all
    products; `by_hand`: the input, where they find none at all or a long one; `verdict`: what speaks for whom."""
    return {
        "section": section,
        "label": label,
        "first": first,
        "second": second,
        "between": lambda tool: (first, second(tool) if callable(second) else second),
        "options": list(options),
        **more,
    }


def changed(section, label, name, verdict, options=(), by_hand=None, **changes):
    """The instruction against itself with other parameters."""
    more = {"by_hand": by_hand} if by_hand else {}
    return direct(section, label, name, lambda tool: design(tool, name, **changes), options, verdict=verdict, **more)


F32_OF_F16 = [
    ("Volta, f16", "volta/mma.m8n8k4.f32.f16.f16.f32"),
    ("Turing, f16", "turing/mma.m16n8k8.f32.f16.f16.f32"),
    ("Ampere, Ada, f16", "ampere/mma.m16n8k16.f32.f16.f16.f32"),
    ("Hopper, Blackwell, f16", "hopper/mma.m16n8k16.f32.f16.f16.f32"),
]
F32_OF_WIDE = [
    ("Ampere, Ada, bf16", "ampere/mma.m16n8k16.f32.bf16.bf16.f32"),
    ("Ampere, Ada, tf32", "ampere/mma.m16n8k8.f32.tf32.tf32.f32"),
    ("Hopper, Blackwell, bf16", "hopper/mma.m16n8k16.f32.bf16.bf16.f32"),
    ("Hopper, Blackwell, tf32", "hopper/mma.m16n8k8.f32.tf32.tf32.f32"),
]
F16_OF_F16 = [
    ("Volta, f16", "volta/mma.m8n8k4.f16.f16.f16.f16"),
    ("Turing, f16", "turing/mma.m16n8k8.f16.f16.f16.f16"),
    ("Ampere, Ada, f16", "ampere/mma.m16n8k16.f16.f16.f16.f16"),
    ("Hopper, Blackwell, f16", "hopper/mma.m16n8k16.f16.f16.f16.f16"),
]


def newer_release():
    """Where MMA-Sim 2.1.1 and the catalogue before it disagreed; the default is the first."""
    fp8, bf16 = "cdna3/v_mfma_f32_16x16x32_fp8_fp8", "cdna3/v_mfma_f32_32x32x8_bf16"
    mi100_f16, mi100_bf16 = "cdna1/v_mfma_f32_32x32x4f16", "cdna1/v_mfma_f32_32x32x2bf16"
    turing = "turing/mma.m8n8k4.f32.f16.f16.f32"
    volta = "volta/mma.m8n8k4.f32.f16.f16.f16"
    fp4 = "blackwell/tcgen05.mma.block_scale.m128n8k64.block16.f32.e2m1.e2m1.ue8m0"
    mi250x = "cdna2/v_mfma_f32_32x32x4bf16"
    of = "2.1.1"
    return [
        changed(
            of,
            "CDNA3, last rounding: the normalised sum cut to 31 bits, or the products' sum alone",
            fp8,
            "2.1.1, by hardware: a gfx942 printed 18,709 results of FP8, this one too, of which the default gets all",
            by_hand={"a": "5a 08", "b": "40 40", "c": "4bfffffc"},
            sum_bits=31,
            normalized_bits="none",
        ),
        changed(
            of,
            "CDNA3, zero products: left out, or counting 2^-126",
            bf16,
            "2.1.1; Khattak and Mikaitis agree, the older code was withdrawn; the gfx942's results fit both",
            zero_terms="operands-count",
            zero_exponent=-126,
        ),
        changed(
            of,
            "CDNA3, bf16 and xf32: a product of 2^128 next to an infinite c of the other sign",
            bf16,
            "2.1.1, likely: the older code had a shortcut",
            ["--inputs", "any"],
            overflow_joins="no",
        ),
        direct(
            of,
            "CDNA1, f16: four products and c summed exactly, or pairwise",
            mi100_f16,
            mi100_f16 + "@mma-sim-2025",
            verdict="2.1.1; Khattak and Mikaitis, and FTTN's cell of MI100, agree",
        ),
        direct(
            of,
            "CDNA1, bf16: two products and c summed exactly, or pairwise",
            mi100_bf16,
            mi100_bf16 + "@mma-sim-2025",
            verdict="the same",
        ),
        changed(
            of,
            "Turing's m8n8k4: Volta's F = 23, or Turing's 24",
            turing,
            "2.1.1: ptxas makes Volta's HMMA.884 of it",
            fraction_bits=24,
        ),
        changed(
            of,
            "Volta and Turing, f16 c of f32 results: a subnormal one counts 2^-14, or its leading bit",
            volta,
            "open, the default as 2.1.1: HMMA.884.F32.F16 takes c as it is; one row of a V100 decides",
            normalize_c="yes",
        ),
        changed(
            of,
            "Blackwell, FP4 by 64: a group that cancels is left out, or counts its scale factors (2.1.1)",
            fp4,
            "open; the default leaves it out, as zeros are",
            cancelled_groups_count="yes",
        ),
        changed(
            of,
            "Blackwell, FP4 by 64: no floor, or -139 (2.1.1)",
            fp4,
            "open",
            by_hand={
                "a": "2" + " 0" * 15 + " 2",
                "b": "2" + " 0" * 15 + " a",
                "c": "00000000",
                "sa": "35 27 7f 7f",
                "sb": "35 28 7f 7f",
            },
            floor=-139,
        ),
        changed(
            of,
            "CDNA2, bf16: a product of -0 counts as +0, or stays (2.1.1)",
            mi250x,
            "open",
            ["--signed-zero"],
            by_hand={"a": "a040 0000 0000 0000", "b": "2000 0000 bf80 bf80", "c": "00800000"},
            minus_zero_products="yes",
        ),
    ]


def older_release():
    """What MMA-Sim's code of January 2026 said of NVIDIA's units."""
    wide, f16 = "hopper/mma.m16n8k16.f32.bf16.bf16.f32", "hopper/mma.m16n8k16.f16.f16.f16.f16"
    withdrawn = "withdrawn by 2.1.1"
    return [
        changed(
            "2025",
            "a zero operand counts 2^-126: Hopper, bf16",
            wide,
            f"{withdrawn}; refuted by an H100 ([replay.md](replay.md#what-an-h100-answered))",
            zero_terms="operands-count",
        ),
        direct(
            "2025",
            "and so c = 0 bounds the largest exponent: Hopper, bf16",
            wide,
            lambda tool: design(tool, wide, floor=-126),
            short=lambda tool: (
                design(tool, wide, k=2, block=2),
                design(tool, wide, k=2, block=2, floor=-126),
            ),
            verdict=withdrawn,
        ),
        direct(
            "2025",
            "no floor of f16 results: Hopper, f16",
            f16,
            lambda tool: design(tool, f16, floor="none"),
            # 2^-25, a tie, and a much smaller product.
            by_hand={"a": "0c00 0001", "b": "0800 0001", "c": "0000"},
            verdict=withdrawn,
        ),
    ]


def questions():
    all_questions = []
    all_questions += newer_release()
    all_questions += older_release()
    for label, name in F32_OF_F16 + F32_OF_WIDE[2:] + F16_OF_F16[3:]:
        results = ", f16 results" if ".f16.f16.f16.f16" in name else ""
        all_questions.append(
            direct(
                "signs",
                label + results,
                name,
                lambda tool, name=name: design(tool, name, minus_zero="yes"),
                ["--signed-zero"],
            )
        )
    for label, name in [
        ("MI250X, f16: groups of 4 (MMA-Sim) against products one by one (FTTN)", "cdna2/v_mfma_f32_16x16x16f16"),
        ("MI250X, bf16 `_1k`: the same", "cdna2/v_mfma_f32_16x16x16bf16_1k"),
    ]:
        all_questions.append(direct("amd", label, name, lambda tool, name=name: design(tool, name, group="1")))
    a100, h100 = "ampere/mma.m16n8k8.f32.tf32.tf32.f32", "hopper/mma.m16n8k8.f32.tf32.tf32.f32"
    all_questions.append(
        direct(
            "tf32",
            "A100: toward zero (MMA-Sim; Khattak and Mikaitis) against to nearest (FTTN)",
            a100,
            lambda tool: design(tool, a100, round="rne"),
        )
    )
    all_questions.append(
        direct(
            "tf32",
            "H100: sums of 8 products (MMA-Sim) against 4 (FTTN)",
            h100,
            lambda tool: design(tool, h100, block="4"),
        )
    )
    e5m2 = "hopper/mma.m16n8k32.f32.e5m2.e5m2.f32"
    all_questions.append(
        direct("fp8", "Hopper, e5m2, f32 results: CUDA 12.8 and later, against 12.4 to 12.6", e5m2, e5m2 + "@cuda-12.6")
    )
    all_questions.append(
        direct("fp8", "Hopper, e5m2: `mma.sync` against `wgmma`", e5m2, "hopper/wgmma.m64n8k32.f32.e5m2.e5m2")
    )
    cdna3 = "cdna3/v_mfma_f32_32x32x8_bf16"
    all_questions.append(
        direct("cdna3", "MI300X, bf16: default against Khattak and Mikaitis", cdna3, cdna3 + "@khattak-mikaitis")
    )
    all_questions.append(direct("cdna3", "MI300X, bf16: default against rocjitsu", cdna3, cdna3 + "@rocjitsu"))
    cdna4 = "cdna4/v_mfma_f32_32x32x8_bf16"
    all_questions.append(direct("cdna3", "MI355X, bf16: default (rocjitsu) against CDNA3's", cdna4, cdna4 + "@cdna3"))
    for name in ("x86/tdpbf16ps", "x86/tdpfp16ps"):
        all_questions.append(direct("amx", name, name, name + "@intrinsics-guide"))
    for label, name in [
        ("E4M3, 16 products: a normal result", "riscv/vfqbdot.f32.e4m3.e4m3.n16"),
        ("E5M2, 16 products: the same", "riscv/vfqbdot.f32.e5m2.e5m2.n16"),
        ("BF16, 4 products", "riscv/vfwbdot.f32.bf16.bf16.n4"),
    ]:
        all_questions.append(direct("rvbna", label, name, name + "@pseudo-code"))
    return all_questions


# section: title, text, meaning of the first and the second one
SECTIONS = {
    "2.1.1": (
        "Where MMA-Sim 2.1.1 differs",
        "The catalogue was compared with MMA-Sim 2.1.1; the last column has the decision for each difference, and the default "
        "follows it. On all 33,830 published rows and 737,984 drawn rows, `@mma-sim` computes the same as the release, with one "
        "exception, which is a fault of the release. In FP8 on CDNA3 (`MMA_GTR_FDPA`), the release drops an infinite or NaN c, "
        "or result of a first step, next to products of 2^25 or more, because `torch.frexp` gives it the exponent 0. The "
        "default and `@mma-sim` keep it. The lists of instructions differ in two points. Version 13.0 of ptxas rejects "
        "`mma.block_scale.m16n8k64.block32...ue4m3`, so the catalogue does not contain it. The same version compiles f64 `m16n8k4`, "
        "`m16n8k8` and `m16n8k16` on sm_100a and sm_120a to a chain of DMMA.8x8x4, so the catalogue contains them.",
        "default",
        "the other",
    ),
    "2025": (
        "Where MMA-Sim's code of January 2026 differs on NVIDIA's units",
        "Release 2.1.1 no longer contains these differences. `@mma-sim-2025` still computes them.",
        "default",
        "`@mma-sim-2025`",
    ),
    "signs": (
        "Signs of zero results",
        "MMA-Sim and the defaults: fused sums of NVIDIA's units that are zero are always +0. The released code of Valpey et al. "
        "(arXiv 2502.15999) gives -0 if every term is a zero and one of them is -0, as the second design does. It also gives -0 "
        "if terms cancel exactly (in its own check, 1 - 1 + 1 - 1 is -0), which no design here does. Khattak and Mikaitis's "
        "models give +0, but -0 for a negative sum that rounds to zero. The only recorded rows with zero results are those of an "
        "H100: all are +0.",
        "+0 (MMA-Sim, default)",
        "-0 of zeros (`minus_zero=yes`)",
    ),
    "amd": (
        "Sums of AMD's first matrix cores",
        "For MI100, see the first table. For MI250X, MMA-Sim sums groups of four pairwise. FTTN's table III reports a width of 1, "
        "and its section V an answer, 0, that only products added one by one give (docs/fttn.md).",
        "MMA-Sim (default)",
        "the other",
    ),
    "tf32": (
        "TF32: rounding on A100, width on H100",
        "In FTTN's table III, A100 rounds TF32 sums to nearest, and H100 sums 4 products at a time. In the recorded rows of "
        "m16n8k8, only the first four products are not zero, on every GPU. In those of m16n8k16 (f16, bf16) on Ampere and Ada, "
        "only the first eight are not zero. So these rows decide the rounding and the fraction bits, but not the number of "
        "products in a sum. An H100 sums all eight: the default reproduces a million drawn rows, and sums of 4 fail on 45,024 "
        "of them.",
        "default",
        "FTTN",
    ),
    "cdna3": (
        "CDNA3: three models, and CDNA4",
        "The default is MMA-Sim 2.1.1's model, whose rounding reproduces the printed FP8 results of a gfx942 "
        "(tests/data/hardware). Khattak and Mikaitis's model of June 2026 rounds like MMA-Sim's code of January 2026. AMD's "
        "simulator rocjitsu computes a chain of FMAs; its authors state that they had no measurement (ROCm/rocm-systems, issue "
        "10344). For CDNA4 that simulator is the only source; @cdna3 is CDNA3's algorithm.",
        "default",
        "the other",
    ),
    "amx": (
        "AMX: where c joins",
        "Intel's manual (SDM volume 2, TDPBF16PS) and Bochs sum even and odd k from zero, each a chain of FMAs, add the two sums, "
        "and add the result to c: two more roundings, with c last. The intrinsics guide's pseudo-code adds one product after "
        "the other to c. There are no public results of the hardware. For AMX-FP8 (TDPBF8PS and similar), Bochs follows Intel's "
        "ISE pseudo-code and the emulator SDE: it sums all products exactly, rounds once, and adds c. LLVM's amxfp8intrin.h "
        "agrees. (Bochs of March to August 2026, 8d4558add, had chains of f32 additions.) Intel's patent application EP4398097A2 "
        "describes four sums, one for each lane. AMX-TF32 (TMMULTF32PS) is not in the catalogue, because Intel has withdrawn it "
        "(ISA extensions programming reference, revision 62; LLVM pull request 207673, Bochs 509c9f18e).",
        "SDM, Bochs (default)",
        "intrinsics guide",
    ),
    "rvbna": (
        "RISC-V's bulk normalization",
        "The manual's text and the simulator Spike round the products' sum to odd. The manual's pseudo-code "
        "(BulkNormalizedDotProduct) does not. For a normal result, it selects the jammed bits (`jamMask`) among bits that a shift "
        "has set to zero, so the sum is cut. For a subnormal result, it takes bits of the sum before normalisation "
        "(`accAbs >> (q - 1 + resExp)`). Of 100,000 rows of `mmaspec replay --random 100000 NAME --device @pseudo-code`, 7,487 "
        "(E4M3, 16 products), 8,340 (E5M2) and 7,735 (BF16, 4 products) differ.",
        "text, Spike (default)",
        "pseudo-code",
    ),
    "fp8": (
        "FP8 `mma.sync` on Hopper",
        "No published model contains it. The assembler replaces it by two half-precision instructions and additions, and "
        "assemblers differ (docs/notes/fp8-mma-sync-on-hopper.md). On `wgmma` the same operation is another sum.",
        "first",
        "second",
    ),
}
