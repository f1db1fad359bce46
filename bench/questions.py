"""The bench's questions: command lines of `mmaspec diff` and `mmaspec prove`, the answer that each is known to have,
and why. SAT: there are inputs (a witness, a refutation). UNSAT: there are none (a proof)."""
import shlex
from typing import NamedTuple, Optional, Tuple

SAT, UNSAT = 'sat', 'unsat'


class Question(NamedTuple):
    text: str
    arguments: Tuple[str, ...]  # the command line behind `mmaspec`
    expected: Optional[str]     # None: not known in advance
    why: str                    # the reason for `expected`, in a few words
    valpey: bool = False        # asked by Valpey et al. (arXiv 2502.15999)


def ask(text, line, expected, why, valpey=False):
    return Question(text, tuple(shlex.split(line)), expected, why, valpey)


HOPPER = 'hopper/mma.m16n8k16.f32.f16.f16.f32'
AMPERE = 'ampere/mma.m16n8k16.f32.f16.f16.f32'
VOLTA = 'volta/mma.m8n8k4.f32.f16.f16.f32'
TURING = 'design:fused-dot-add(k=4,fraction_bits=24,floor=-132)'
HOPPER_FP8 = 'hopper/wgmma.m64n8k32.f32.e4m3.e4m3'
HOPPER_SPLIT = 'hopper/mma.m16n8k32.f32.e4m3.e4m3.f32'
CDNA3 = 'cdna3/v_mfma_f32_32x32x8_f16'
CDNA3_FP8 = 'cdna3/v_mfma_f32_16x16x32_fp8_fp8'
MXFP8 = 'rtx-blackwell/mma.block_scale.m16n8k32.block32.f32.e4m3.e4m3.f32.ue8m0'
MXFP4 = 'rtx-blackwell/mma.block_scale.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0'
NVFP4 = 'rtx-blackwell/mma.block_scale.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3'


def design(algorithm, parameters):
    return f"'design:{algorithm}({parameters})'"


def fused(parameters):
    return design('fused-dot-add', parameters)


def fma(parameters):
    return design('sequential-fma', parameters)


def exact(parameters):
    return design('exact-dot-add', parameters)


def pairwise(parameters):
    return design('group-pairwise-sum', parameters)


def round_down(parameters):
    return design('round-down-dot-add', parameters)


def nvfp4(fraction_bits):
    return design('group-dot-fused-sum',
                  f'a=e2m1,k=64,scale=ue4m3,scale_block=16,group=16,fraction_bits={fraction_bits}')


CROSS_DEVICE = [
    ask('Volta, Turing, K=4', f'diff {VOLTA} {TURING}', SAT, 'F is 23 and 24', True),
    ask('Volta, Turing, results 2^20 ulp apart', f'diff {VOLTA} {TURING} --ulp 1048576', SAT,
        'cancellation leaves only the bit that one of them cut', True),
    ask('Hopper, Ampere 2 x 8', f'diff {HOPPER} {AMPERE}', SAT, 'F and block differ'),
    ask('the same, more than 1000 ulp', f'diff {HOPPER} {AMPERE} --ulp 1000', SAT, 'cancellation'),
    ask('Hopper, Ampere, chained to K=64', f'diff {HOPPER} {AMPERE} --chain 64', SAT, 'the last 16 alone can'),
    ask('Hopper, Blackwell', f'diff {HOPPER} blackwell/mma.m16n8k16.f32.f16.f16.f32', UNSAT, 'one parameter set'),
    ask('TF32: Hopper, Ampere 2 x 4', 'diff hopper/mma.m16n8k8.f32.tf32.tf32.f32 ampere/mma.m16n8k8.f32.tf32.tf32.f32',
        SAT, 'F and block differ'),
    ask('Hopper bf16, MMA-Sim', 'diff hopper/mma.m16n8k16.f32.bf16.bf16.f32 '
        'hopper/mma.m16n8k16.f32.bf16.bf16.f32@mma-sim-2025', SAT, 'zero products of huge operands; the floor'),
    ask('CDNA3, Hopper, more than 0.2', f'diff {CDNA3} hopper/mma.m16n8k8.f32.f16.f16.f32 --abs 0.2', SAT,
        'CDNA3 rounds a small c down'),
    ask('CDNA2, CDNA1', 'diff cdna2/v_mfma_f32_4x4x4f16 cdna1/v_mfma_f32_4x4x4f16', SAT, 'CDNA2 flushes'),
    ask('MI100, pairwise or exact', 'diff cdna1/v_mfma_f32_4x4x4f16@mma-sim-2025 cdna1/v_mfma_f32_4x4x4f16@khattak-mikaitis', SAT,
        'one rounding or four'),
    ask('Ada, Hopper FP8', f'diff ada/mma.m16n8k32.f32.e4m3.e4m3.f32 {HOPPER_FP8}', SAT,
        'two blocks of 16 or one of 32'),
    ask('Hopper FP8 by toolkit', f'diff {HOPPER_SPLIT} {HOPPER_SPLIT}@cuda-12.6', SAT, 'halves chained or added'),
    ask('Hopper FP8, CDNA3 FP8 by value', f'diff {HOPPER_FP8} {CDNA3_FP8}', SAT, '13 bits or 24'),
    ask('MXFP4, MMA-Sim', f'diff {MXFP4} {MXFP4}@mma-sim-2025', SAT, 'zero groups of a large scale'),
    ask('MXFP8, exact sum', f"diff {MXFP8} {exact('a=e4m3,k=32,scale=ue8m0,scale_block=32,round=rz')}", SAT,
        'c far above or below what is cut'),
]

