"""Multipliers: exact, one spelling, at least 1.0."""

from __future__ import annotations

import contextlib
from decimal import Decimal, localcontext
from enum import IntEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat.errors import PayTableError
from provably_fair_baccarat.rules.multiplier import in_millionths, parse_multiplier
from provably_fair_baccarat.testing import multipliers


class Number(IntEnum):
    NINE = 9


@pytest.mark.parametrize(
    ("value", "spelling"),
    [
        ("2.0", "2.0"),
        ("2.00", "2.0"),
        ("9", "9.0"),
        ("1.950", "1.95"),
        (9, "9.0"),
        (Number.NINE, "9.0"),
        (1.95, "1.95"),
        (2.0, "2.0"),
        (1.1, "1.1"),
        (Decimal("1.9500000000"), "1.95"),
        (Decimal("2E+1"), "20.0"),
        ("1.0", "1.0"),
        ("999999.999999", "999999.999999"),
        (999999, "999999.0"),
    ],
)
def test_one_spelling_is_kept(value, spelling):
    assert str(parse_multiplier(value)) == spelling


@pytest.mark.parametrize(
    "value",
    [
        "",
        "0.99",
        "0",
        "-2.0",
        "+2.0",
        " 2.0",
        "2.0 ",
        "2,0",
        "2.",
        ".5",
        "02.0",
        "1e1",
        "2_0",
        "２.0",
        "٢",
        "1000000",
        "1.0000001",
        "nan",
        "inf",
        "2.0\n",
        "0x2",
        "1.95.0",
        0,
        -1,
        10**6,
        pytest.param(10**5000, id="huge"),
        0.5,
        -0.0,
        1e16,
        1.9500000000000002,
        float("nan"),
        float("inf"),
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("Infinity"),
        Decimal(-2),
        Decimal("0.999999"),
        Decimal("1e999999"),
        Decimal("1E-999999"),
        Decimal("1.0000001"),
        True,
        None,
        b"2.0",
        [2],
        2j,
    ],
)
def test_what_is_no_multiplier_is_refused(value):
    with pytest.raises(PayTableError, match=r"from 1\.0"):
        parse_multiplier(value)


@pytest.mark.parametrize(("value", "hint"), [(" 2.0", "'2.0'"), ("2,5", "'2.5'"), ("+2", "'2'"), ("0.95", "includes the stake")])
def test_slips_are_named(value, hint):
    with pytest.raises(PayTableError) as caught:
        parse_multiplier(value)
    assert hint in caught.value.hint


@given(multipliers())
def test_millionths_are_exact_in_any_decimal_context(text):
    with localcontext() as context:
        context.prec = 2
        multiplier = parse_multiplier(text)
        assert str(multiplier) == text
        millionths = in_millionths(multiplier)
    assert Decimal(millionths).scaleb(-6) == Decimal(text)
    assert parse_multiplier(Decimal(text)) == parse_multiplier(float(text)) == multiplier


@given(st.text() | st.floats() | st.decimals() | st.integers() | st.fractions() | st.none())
def test_no_foreign_error_escapes(value):
    with contextlib.suppress(PayTableError):
        assert parse_multiplier(value) >= 1
