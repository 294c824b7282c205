"""Hostile text takes time in proportion to its length: twice the text, about twice the time."""

from __future__ import annotations

import pytest

import verifier
from tests._timing import seconds
from verifier.extract.numerals import numbers

PIECES = ["7 ", "9", "1,2", "12,345,", "1.1.", "2-4×", "(", "((1) ", "一", "一万", "十几", "百分之", "two thousand ", "1×1", "1a", "D1", "v1.", "a/b", "://1", ".md1",
          "<a b=1 ", "](1", "§1", "12 345 ", "1 234", "5 minutes ", "-", "− ", "½", "８", "①", "1/2 ", "$5 ", "3 to 4 ", "from 3 ", "1e5", "10^", "K2-"]  # fmt: skip


@pytest.mark.parametrize("read", [numbers, verifier.numbers], ids=["scan", "composed"])
@pytest.mark.parametrize("piece", PIECES)
def test_time_grows_as_the_text_does(read, piece):
    short, long = piece * (5_000 // len(piece)), piece * (20_000 // len(piece))
    assert seconds(lambda: read(long)) < 8 * seconds(lambda: read(short)) + 0.05


def test_ten_million_digits_are_no_number():
    (number,) = numbers("9" * 10_000_000)
    assert number.value is None


def test_a_hundred_thousand_numerals_in_a_line_are_all_read():
    assert len(numbers("7 GB " * 100_000)) == 100_000
