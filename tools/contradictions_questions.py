"""The questions of tools/contradictions.py: which models of one instruction are asked about, and what is said of them."""

def design(tool, name, **changes):
    """The instruction with other parameters, as a design."""
    shown = tool.show(name)
    values = {key: shown[key] for key in ("a", "b", "c", "d", "k", "scale", "scale_block") if key in shown}
    values.update({p["key"]: p["value"] for p in shown["parameters"]})
    values.update(changes)
    return f"design:{shown['algorithm']}(" + ",".join(f"{key}={value}" for key, value in values.items()) + ")"


def one_difference(section, label, name, options=(), **changes):
    """MMA-Sim's reading of one question alone: the witness of the two that differ in it alone must tell the published
    ones apart as well, and it is their answers that are shown."""
    return {
        "section": section,
        "label": label,
        "first": name,
        "second": name + "@mma-sim",
        "between": lambda tool: (name, design(tool, name, **changes)),
        # Where neither search nor solvers find an input of all K products: of two, the others zero.
        "short": lambda tool: (design(tool, name, k=2, block=2), design(tool, name, k=2, block=2, **changes)),
        "options": list(options),
    }


def direct(section, label, first, second, options=()):
    return {
        "section": section,
        "label": label,
        "first": first,
        "second": second,
        "between": lambda tool: (first, second(tool) if callable(second) else second),
        "options": list(options),
    }


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
F32_OF_SMALL = [
    ("Ada, e4m3", "ada/mma.m16n8k32.f32.e4m3.e4m3.f32"),
    ("Ada, e5m2", "ada/mma.m16n8k32.f32.e5m2.e5m2.f32"),
    ("Hopper wgmma, e4m3", "hopper/wgmma.m64n8k32.f32.e4m3.e4m3"),
    ("Hopper wgmma, e5m2", "hopper/wgmma.m64n8k32.f32.e5m2.e5m2"),
    ("Blackwell, e4m3", "blackwell/tcgen05.mma.m64n8k32.f32.e4m3.e4m3"),
    ("Blackwell, e5m2", "blackwell/tcgen05.mma.m64n8k32.f32.e5m2.e5m2"),
    ("Blackwell, e3m2", "blackwell/tcgen05.mma.m64n8k32.f32.e3m2.e3m2"),
]
SCALED = [
    (
        "Blackwell, scaled FP8, FP6, FP4 by 32",
        "blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e2m1.e2m1.ue8m0",
    ),
    (
        "Blackwell, FP4 by 64 (zero group)",
        "blackwell/tcgen05.mma.block_scale.m128n8k64.block32.f32.e2m1.e2m1.ue8m0",
    ),
]
F16_OF_F16 = [
    ("Volta, f16", "volta/mma.m8n8k4.f16.f16.f16.f16"),
    ("Turing, f16", "turing/mma.m16n8k8.f16.f16.f16.f16"),
    ("Ampere, Ada, f16", "ampere/mma.m16n8k16.f16.f16.f16.f16"),
    ("Hopper, Blackwell, f16", "hopper/mma.m16n8k16.f16.f16.f16.f16"),
]


def questions():
    all_questions = []
    for label, name in F32_OF_F16 + F32_OF_WIDE + F32_OF_SMALL + SCALED:
        all_questions.append(one_difference("zero products", label, name, zero_terms="operands-count"))
    for label, name in F32_OF_WIDE:
        all_questions.append(one_difference("floor, f32", label, name, floor="-126"))
    for label, name in F16_OF_F16:
        all_questions.append(one_difference("floor, f16", label, name, floor="none"))
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
    for label, name in [("MI100, f16", "cdna1/v_mfma_f32_32x32x8f16"), ("MI100, bf16", "cdna1/v_mfma_f32_32x32x4bf16")]:
        all_questions.append(direct("amd", label, name, name + "@khattak-mikaitis"))
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
        direct("cdna3", "MI300X, bf16: MMA-Sim against Khattak and Mikaitis", cdna3, cdna3 + "@khattak-mikaitis")
    )
    all_questions.append(direct("cdna3", "MI300X, bf16: MMA-Sim against rocjitsu", cdna3, cdna3 + "@rocjitsu"))
    for name in ("x86/tdpbf16ps", "x86/tdpfp16ps"):
        all_questions.append(direct("amx", name, name, name + "@intrinsics-guide"))
    for label, name in [
        ("E4M3, 16 products: a normal result", "riscv/vfqbdot.f32.e4m3.e4m3.n16"),
        ("E5M2, 16 products: the same", "riscv/vfqbdot.f32.e5m2.e5m2.n16"),
        ("BF16, 4 products", "riscv/vfwbdot.f32.bf16.bf16.n4"),
    ]:
        all_questions.append(direct("rvbna", label, name, name + "@pseudo-code"))
    return all_questions


