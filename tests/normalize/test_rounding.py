"""What a printed number allows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verifier
from verifier.normalize import canonical
from verifier.normalize.rounding import interval


@pytest.mark.parametrize(
    "written, exact, low, high",
    [("7.25", False, 7.245, 7.255), ("18,400", False, 18350.0, 18450.0), ("0", False, -0.5, 0.5), ("31", True, 31.0, 31.0)],
)
def test_rounding(written, exact, low, high):
    found = interval(written, exact=exact)
    assert (found.low, found.high) == pytest.approx((low, high))


@given(st.decimals(min_value=0, max_value=10**6, places=3))
def test_the_number_itself_is_allowed(number):
    found = interval(str(number))
    assert found.low <= float(number) <= found.high


def test_like_units_meet_in_base_units():
    one, two = verifier.extract("decode took 250 ms") + verifier.extract("decode took 0.25 s")
    assert canonical(one).unit == canonical(two).unit
    assert canonical(one).value == pytest.approx(canonical(two).value)
