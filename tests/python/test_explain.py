"""Plans that reproduce a matrix: for products by plans of the package, and for NumPy's product."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import mmaspec

HOPPER = "hopper/mma.m16n8k16.f32.f16.f16.f32"
SPLIT = f"plan:split-k({HOPPER},k=96,parts=3)"


@pytest.fixture
def operands() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    a = (rng.standard_normal((9, 96)) * 2.0 ** rng.integers(-6, 6, (9, 96))).astype(np.float16)
    b = (rng.standard_normal((96, 7)) * 2.0 ** rng.integers(-6, 6, (96, 7))).astype(np.float16)
    return a, b


def test_names_the_plan(operands: Any) -> None:
    a, b = operands
    d = mmaspec.unit(SPLIT)(a, b)
    found = mmaspec.explain(a, b, d, units="hopper")
    assert found.verdict == "explained"
    assert found.plan.plan == SPLIT
    assert found.elements == found.plan.elements == 63
    assert found.plan.tree == "((0..32+32..64)+64..96)"
    np.testing.assert_array_equal(found.plan.emulate(a, b), d)
    assert "explained" in str(found)


def test_none_fits(operands: Any) -> None:
    a, b = operands
    d = mmaspec.unit(SPLIT)(a, b)
    d[3, 2] = np.nextafter(d[3, 2], np.float32(np.inf))
    found = mmaspec.explain(a, b, d, units=["hopper"])
    assert found.verdict == "none fits"
    assert found.plans == ()
    assert "nearest: 62 of 63" in str(found)
    d[3, 2] = np.nan
    assert mmaspec.explain(a, b, d, units=["hopper"]).plan.plan == SPLIT
    with pytest.raises(ValueError, match="none fits"):
        _ = found.plan


def test_with_c(operands: Any) -> None:
    a, b = operands
    c = np.random.default_rng(5).standard_normal((9, 7)).astype(np.float32)
    plan = f"plan:chain({HOPPER},k=96)"
    found = mmaspec.explain(a, b, mmaspec.unit(plan)(a, b, c), C=c, units="h100")
    assert found.plan.plan == plan


@pytest.mark.parametrize("scheme", ["bf16x6(hopper/mma.m16n8k16.f32.bf16.bf16.f32", "ootomo(hopper/mma.m16n8k16.f32.f16.f16.f32"])
def test_sums_of_words(scheme: str) -> None:
    plan = f"plan:{scheme},k=320)"
    rng = np.random.default_rng(6)
    A, B = rng.standard_normal((9, 320), np.float32), rng.standard_normal((320, 8), np.float32)
    found = mmaspec.explain(A, B, mmaspec.unit(plan)(A, B), units=["hopper"])
    assert found.plan.plan == plan


def fp8_blocks(x: np.ndarray, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """FP8 numbers and the f32 scale factors of blocks, as DeepSeek-V3 has them."""
    blocks = np.abs(x).reshape(x.shape[0] // rows, rows, x.shape[1] // columns, columns)
    scales = (blocks.max((1, 3)) / np.float32(448)).astype(np.float32)
    return (x / np.repeat(np.repeat(scales, rows, 0), columns, 1)).astype(ml_dtypes.float8_e4m3fn), scales


WGMMA = "hopper/wgmma.m64n8k32.f32.e4m3.e4m3"
MX = "blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e4m3.e4m3.ue8m0"


@pytest.mark.parametrize(
    "plan",
    [
        f"plan:promote({WGMMA},k=256,every=64,scales=yes)",
        f"plan:promote({WGMMA},k=256,every=64,scales=yes,fma=no)",
        f"plan:split-k(promote({WGMMA},k=64,every=64,scales=yes),k=256,parts=2)",
    ],
)
def test_scale_factors_of_blocks(plan: str) -> None:
    # 1 x 64 blocks of A and 64 x 64 blocks of B.
    rng = np.random.default_rng(9)
    A, scale_a = fp8_blocks(rng.standard_normal((12, 256), np.float32), 1, 64)
    B, scale_b = fp8_blocks(rng.standard_normal((256, 128), np.float32), 64, 64)
    D = mmaspec.unit(plan)(A, B, scale_a=scale_a, scale_b=np.repeat(scale_b, 64, 1))
    found = mmaspec.explain(A, B, D, scale_a=scale_a, scale_b=scale_b, units="h100")
    assert found.plan.plan == plan
    D[5, 70] = -D[5, 70]
    found = mmaspec.explain(A, B, D, scale_a=scale_a, scale_b=scale_b, units="h100")
    assert found.verdict == "none fits"
    assert found.document["best"]["plan"] == plan
    assert found.document["best"]["matched"] == D.size - 1
    # Without the factors no plan fits, and with other ones neither.
    others = np.flip(scale_b, 1)
    assert mmaspec.explain(A, B, D, scale_a=scale_a, scale_b=others, units="h100").verdict == "none fits"


@pytest.mark.parametrize("plan", [f"plan:chain({MX},k=128)", f"plan:split-k({MX},k=128,parts=2)"])
def test_scale_factors_of_an_instruction(plan: str) -> None:
    rng = np.random.default_rng(10)
    A, B = (rng.standard_normal(shape).astype(ml_dtypes.float8_e4m3fn) for shape in ((9, 128), (128, 7)))
    scale_a, scale_b = (
        rng.integers(120, 134, shape).astype(np.uint8).view(ml_dtypes.float8_e8m0fnu) for shape in ((9, 4), (4, 7))
    )
    D = mmaspec.unit(plan)(A, B, scale_a=scale_a, scale_b=scale_b)
    found = mmaspec.explain(A, B, D, scale_a=scale_a, scale_b=scale_b, units="blackwell")
    assert found.plan.plan == plan
    named = mmaspec.explain(A, B, D, scale_a=scale_a, scale_b=scale_b, units=plan)
    assert named.plan.plan == plan


@pytest.mark.parametrize(
    ("scale_a", "scale_b", "says"),
    [
        (np.ones((4, 3)), np.ones((3, 4)), "not cut into equal blocks by 3 scale factors"),
        (np.ones((4, 2)), np.ones((4, 4)), "and 4 of a column of B"),
        (np.ones((3, 2)), np.ones((2, 4)), "have 3 rows, and A has 4: expected as many, or one for each 16"),
        (np.ones((4, 2)), np.ones((2, 3)), "have 3 columns, and B has 4"),
        (np.ones((4, 2)), None, "go together"),
        (np.ones((4, 2), np.float64), np.ones((2, 4), np.float64), "with such scale factors"),
    ],
)
def test_scale_factors_that_do_not_fit(scale_a: np.ndarray, scale_b: np.ndarray | None, says: str) -> None:
    a, b = (np.zeros(shape, ml_dtypes.float8_e4m3fn) for shape in ((4, 32), (32, 4)))
    single = [x if x is None or "such" in says else x.astype(np.float32) for x in (scale_a, scale_b)]
    with pytest.raises((TypeError, ValueError), match=says):
        mmaspec.explain(a, b, np.zeros((4, 4), np.float32), scale_a=single[0], scale_b=single[1], units="h100")


PROMOTE = f"plan:promote({WGMMA},k=256,every=128,scales=yes)"


def activations() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(11)
    A = rng.standard_normal((20, 256)) * np.exp(rng.standard_normal((20, 256)))
    return A.astype(ml_dtypes.bfloat16), rng.standard_normal((256, 130)).astype(np.float32)


@pytest.mark.parametrize("recipe", ["divide", "inverse", "quotient", "ratio", "power"])
def test_a_kernel_that_scales_blocks(recipe: str) -> None:
    A, B = activations()
    a, scale_a = mmaspec.scaled_blocks(A, (1, 128), recipe)
    b, scale_b = mmaspec.scaled_blocks(B, (128, 128), recipe)
    assert (scale_a.shape, scale_b.shape) == ((20, 2), (2, 2))
    D = mmaspec.unit(PROMOTE)(a, b, scale_a=scale_a, scale_b=np.repeat(scale_b, 128, 1)[:, :130])
    found = mmaspec.explain(A, B, D, blocks=((1, 128), (128, 128)), units="h100")
    # Products with powers of two are exact, so that an addition that is not fused computes the same.
    assert found.verdict == ("undecided" if recipe == "power" else "explained")
    plan = found.plans[0]
    assert plan.plan == PROMOTE
    assert recipe in (plan.recipe, *plan.other_recipes)
    np.testing.assert_array_equal(plan.emulate(A, B), D)
    if recipe != "divide":
        return
    # B is FP8 already, with factors.
    given = mmaspec.explain(A, b, D, blocks=((1, 128), None), scale_b=scale_b, units="h100")
    assert given.plans[0].plan == PROMOTE
    D[3, 100] = -D[3, 100]
    wrong = mmaspec.explain(A, B, D, blocks=((1, 128), (128, 128)), units="h100")
    assert wrong.verdict == "none fits"
    assert wrong.document["best"]["matched"] == D.size - 1


def test_scaled_blocks() -> None:
    x = np.array([[448, -224, 3, 0.75], [0, 0, 1e-44, 0]], np.float32)
    values, factors = mmaspec.scaled_blocks(x, (1, 2))
    # A block of zeros, or of numbers whose factor is not normal, keeps its numbers.
    np.testing.assert_array_equal(factors, np.float32([[1, 3 / np.float32(448)], [1, 1]]))
    np.testing.assert_array_equal(values.astype(np.float32), [[448, -224, 448, 112], [0, 0, 0, 0]])
    values, factors = mmaspec.scaled_blocks(x[:1], (1, 4), "power", "e5m2")
    assert (factors, values.dtype) == (2.0**-7, ml_dtypes.float8_e5m2)
    for arguments, says in (
        ((x, (1, 0)), "block"),
        ((x, (1, 2), "half"), "one of divide, inverse"),
        ((x, (1, 2), "divide", "f16"), "FP8"),
        ((x[0], (1, 2)), "two dimensions"),
        ((x.astype(np.float64), (1, 2)), "f32, f16 or bf16"),
    ):
        with pytest.raises((TypeError, ValueError), match=says):
            mmaspec.scaled_blocks(*arguments)


def test_bit_patterns(operands: Any) -> None:
    a, b = operands
    d = mmaspec.unit(SPLIT)(a, b)
    formats = {"A": "f16", "B": "f16", "D": "f32"}
    found = mmaspec.explain(
        a.view(np.uint16), b.view(np.uint16), d.view(np.uint32), units="hopper", formats=formats
    )
    assert found.plan.plan == SPLIT


def test_a_function() -> None:
    plan = mmaspec.unit(f"plan:split-k({HOPPER},k=128,parts=2)")
    calls = []

    def function(a: np.ndarray, b: np.ndarray) -> Any:
        calls.append(a.shape)
        return plan(a, b)

    found = mmaspec.explain(function, 16, 16, 128, formats=("f16", "f16", "f32"), units="hopper")
    assert found.plan.plan == plan.name
    assert len(calls) == 1


FMA = "x86/vfmadd231ps"
PAIRS = "x86/vdpbf16ps"

# : Plans with K = 64, and the trees of their sums.
ORDERS = {
    f"plan:chain({FMA},k=64)": "(0..63)",
    f"plan:split-k({FMA},k=64,parts=64)": "(0..63)",
    f"plan:split-k({FMA},k=64,parts=4)": "((0..15)+(16..31)+(32..47)+(48..63))",
    f"plan:split-k({FMA},k=64,parts=4,reduce=tree)": "((0..15)+(16..31)+((32..47)+(48..63)))",
    f"plan:split-k({FMA},k=64,parts=4,reduce=halves)": "((0..15)+(32..47)+((16..31)+(48..63)))",
    f"plan:split-k({FMA},k=64,parts=3,part=22,reduce=backward)": "((0..21)+((22..43)+(44..63)))",
    f"plan:split-k({FMA},k=64,lengths=30:17x2)": "((0..29)+(30..46)+(47..63))",
    f"plan:split-k(split-k({FMA},k=16,parts=16),k=64,parts=4)": "((0..15)+(16..31)+(32..47)+(48..63))",
    f"plan:permute(split-k({FMA},k=64,parts=4),k=64,ways=4,block=1)": "((0..60/4)+(1..61/4)+(2..62/4)+(3..63/4))",
    f"plan:permute(permute(split-k({FMA},k=64,parts=8,reduce=tree),k=64,ways=2,block=1,within=16),k=64,ways=4,block=1)":
    "((0..56/8)+(4..60/8)+((1..57/8)+(5..61/8))+((2..58/8)+(6..62/8)+((3..59/8)+(7..63/8))))",
}


@pytest.mark.parametrize("plan", ORDERS)
def test_the_order_of_a_functions_sums(plan: str) -> None:
    of = ("f32", "f32", "f32")
    found = mmaspec.explain(mmaspec.unit(plan), 16, 16, 64, formats=of, units=FMA)
    assert found.plan.plan == plan
    assert found.trees == (found.plan.tree,) == (ORDERS[plan],)
    assert 0 < found.mask_calls < found.calls < 63  # FPRev needs at least 63
    other = mmaspec.explain(mmaspec.unit(plan), 64, 1, 64, formats=of, units=FMA)
    assert other.plan.plan == plan


@pytest.mark.parametrize(
    "plan",
    [
        f"plan:chain({PAIRS},k=64)",
        f"plan:epilogue(chain({PAIRS},k=64),k=64,beta=0,out=bf16)",
        f"plan:epilogue(convert(chain({FMA},k=64),k=64,a=bf16,b=bf16,round=rne),k=64,beta=0,out=bf16)",
        f"plan:permute(split-k({PAIRS},k=64,parts=8,reduce=halves),k=64,ways=8,block=2)",
        "plan:chain(x86/tdpbf16ps,k=64)",
    ],
)
def test_the_order_of_instructions_of_several_products(plan: str) -> None:
    u = mmaspec.unit(plan)
    found = mmaspec.explain(u, 16, 16, 64, formats=(u.a, u.b, u.d), units="x86")
    assert found.plan.plan == plan
    assert found.calls < 63


def test_a_function_that_returns_bit_patterns() -> None:
    chain = f"plan:chain({FMA},k=40)"
    rounded = f"plan:split-k({FMA},k=40,parts=40)"
    function = Pieces((chain, None), (rounded, np.s_[:, 14:]))
    found = mmaspec.explain(
        lambda A, B: function(A, B).view(np.uint32), 13, 17, 40, formats=("f32",) * 3, units=FMA
    )
    assert [p.plan for p in found.plans] == [chain, rounded]
    with pytest.raises(TypeError, match="float64"):
        mmaspec.explain(
            lambda A, B: function(A, B).astype(float), 13, 17, 40, formats=("f32",) * 3, units=FMA
        )


def test_more_products_than_bf16_counts() -> None:
    plan = f"plan:epilogue(split-k({PAIRS},k=600,parts=3),k=600,beta=0,out=bf16)"
    found = mmaspec.explain(mmaspec.unit(plan), 24, 40, 600, formats=("bf16",) * 3, units="x86")
    assert found.plan.plan == plan
    assert found.calls < 599


@pytest.mark.parametrize("name", ["rne", "rna"])
def test_operands_that_are_rounded(name: str) -> None:
    unit = "ampere/mma.m16n8k4.f32.tf32.tf32.f32"
    plan = f"plan:convert(split-k({unit},k=64,parts=2),k=64,a=f32,b=f32,round={name})"
    found = mmaspec.explain(mmaspec.unit(plan), 16, 16, 64, formats=("f32",) * 3, units="a100")
    assert found.plan.plan == plan


def test_products_that_do_not_fill_the_vectors() -> None:
    plan = f"plan:permute(split-k({FMA},k=56,parts=8,reduce=halves),k=50,ways=8,block=1)"
    found = mmaspec.explain(mmaspec.unit(plan), 16, 16, 50, formats=("f32",) * 3, units=FMA)
    assert found.plan.plan == plan


#: Loops whose first sum gets the products that do not fill an iteration, as OpenBLAS has them.
UNROLLED = {
    f"plan:permute(split-k({FMA},k=53,parts=2,part=29),k=53,ways=2,block=1,unroll=8)": "((0..48/2+49..52)+(1..47/2))",
    f"plan:permute(split-k({FMA},k=54,lengths=18:12x3,reduce=tree),k=54,ways=4,block=1,unroll=8)":
    "((0..48/4+49..53)+(1..45/4)+((2..46/4)+(3..47/4)))",
    f"plan:permute(split-k({FMA},k=15,parts=2,part=11),k=15,ways=2,block=1,unroll=8)": "((0..8/2+9..14)+(1..7/2))",
    f"plan:permute(split-k({FMA},k=30,lengths=9:3x7,reduce=halves),k=30,ways=8,block=1,unroll=8)":
    "((0..24/8+25..29)+(4..20/8)+((2..18/8)+(6..22/8))+((1..17/8)+(5..21/8)+((3..19/8)+(7..23/8))))",
}


@pytest.mark.parametrize("plan", UNROLLED)
def test_products_that_do_not_fill_an_unrolled_loop(plan: str) -> None:
    of = ("f32", "f32", "f32")
    u = mmaspec.unit(plan)
    found = mmaspec.explain(u, 16, 16, u.k, formats=of, units=FMA)
    assert found.plan.plan == plan
    assert found.trees == (UNROLLED[plan],)
    # And without the function: the search's space has it, too.
    rng = np.random.default_rng(8)
    A, B = rng.standard_normal((16, u.k), np.float32), rng.standard_normal((u.k, 16), np.float32)
    found = mmaspec.explain(A, B, u(A, B), units="x86")
    assert found.plan.plan.replace(",order=interleaved", "") == plan


def test_one_node_of_many_products() -> None:
    # A tensor core adds the products of an instruction and its accumulator in one step.
    plan = "plan:split-k(ampere/mma.m16n8k8.f32.bf16.bf16.f32,k=32,parts=2)"
    found = mmaspec.explain(mmaspec.unit(plan), 16, 16, 32, formats=("bf16", "bf16", "f32"), units="ampere")
    assert found.plan.plan == plan
    assert found.plan.tree == "({{0..7}, 8..15}+{{16..23}, 24..31})"


class Pieces:
    """Computes different elements by different plans."""

    def __init__(self, *pieces: tuple[str, Any]):
        self.pieces = [(mmaspec.unit(plan), where) for plan, where in pieces]

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        D = self.pieces[0][0](A, B)
        for u, where in self.pieces[1:]:
            D[where] = u(A, B)[where]
        return D


def test_regions_of_unlike_orders() -> None:
    chain = f"plan:chain({FMA},k=40)"
    lanes = f"plan:permute(split-k({FMA},k=40,parts=4,reduce=halves),k=40,ways=4,block=1)"
    function = Pieces((chain, None), (lanes, np.s_[:, 16:]), (lanes, np.s_[12:, :]))
    found = mmaspec.explain(function, 13, 17, 40, formats=("f32",) * 3, units=FMA)
    assert found.verdict == "explained"
    assert [p.plan for p in found.plans] == [chain, lanes]
    assert [p.where for p in found.plans] == [
        "rows 0 to 11, columns 0 to 15",
        "all but rows 0 to 11, columns 0 to 15",
    ]
    with pytest.raises(ValueError, match="2 plans"):
        _ = found.plan
    rng = np.random.default_rng(3)
    A, B = rng.standard_normal((13, 40), np.float32), rng.standard_normal((40, 17), np.float32)
    np.testing.assert_array_equal(found.emulate(A, B), function(A, B))


def test_regions_of_one_order() -> None:
    # Multiply-adds and, at the end, products that are rounded before they are added.
    chain = f"plan:chain({FMA},k=40)"
    rounded = f"plan:split-k({FMA},k=40,parts=40)"
    function = Pieces((chain, None), (rounded, np.s_[:, 14:]))
    found = mmaspec.explain(function, 13, 17, 40, formats=("f32",) * 3, units=FMA)
    assert [str(p) for p in found.plans] == [
        f"{chain} (rows 0 to 12, columns 0 to 13)",
        f"{rounded} (rows 0 to 12, columns 14 to 16)",
    ]
    assert found.trees == ("(0..39)",)


def test_regions_of_formats_without_masks() -> None:
    # Each plan reproduces all elements of some products, such as exact ones, but not of the first
    # product.
    split = f"plan:split-k({HOPPER},k=64,parts=2)"
    chain = f"plan:chain({HOPPER},k=64)"
    function = Pieces((split, None), (chain, np.s_[:, 9:]))
    found = mmaspec.explain(function, 16, 16, 64, formats=("f16", "f16", "f32"), units="hopper")
    assert [str(p) for p in found.plans] == [
        f"{split} (rows 0 to 15, columns 0 to 8)",
        f"{chain} (rows 0 to 15, columns 9 to 15)",
    ]


ORDER = [0, 5, 1, 11, 7, 3, 9, 2, 8, 10, 4, 6]


@pytest.mark.parametrize(
    "tree",
    [
        "(0+5+1+11+7+3+9+2+8+10+4+6)",
        "((0)+(5)+(1)+(11)+(7)+(3)+(9)+(2)+(8)+(10)+(4)+(6))",
        "(4+0+6+(5+1+2)+(8+3)+7+(11+9+10))",
        "(0+4+6+(1+2+5)+(3+8)+(7)+(9+10+11))",
        "((0)+(4)+6+((1)+(2)+5)+((3)+(8))+7+((9)+(10)+11))",
    ],
)
def test_any_order(tree: str) -> None:
    plan = f"plan:sum-tree({FMA},k=12,tree={tree})"
    found = mmaspec.explain(mmaspec.unit(plan), 16, 16, 12, formats=("f32",) * 3, units=FMA)
    assert found.verdict == "explained"
    rng = np.random.default_rng(8)
    A, B = rng.standard_normal((9, 12), np.float32), rng.standard_normal((12, 5), np.float32)
    np.testing.assert_array_equal(found.emulate(A, B), mmaspec.unit(plan)(A, B))


def test_any_order_of_f16() -> None:
    plan = f"plan:convert(sum-tree({FMA},k=12,tree=(4+0+6+(5+1+2)+(8+3)+7+(11+9+10))),k=12,a=f16,b=f16)"
    found = mmaspec.explain(mmaspec.unit(plan), 16, 16, 12, formats=("f16", "f16", "f32"), units=FMA)
    assert found.trees == ("((0+4+6)+(1+5+2)+(3+8)+7+(9+11+10))",)
    rng = np.random.default_rng(8)
    A, B = rng.standard_normal((9, 12)).astype("f2"), rng.standard_normal((12, 5)).astype("f2")
    np.testing.assert_array_equal(found.emulate(A, B), mmaspec.unit(plan)(A, B))


def test_any_order_of_narrow_operands() -> None:
    plan = f"plan:epilogue(sum-tree({FMA},k=8,tree=((0..6/2)+(1+3)+(5+7))),k=8,beta=0,out=bf16)"
    plan = f"plan:convert({plan.removeprefix('plan:')},k=8,a=bf16,b=bf16,round=rne)"
    found = mmaspec.explain(mmaspec.unit(plan), 16, 16, 8, formats=("bf16",) * 3, units=FMA)
    assert found.verdict == "explained"
    assert "sum-tree" in found.plan.plan


def test_an_order_without_a_plan() -> None:
    # The last product is added in f64.
    def function(A: np.ndarray, B: np.ndarray) -> np.ndarray:
        D = np.zeros((A.shape[0], B.shape[1]), np.float32)
        for k in ORDER[:-1]:
            D = D + A[:, k : k + 1] * B[k]
        last = A[:, ORDER[-1], None].astype(np.float64) * B[ORDER[-1]]
        return (D + last).astype(np.float32)

    found = mmaspec.explain(function, 16, 16, 12, formats=("f32",) * 3, units=FMA)
    assert found.verdict == "none fits"
    assert found.trees == ("(0+5+1+11+7+3+9+2+8+10+4+6)",)
    assert "measured order of sums: (0+5+1+11+7+3+9+2+8+10+4+6)" in str(found)


def test_a_function_that_does_not_add() -> None:
    def function(A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return np.full((16, 16), 0.5, np.float32)

    found = mmaspec.explain(function, 16, 16, 8, formats=("f32",) * 3, units=FMA)
    assert found.verdict == "none fits"
    assert found.trees == ()


def test_few_elements_are_not_enough() -> None:
    # One element may be right by chance: further products must be right too.
    plan = mmaspec.unit(f"plan:chain({FMA},k=16)")
    found = mmaspec.explain(plan, 1, 1, 16, formats=("f32",) * 3, units=FMA)
    assert found.plan.plan == plan.name
    assert found.calls >= 64


def test_the_picture_of_a_tree() -> None:
    from mmaspec import Explained

    assert Explained("p", tree="((0..7)+(8..15)+((16..23)+(24..31)))").picture().splitlines() == [
        "sum of",
        "    0..7",
        "    8..15",
        "    sum of",
        "        16..23",
        "        24..31",
    ]
    assert Explained("p", tree="((0..32+32..64)+(64..96+96..128))").picture().splitlines() == [
        "sum of",
        "    0..32",
        "    32..64",
        "    64..96+96..128",
    ]
    assert Explained("p", tree="((0..32+32..64)+64..96)").picture() == "0..32+32..64+64..96"
    assert Explained("p", tree="(0..63)").picture() == "0..63"
    assert Explained("p").picture() == "p"


def has_multiply_adds() -> bool:
    features = np._core._multiarray_umath.__cpu_features__
    return any(features.get(name) for name in ("FMA3", "ASIMD"))


@pytest.mark.skipif(not has_multiply_adds(), reason="this CPU has no fused multiply-add")
@pytest.mark.parametrize("name", ["f32", "f64"])
@pytest.mark.parametrize("sizes", [(16, 16, 63), (16, 16, 64), (64, 64, 100), (33, 49, 127), (32, 48, 250)])
def test_numpys_product(name: str, sizes: tuple[int, int, int]) -> None:
    # The BLAS chooses the plan. But the plan must compute other matrices bit for bit.
    m, n, k = sizes
    found = mmaspec.explain(np.matmul, m, n, k, formats=(name,) * 3, units="x86")
    assert found.verdict == "explained", found
    rng = np.random.default_rng(77)
    kind = np.dtype({"f32": np.float32, "f64": np.float64}[name])
    for scale in (1, 1e-3):
        A = (rng.standard_normal((m, k)) * scale).astype(kind)
        B = (rng.standard_normal((k, n)) * np.exp(4 * rng.standard_normal((k, n)))).astype(kind)
        bits = f"u{kind.itemsize}"
        np.testing.assert_array_equal(found.emulate(A, B).view(bits), (A @ B).view(bits))


@pytest.mark.parametrize(
    ("arguments", "options", "says"),
    [
        ((1, 2), {}, "needs A, B and D"),
        ((np.eye(2), np.eye(2), np.eye(2)), {"space": "some"}, "'usual' or 'all'"),
        ((np.eye(2), np.eye(2), np.eye(2)), {"units": "hoper"}, "hopper"),
        ((np.eye(2), np.eye(3), np.eye(2)), {"units": "hopper"}, "shapes do not fit"),
        ((np.zeros(2), np.eye(2), np.eye(2)), {}, "a matrix has at least two"),
        ((np.eye(2) > 0, np.eye(2), np.eye(2)), {}, "not a format"),
        ((lambda a, b: a, 8, 8, 16), {}, "three names"),
        ((lambda a, b: a, 8, 8, 16), {"blocks": ((1, 8), (8, 1))}, "belong to arrays"),
        ((np.eye(2), np.eye(2), np.eye(2)), {"blocks": (None, None)}, "shapes of the blocks"),
        ((np.eye(2), np.eye(2), np.eye(2)), {"blocks": ((1, 2), None)}, "B needs either"),
        ((np.eye(2), np.eye(2), np.eye(2)), {"blocks": ((1, 2), (2, 1)), "C": np.eye(2)}, "neither C"),
    ],
)
def test_bad_arguments(arguments: Any, options: Any, says: str) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        mmaspec.explain(*arguments, **options)