# section: title, text, what the first and the second one are
SECTIONS = {
    "zero products": (
        "Does a zero product raise the largest exponent?",
        "MMA-Sim's code gives a zero operand the exponent -126 before a product's exponents are added, so zero times a large "
        "number can push c below the cut. Khattak and Mikaitis leave zero products out. With f16, bf16, tf32 or FP8 operands "
        "and f32 results each NVIDIA generation is a case; the default is to leave them out. Random bits hardly ever hold "
        "the zero: MMA-Sim's check of a million random rows an instruction cannot have seen it. An H100 was asked, and leaves "
        "zeros out: of a million drawn rows of f16, e4m3 and e5m2, too, MMA-Sim gets 187, 118 and 263 wrong "
        "([replay.md](replay.md#what-an-h100-answered)).",
        "left out (default)",
        "MMA-Sim",
    ),
    "floor, f32": (
        "The exponent floor, f32 results",
        "A zero c has exponent -126 in MMA-Sim, which bounds the largest exponent from below whenever c = 0. Khattak and "
        "Mikaitis leave it out and bound the largest exponent by -132 (Ampere, Ada) or -133 (Hopper, Blackwell). Products of "
        "f16 and FP8 are never that small; bf16's and tf32's are. Volta, which has neither format, has no case.",
        "floor -132, -133 (default)",
        "MMA-Sim",
    ),
    "floor, f16": (
        "The exponent floor, f16 results",
        "Khattak and Mikaitis bound the largest exponent by -19 (Volta), -20 (Ampere, Ada), -21 (Hopper, Blackwell); MMA-Sim "
        "does not, its -126 being far below all products of f16. Turing's -20 is ours, by the pattern. The input is next to "
        "a tie of the least subnormal, 2^-25, with a product far below it.",
        "floor (default)",
        "MMA-Sim",
    ),
    "signs": (
        "Signs of zero results",
        "MMA-Sim: fused sums of NVIDIA give +0, always; so do the defaults. The released code of Valpey et al. (arXiv "
        "2502.15999) gives -0 where every term is a zero and one of them is -0, as the second design does, and where terms "
        "cancel exactly, too (its own check has 1 - 1 + 1 - 1 be -0), which no design here does. Khattak and Mikaitis: +0, "
        "but -0 for a negative sum that rounds to zero. Of recorded rows only those of an H100 that "
        "was asked have zero results, or zero products alone: they are all +0.",
        "+0 (MMA-Sim, default)",
        "-0 of zeros (`minus_zero=yes`)",
    ),
    "amd": (
        "Sums of AMD's first matrix cores",
        "MI100: MMA-Sim's released code sums products pairwise, each sum rounded; Khattak and Mikaitis sum four (f16) or two "
        "(bf16) products and c exactly and round once. MI250X: MMA-Sim sums groups of four pairwise; FTTN's table III finds a "
        "width of 1, and its section V an answer, 0, that only products added one by one give (docs/fttn.md).",
        "MMA-Sim (default)",
        "the other",
    ),
    "tf32": (
        "TF32: rounding on A100, width on H100",
        "FTTN's table III has A100 round TF32's sums to nearest, and H100 sum 4 products at a time. In the recorded rows of "
        "m16n8k8 only the first four products are not zero on every GPU, as are only the first eight of m16n8k16 (f16, bf16) "
        "on Ampere and Ada: they decide rounding and fraction bits, and not how many products are summed at a time. An H100 "
        "sums all eight: of a million drawn rows that it agrees on with the default, sums of 4 get 45,024 wrong.",
        "default",
        "FTTN",
    ),
    "cdna3": (
        "CDNA3: three models",
        "MMA-Sim's MI300X gives a zero operand the exponent -126 before a product's exponents are added; Khattak and "
        "Mikaitis's of June 2026 leaves zero products out. AMD's own simulator rocjitsu runs a chain of FMAs, as its authors "
        "say for want of a measurement (ROCm/rocm-systems, issue 10344). No result of the hardware is public.",
        "MMA-Sim (default)",
        "the other",
    ),
    "amx": (
        "AMX: where c joins",
        "Intel's manual (SDM volume 2, TDPBF16PS) and Bochs sum even and odd k from zero, each a chain of FMAs, add the two, "
        "and that to c: two roundings more, and c last. The intrinsics guide's pseudo-code adds one product after the other "
        "to c. No result of the hardware is public, and the CPU here has no AMX. Of AMX-FP8 (TDPBF8PS and its like) Bochs, "
        "after Intel's ISE pseudo-code and the emulator SDE, and LLVM's amxfp8intrin.h sum all products exactly, round that once "
        "and add c (Bochs of March to August 2026, 8d4558add, had chains of f32 additions); Intel's patent application EP4398097A2 "
        "has four sums, one a lane. AMX-TF32 (TMMULTF32PS) is not in the catalogue: Intel has withdrawn it (ISA extensions "
        "programming reference, revision 62; LLVM pull request 207673, Bochs 509c9f18e).",
        "SDM, Bochs (default)",
        "intrinsics guide",
    ),
    "rvbna": (
        "RISC-V's bulk normalization",
        "The manual's text and the simulator Spike round the products' sum to odd. The manual's pseudo-code "
        "(BulkNormalizedDotProduct) does not: of a normal result it selects the jammed bits (`jamMask`) among those that a "
        "shift has made zero, so that it is cut; a subnormal one it takes from the sum as it stands, not normalised "
        "(`accAbs >> (q - 1 + resExp)`). Of 100,000 rows of `mmaspec replay --random 100000 NAME --device @pseudo-code` "
        "7,487 (E4M3, 16 products), 8,340 (E5M2) and 7,735 (BF16, 4 products) differ.",
        "text, Spike (default)",
        "pseudo-code",
    ),
    "fp8": (
        "FP8 `mma.sync` on Hopper",
        "No published model has it. The assembler writes two half-precision instructions and additions in its place, and "
        "assemblers differ (docs/notes/fp8-mma-sync-on-hopper.md), each right for its own; the same source means another "
        "sum on `wgmma`.",
        "first",
        "second",
    ),
}
