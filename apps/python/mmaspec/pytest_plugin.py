"""Pytest plugin: ``--mmaspec-unit NAME`` and the fixture ``mmaspec_unit``.

    def test_gemm(mmaspec_unit):
        mmaspec.testing.assert_allclose(kernel(A, B), A, B, unit=mmaspec_unit)

``pytest --mmaspec-unit h100/mma.m16n8k16.f32.f16.f16.f32`` runs the test with that unit. If the
option is given several times, the test runs once for each unit. Without the option the test is
skipped.
"""

from __future__ import annotations

from typing import Any

import pytest

_OPTION = "--mmaspec-unit"


def pytest_addoption(parser: Any) -> None:
    parser.getgroup("mmaspec").addoption(
        _OPTION,
        action="append",
        default=[],
        metavar="NAME",
        help="an instruction, a design or a plan for the fixture mmaspec_unit; may be given again",
    )


def pytest_generate_tests(metafunc: Any) -> None:
    if "mmaspec_unit" not in metafunc.fixturenames:
        return
    names = metafunc.config.getoption(_OPTION)
    if names:
        metafunc.parametrize("mmaspec_unit", names, ids=names, indirect=True, scope="session")


@pytest.fixture(scope="session")
def mmaspec_unit(request: Any) -> Any:
    """The unit named by --mmaspec-unit."""
    if not hasattr(request, "param"):
        pytest.skip(f"needs {_OPTION} NAME")
    from . import unit

    try:
        return unit(request.param)
    except ValueError as error:
        raise pytest.UsageError(f"{_OPTION}: {error}") from None