DESIGNS = [
    ask('F=23, F=24', f"diff {fused('k=4,fraction_bits=23')} {fused('k=4,fraction_bits=24')}", SAT,
        'one more bit', True),
    ask('F=24, F=25, more than 2^24 ulp',
        f"diff {fused('k=2,fraction_bits=24')} {fused('k=2,fraction_bits=25')} --ulp 16777216", SAT,
        '1 - 1 + 2^-25'),
    ask('F=24, F=25, one product, normal inputs: more than an ulp',
        f"diff {fused('k=1,fraction_bits=24')} {fused('k=1,fraction_bits=25')} --inputs normal --ulp 1", UNSAT,
        'what is cut cancels at most one bit'),
    ask('floor -133 or none, K=1', f"diff {fused('k=1,fraction_bits=25,floor=-133')} {fused('k=1,fraction_bits=25')}",
        UNSAT, 'no term has a lower exponent'),
    ask('floor -133 or none, K=4', f"diff {fused('k=4,fraction_bits=25,floor=-133')} {fused('k=4,fraction_bits=25')}",
        UNSAT, 'no term has a lower exponent'),
    ask('floor -133 or none, Hopper', f"diff {HOPPER} {fused('k=16,fraction_bits=25')}", UNSAT,
        'no term has a lower exponent'),
    ask('floor -21 or none, f16 results',
        f"diff {fused('c=f16,k=4,fraction_bits=25,floor=-21,round=rne')} "
        f"{fused('c=f16,k=4,fraction_bits=25,round=rne')}",
        SAT, '2^-25 + 2^-48 is a tie where 2^-48 is cut'),
    ask('rounding of f16 results: nearest or toward zero',
        f"diff {fused('c=f16,k=4,fraction_bits=23,round=rne')} {fused('c=f16,k=4,fraction_bits=23,round=rz')}", SAT,
        'any inexact result', True),
    ask('products normalised or not', f"diff {fused('k=8,fraction_bits=24')} "
        f"{fused('k=8,fraction_bits=24,normalize_products=yes')}", SAT, 'a product of 2 or more', True),
    ask('c early or late', f"diff {fused('k=4,fraction_bits=24')} {fused('k=4,fraction_bits=24,c_joins=late')}", SAT,
        'products cut next to a large c', True),
    ask('blocks of 4 or 8', f"diff {fused('k=16,block=4,fraction_bits=24')} {fused('k=16,block=8,fraction_bits=24')}",
        SAT, 'FTTN distinguishes them'),
    ask('FMA chain, fused, f16 results', f"diff {fma('c=f16,k=8')} {fused('c=f16,k=8,fraction_bits=24,round=rne')}",
        SAT, 'one rounding or eight'),
    ask('FMA, exact sum, f16', f"diff {fma('c=f16,k=1')} {exact('c=f16,k=1')}", UNSAT, 'definition of FMA'),
    ask('FMA, exact sum, e5m2', f"diff {fma('a=e5m2,c=e5m2,k=1')} {exact('a=e5m2,c=e5m2,k=1')}", UNSAT,
        'all inputs evaluated'),
    ask('FMA chain, exact sum, e5m2', f"diff {fma('a=e5m2,c=f16,k=2')} {exact('a=e5m2,c=f16,k=2')}", SAT,
        'one rounding or two'),
    ask('product and sum, FMA, f16 to f32', f"diff {pairwise('k=1,group=1')} {fma('k=1')}", UNSAT,
        'f32 holds a product of two f16'),
    ask('pairs, one by one', f"diff {pairwise('k=4,group=2')} {pairwise('k=4,group=1')}", SAT, 'order of additions'),
    ask('exact sum, F=60, e2m1 operands', f"diff {fused('a=e2m1,c=f16,k=2,fraction_bits=60,round=rne')} "
        f"{exact('a=e2m1,c=f16,k=2')}", UNSAT, 'no term has a bit 60 below another'),
    ask('exact sum, F=60, e3m2 operands', f"diff {fused('a=e3m2,c=f16,k=4,fraction_bits=60,round=rne')} "
        f"{exact('a=e3m2,c=f16,k=4')}", UNSAT, 'no term has a bit 60 below another'),
    ask('c of CDNA3 FP8: dropped or cut', f"diff {round_down('a=e4m3fnuz,k=16,groups=2,c_reach=25')} "
        f"{round_down('a=e4m3fnuz,k=16,groups=2')}", SAT, 'a small negative c rounds down'),
    ask('NVFP4, F=35 or 36, c = 0', f"prove equivalent {nvfp4(35)} {nvfp4(36)} --where 'c == 0'", SAT,
        '2^-20 next to 2^16 - 2^16'),
    ask('NVFP4, F=36 or 40, c = 0', f"prove equivalent {nvfp4(36)} {nvfp4(40)} --where 'c == 0'", UNSAT,
        'terms lie between 2^-20 and 2^16'),
]

