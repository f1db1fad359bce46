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


def test_verify_reads_rows_of_conversions(tmp_path) -> None:  # type: ignore[no-untyped-def]
    row = {"instr": "hopper/cvt.rna.tf32.f32", "a": "", "b": "", "c": "3f801000", "d": "3f802000"}
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert mmaspec.verify(file)["passed"] == 1
