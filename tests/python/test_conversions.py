"""Conversions of arrays, compared with NumPy's and ml_dtypes' and with the command line."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

import mmaspec


def test_f16_is_numpys() -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2**32, 60_000, dtype=np.uint32).view(np.float32)
    with np.errstate(over="ignore"):
        wanted = x.astype(np.float16)
    d = mmaspec.conversion("volta/cvt.rn.f16.f32")(x)
    assert d.dtype == np.float16
    assert np.array_equal(d, wanted, equal_nan=True)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("ampere/cvt.rn.bf16.f32", "bfloat16"),
        ("design:conversion(c=f32,d=e5m2)", "float8_e5m2"),
        ("design:conversion(c=f32,d=e4m3)", "float8_e4m3fn"),
        ("design:conversion(c=f32,d=e4m3fnuz)", "float8_e4m3fnuz"),
        ("design:conversion(c=f32,d=e2m3,overflow=saturate,infinity_is_largest=yes)", "float6_e2m3fn"),
        ("design:conversion(c=f32,d=e2m1,overflow=saturate,infinity_is_largest=yes)", "float4_e2m1fn"),
    ],
)
def test_narrow_formats_are_those_of_ml_dtypes(name: str, dtype: str) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    if not hasattr(ml_dtypes, dtype):
        pytest.skip(f"this ml_dtypes has no {dtype}")
    rng = np.random.default_rng(4)
    x = (rng.standard_normal(30_000) * np.exp2(rng.integers(-20, 20, 30_000))).astype(np.float32)
    with np.errstate(over="ignore"):
        wanted = x.astype(getattr(ml_dtypes, dtype)).astype(np.float32)
    convert = mmaspec.conversion(name)
    d = mmaspec.formats.values_of(convert.d, convert(x, bits=True)).astype(np.float32)
    assert np.array_equal(d, wanted, equal_nan=True)


def test_shapes_patterns_and_copies() -> None:
    f = mmaspec.conversion("hopper/cvt.rna.tf32.f32")
    x = np.full((2, 3, 1), 0x3F801000, dtype=np.uint32)
    assert f(x, bits=True).shape == x.shape
    assert int(f(x, bits=True)[1, 2, 0]) == 0x3F802000
    assert f(x[:0]).shape == (0, 3, 1)
    assert f(np.float32(1)) == 1
    assert f(x.transpose(2, 1, 0), bits=True).shape == (1, 3, 2)
    assert (f.c, f.d) == ("f32", "tf32")
    assert ("round", "rna") in {(p.key, p.value) for p in f.parameters}
    assert pickle.loads(pickle.dumps(f)) == f == copy.copy(f)
    assert f != mmaspec.conversion("hopper/cvt.rn.tf32.f32")


def test_names_and_refusals() -> None:
    names = mmaspec.conversions("h100")
    assert "hopper/cvt.rna.tf32.f32" in names and all(n.startswith("hopper/") for n in names)
    assert "cdna4/v_cvt_scalef32_pk_fp4_f32(scale=E)" in mmaspec.conversions()
    with pytest.raises(ValueError, match="not a conversion"):
        mmaspec.conversion("hopper/mma.m16n8k16.f32.f16.f16.f32")
    with pytest.raises(ValueError):
        mmaspec.conversion("hopper/cvt.nosuch")
    with pytest.raises(TypeError):
        mmaspec.conversion(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="x must be an array of float32"):
        mmaspec.conversion("volta/cvt.rn.f16.f32")(np.zeros(3))


def test_a_name_with_a_scale_divides() -> None:
    f = mmaspec.conversion("cdna4/v_cvt_scalef32_pk_fp8_f32(scale=3)")
    assert mmaspec.formats.values_of("e4m3", f(np.float32([16, 8, -24]), bits=True)).tolist() == [2, 1, -3]


AWAY = "hopper/cvt.rna.tf32.f32"
EVEN = "hopper/cvt.rn.tf32.f32"


def _timeless(document: dict) -> dict:  # type: ignore[type-arg]
    """The document without what varies between runs: times, and the solver that answers first."""
    return {k: v for k, v in document.items() if k not in ("seconds", "attempts", "how")}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (AWAY, EVEN),
        (AWAY, "ampere/cvt.rna.tf32.f32"),
        ("blackwell/cvt.rn.satfinite.e2m1x2.f32", "cdna4/v_cvt_scalef32_pk_fp4_f32(scale=0)"),
        ("cdna3/v_cvt_pk_fp8_f32", "cdna4/v_cvt_pk_fp8_f32"),
    ],
)
def test_diff_is_the_command_lines(first: str, second: str, run) -> None:  # type: ignore[no-untyped-def]
    found = mmaspec.diff(first, mmaspec.conversion(second))
    told = json.loads(run("diff", first, second, "--json", status=(0, 1)))
    assert _timeless(found.document) == _timeless(told)


def test_a_witness_has_one_operand() -> None:
    found = mmaspec.diff(AWAY, EVEN)
    assert isinstance(found, mmaspec.Differ)
    w = found.witness
    assert w.a.size == 0 and w.b.size == 0
    assert mmaspec.conversion(AWAY)(w.c) == w.d != w.d_other == mmaspec.conversion(EVEN)(w.c)
    assert w.ulp == 1 and "1 ulp apart" in str(found)
    assert mmaspec.verify([w])["passed"] == 1
    assert "ulp apart" in found._repr_html_()
    with pytest.raises(ValueError, match="no stages"):
        w.trace()


@pytest.mark.parametrize("prop", ["monotone-c", "faithful", "correctly-rounded", "commutative"])
@pytest.mark.parametrize("name", [AWAY, EVEN, "volta/cvt.rp.ftz.f16.f32"])
def test_prove_is_the_command_lines(prop: str, name: str, run) -> None:  # type: ignore[no-untyped-def]
    answer = mmaspec.prove(prop, name)
    told = json.loads(run("prove", prop, name, "--json", status=(0, 1, 4)))
    assert _timeless(answer.document) == _timeless(told)
    if isinstance(answer, mmaspec.Refuted):
        found = answer.runs[0]
        assert mmaspec.conversion(name)(found.c) == found.d


def test_other_queries_of_conversions() -> None:
    largest = mmaspec.maximize(AWAY, EVEN)
    assert largest.largest == 1 and largest.bound == 1
    cells = mmaspec.table([EVEN, mmaspec.conversion(AWAY)], properties=["faithful"])
    assert [c["verdict"] for c in cells.document] == ["proved", "proved"]
    assert "set-logic" in mmaspec.export(EVEN)
    assert mmaspec.conversion(AWAY).provenance[0].evidence == "hardware"
    with pytest.raises(ValueError, match="random"):
        mmaspec.diff("cdna3/v_cvt_sr_fp8_f32", "cdna4/v_cvt_sr_fp8_f32")
    with pytest.raises(ValueError, match="cannot be compared"):
        mmaspec.diff(AWAY, "hopper/mma.m16n8k8.f32.tf32.tf32.f32")
    for query in (mmaspec.tolerance, lambda x, y: mmaspec.suite([x, y])):
        with pytest.raises(ValueError, match="converts a number"):
            query(AWAY, EVEN)
        with pytest.raises(ValueError, match="converts a number"):
            query(mmaspec.conversion(AWAY), mmaspec.conversion(EVEN))


def _stochastic(x: np.ndarray, random: int, bits: int, least: int, fraction: int, largest: float) -> np.ndarray:
    """|x| rounded to multiples of a unit: up if its fraction and random * 2^-bits are 1 or more."""
    magnitude = np.abs(x.astype(np.float64))
    exponent = np.frexp(np.where(magnitude > 0, magnitude, 1))[1] - 1
    unit = np.exp2(np.maximum(exponent, least) - fraction)
    rounded = np.floor(magnitude / unit + random / 2**bits) * unit
    return np.copysign(np.minimum(rounded, largest), x)


@pytest.mark.parametrize(
    ("name", "bits", "least", "fraction", "largest"),
    [
        ("cvt.rs.satfinite.f16x2.f32", 13, -14, 10, 65504.0),
        ("cvt.rs.satfinite.bf16x2.f32", 16, -126, 7, float.fromhex("0x1.fep127")),
        ("cvt.rs.satfinite.e4m3x4.f32", 16, -6, 3, 448.0),
        ("cvt.rs.satfinite.e5m2x4.f32", 16, -14, 2, 57344.0),
        ("cvt.rs.satfinite.e2m3x4.f32", 16, 0, 3, 7.5),
        ("cvt.rs.satfinite.e3m2x4.f32", 16, -2, 2, 28.0),
        ("cvt.rs.satfinite.e2m1x4.f32", 16, 0, 1, 6.0),
    ],
)
def test_stochastic_rounding_is_numpys(
    name: str, bits: int, least: int, fraction: int, largest: float
) -> None:
    rng = np.random.default_rng(9)
    x = (rng.standard_normal(4000) * np.exp2(rng.integers(least - fraction - 3, 20, 4000))).astype(np.float32)
    for random in (0, 1, 2 ** (bits - 1), *rng.integers(0, 2**bits, 5).tolist(), 2**bits - 1):
        convert = mmaspec.conversion(f"blackwell/{name}(random={random})")
        d = mmaspec.formats.values_of(convert.d, convert(x, bits=True)).astype(np.float64)
        assert np.array_equal(d, _stochastic(x, random, bits, least, fraction, largest))


def test_verify_reads_rows_of_conversions(tmp_path) -> None:  # type: ignore[no-untyped-def]
    row = {"instr": "hopper/cvt.rna.tf32.f32", "a": "", "b": "", "c": "3f801000", "d": "3f802000"}
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert mmaspec.verify(file)["passed"] == 1