PROPERTIES = [
    ask('2 carry bits for 5 terms', f'prove carry-bits {VOLTA} --bound 2', SAT, '4 * 3.996 + 2 > 16', True),
    ask('3 carry bits for 5 terms', f'prove carry-bits {VOLTA} --bound 3', UNSAT, '5 * 4 < 32', True),
    ask('4 carry bits for 17 terms', f'prove carry-bits {HOPPER} --bound 4', SAT, '16 * 3.996 + 2 > 64', True),
    ask('5 carry bits for 17 terms', f'prove carry-bits {HOPPER} --bound 5', UNSAT, '17 * 4 < 128', True),
    ask('Volta: normalised once', f'prove single-normalization {VOLTA}', UNSAT, 'one block', True),
    ask('Ampere: normalised once', f'prove single-normalization {AMPERE}', SAT, 'two blocks', True),
    ask('Volta: order of products', f'prove permutation-invariant {VOLTA}', UNSAT, 'one sum of integers', True),
    ask('Ampere: order within 8', f'prove permutation-invariant {AMPERE} --within 8', UNSAT, 'one sum of integers',
        True),
    ask('MI100: order of products', 'prove permutation-invariant cdna1/v_mfma_f32_4x4x4f16@mma-sim-2025', SAT, 'roundings in pairs'),
    ask('Volta: subnormal results', f'prove subnormal-results {VOLTA}', UNSAT, 'gradual underflow', True),
    ask('Volta: subnormal operands', f'prove subnormal-inputs {VOLTA}', UNSAT, 'nothing is flushed', True),
    ask('CDNA2: subnormal results', 'prove subnormal-results cdna2/v_mfma_f32_4x4x4f16', SAT, 'flushed'),
    ask('Volta: monotone in c', f'prove monotone-c {VOLTA}', SAT, 'Fasi et al. III-D5'),
    ask('FMA, f16: monotone in c', f"prove monotone-c {fma('c=f16,k=1')}", UNSAT, 'one rounding of a sum'),
    ask('CDNA3: negation', f'prove negation-symmetric {CDNA3}', SAT, 'rounds down'),
    ask('Hopper: negation', f'prove negation-symmetric {HOPPER}', UNSAT, 'cut toward zero'),
    ask('Hopper: a and b swapped', f'prove commutative {HOPPER}', UNSAT, 'products commute'),
    ask('Hopper: products zero give c', f'prove accumulator-preserved {HOPPER}', UNSAT, 'c has 23 bits of 25'),
    ask('Hopper FP8: products zero give c', f'prove accumulator-preserved {HOPPER_FP8}', SAT, '13 bits are kept'),
    ask('Hopper FP8 by mma.sync: products zero give c', f'prove accumulator-preserved {HOPPER_SPLIT}', UNSAT,
        'c is added in f32'),
    ask('MXFP8: products zero give c', f'prove accumulator-preserved {MXFP8}', UNSAT, 'c has 23 bits of 25'),
    ask('NVFP4: products zero give c', f'prove accumulator-preserved {NVFP4}', UNSAT, 'c has 23 bits of 35'),
    ask('Hopper: NaN only if IEEE 754 has one', f'prove no-spurious-nan {HOPPER}', UNSAT, 'infinities of both signs'),
    ask('CDNA3 bf16: infinite before it must', 'prove no-early-overflow cdna3/v_mfma_f32_32x32x8_bf16', SAT,
        'products from 2^128 on count as infinite'),
    ask('Hopper: exact where f32 holds the result', f'prove exact-when-representable {HOPPER}', SAT,
        '2^30 - 2^30 + 2^-24'),
    ask('one more bit is never further off', f"prove refines {fused('k=4,fraction_bits=25')} "
        f"{fused('k=4,fraction_bits=24')}", SAT, 'two errors may cancel', True),
    ask('one product: error within 3 ulp', f"prove error-bound {fused('k=1,fraction_bits=24')} --bound 3 "
        "--where 'normal(a[0])' 'normal(b[0])'", UNSAT, 'at most half an ulp cut and two truncated'),
    ask('Hopper = exact sum, exponents 0, c = 0', f"prove equivalent {HOPPER} {exact('k=16,round=rz')} "
        "--where 'exponent(a[*]) == 0' 'exponent(b[*]) == 0' 'c == 0'", UNSAT, 'nothing is cut'),
    ask('Hopper, Ampere, no negative number', f"prove equivalent {HOPPER} {AMPERE} "
        "--where 'a[*] > 0' 'b[*] > 0' 'c >= 0'", SAT, 'products cut at 24 or 25 bits'),
    ask('F=24, F=25, where the first is 0x1.abcdep+3', f"prove equivalent {fused('k=4,fraction_bits=24')} "
        f"{fused('k=4,fraction_bits=25')} --where 'd == 0x1.abcdep+3'", SAT, 'a bit cut next to it'),
    ask('CDNA3 of no negative numbers: down is toward zero', f"prove equivalent {round_down('k=4')} "
        f"{round_down('k=4,sum_round=rz,c_round=rz')} --where 'a[*] >= 0' 'b[*] >= 0' 'c >= 0'", UNSAT,
        'both cut non-negative numbers'),
    ask('split FP8: one half zero, chained or added',
        f"prove equivalent {design('split-fp8', 'a=e4m3,k=4,fraction_bits=25')} "
        f"{design('split-fp8', 'a=e4m3,k=4,fraction_bits=25,halves=added')} --where 'a[2] == 0' 'a[3] == 0'", UNSAT,
        'the first half goes through as it is'),
]

CDNA3_16 = 'cdna3/v_mfma_f32_16x16x16_f16'
UNIT = "--where 'c == 0 && a[*] >= 0 && a[*] <= 1 && b[*] >= 0 && b[*] <= 1'"

# Typical conditions of users, on their own data. SAT: uniform random rows that satisfy the
# condition reach it, by a model of the two units in plain Python (ordinary_rows.py; CDNA3, by the
# exact evaluator), or as stated.
ORDINARY = [
    ask('Ampere, CDNA3, all in [0, 1]: more than 1e-6', f'diff {AMPERE} {CDNA3_16} {UNIT} --abs 1e-6', SAT,
        '20,000 uniform rows reach 1.43e-6'),
    ask('Ampere, CDNA3, exponents at most 0: more than 3.8e-6', f"diff {AMPERE} {CDNA3_16} --abs 3.8e-6 "
        "--where 'c == 0 && exponent(a[*]) <= 0 && exponent(b[*]) <= 0'", SAT, 'random rows reach 3.81e-6'),
    ask('Ampere, CDNA3, equal exponents in each product', f"diff {AMPERE} {CDNA3_16} "
        "--where 'exponent(a[*]) == exponent(b[*])'", SAT, 'random rows'),
    ask('Hopper, Ampere, a norm: a = b, c = 0', f"diff {HOPPER} {AMPERE} --where 'a[*] == b[*]' 'c == 0'", SAT,
        'random rows'),
    ask('Hopper, Ampere, all in [-1, 1]: more than 4e-7', f"diff {HOPPER} {AMPERE} --abs 4e-7 "
        "--where 'abs(a[*]) <= 1' 'abs(b[*]) <= 1' 'abs(c) <= 1'", SAT, 'random rows'),
    ask('Hopper, exact sum, all in [0, 1)', f"diff {HOPPER} {exact('k=16,round=rz')} "
        "--where 'a[*] >= 0 && a[*] < 1' 'b[*] >= 0 && b[*] < 1' 'c >= 0 && c < 1'", SAT, 'random rows'),
    ask('Hopper, Ampere, probabilities times weights', f"diff {HOPPER} {AMPERE} "
        "--where 'a[*] >= 0 && a[*] <= 0.125' 'abs(b[*]) <= 4' 'c == 0'", SAT, 'random rows'),
    ask('Volta, Turing, all in [0.1, 1), c = 1000', f"diff {VOLTA} {TURING} "
        "--where 'a[*] >= 0.1 && a[*] < 1' 'b[*] >= 0.1 && b[*] < 1' 'c == 1000'", SAT, 'random rows'),
    ask('Volta, Turing, products in order of size', f"diff {VOLTA} {TURING} "
        "--where 'a[0] >= a[1] && a[1] >= a[2] && a[2] >= a[3] && a[3] > 0' 'b[*] == 1' 'c == 0'", SAT,
        '2^10 and odd multiples of 2^-14'),
    ask('TF32: Hopper, Ampere, all in [-1, 1]', 'diff hopper/mma.m16n8k8.f32.tf32.tf32.f32 '
        "ampere/mma.m16n8k8.f32.tf32.tf32.f32 --where 'abs(a[*]) <= 1' 'abs(b[*]) <= 1' 'c == 0'", SAT, 'random rows'),
    ask('Hopper, Ampere, all of one sign or all of the other', f"diff {HOPPER} {AMPERE} "
        "--where '(a[*] > 0 && b[*] > 0 && c > 0) || (a[*] < 0 && b[*] < 0 && c > 0)'", SAT, 'random rows'),
    ask('Hopper FP8, exact sum, all in [0, 1]', f"diff {HOPPER_FP8} {exact('a=e4m3,k=32,round=rz')} "
        "--where 'a[*] >= 0 && a[*] <= 1' 'b[*] >= 0 && b[*] <= 1' 'c == 0'", SAT, 'random rows: 13 bits are kept'),
    ask('MXFP8, exact sum, scales 1, all in [-8, 8]',
        f"diff {MXFP8} {design('exact-dot-add', 'a=e4m3,k=32,round=rz,scale=ue8m0,scale_block=32')} "
        "--where 'abs(a[*]) <= 8' 'abs(b[*]) <= 8' 'sa[*] == 1' 'sb[*] == 1' 'c == 0x1p+20'", SAT,
        'c cuts products below 2^-5'),
    ask('Hopper: monotone in c, all in (0, 1)', f"prove monotone-c {HOPPER} "
        "--where 'a[*] > 0 && a[*] < 1' 'b[*] > 0 && b[*] < 1' 'c > 0'", SAT, 'c steps onto a power of two'),
    ask('F=24, F=25, exponents 0, c = 0', f"diff {fused('k=4,fraction_bits=24')} {fused('k=4,fraction_bits=25')} "
        "--where 'exponent(a[*]) == 0' 'exponent(b[*]) == 0' 'c == 0'", UNSAT, 'nothing is cut'),
    ask('Volta, Turing, all ones', f"diff {VOLTA} {TURING} --where 'abs(a[*]) == 1' 'abs(b[*]) == 1' 'c == 0'", UNSAT,
        'sums of five small integers'),
    ask('Ampere, CDNA3, all in [0, 1]: more than 1e-3', f'diff {AMPERE} {CDNA3_16} {UNIT} --abs 1e-3', UNSAT,
        'their errors add up to less'),
    ask('Hopper, Ampere, all in [-1, 1]: more than 1e-3', f"diff {HOPPER} {AMPERE} --abs 1e-3 "
        "--where 'abs(a[*]) <= 1' 'abs(b[*]) <= 1' 'abs(c) <= 1'", UNSAT, 'their errors add up to less'),
    ask('Hopper, Ampere, no negative number: more than 2000 ulp', f"diff {HOPPER} {AMPERE} --ulp 2000 "
        "--where 'normal(a[*]) && a[*] > 0 && a[*] < 16' 'normal(b[*]) && b[*] > 0 && b[*] < 16' 'c >= 0 && c < 1000'",
        UNSAT, 'the sum is no less than its largest term'),
    ask('Hopper, Blackwell, all in [0, 1]', f'diff {HOPPER} blackwell/mma.m16n8k16.f32.f16.f16.f32 {UNIT}', UNSAT,
        'one parameter set'),
]

QUESTIONS = CROSS_DEVICE + DESIGNS + PROPERTIES + ORDINARY
FAMILIES = ('exact-dot-add', 'fused-dot-add', 'group-dot-fused-sum', 'group-pairwise-sum', 'round-down-dot-add',
            'sequential-fma', 'split-fp8')
