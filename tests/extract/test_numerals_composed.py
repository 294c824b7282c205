"""`verifier.numbers` reads a number as a reader does: signed, a range as one, fractions and money whole, words too."""

from __future__ import annotations

import pytest

import verifier


def only(text):
    (number,) = [n for n in verifier.numbers(text) if n.kind == "quantity"]
    return number


@pytest.mark.parametrize(
    "text, value, unit",
    [
        ("P99 latency −91.3%", -91.3, "percent"),
        ("P99 延迟 -91.3%", -91.3, "percent"),
        ("P99 延迟 ↓22%", -22, "percent"),
        ("a cell says \\+29.9%", 29.9, "percent"),
        ("温度负 40 分", -40, None),
        ("a drift of minus five ms", -5, "ms"),
        ("a loss of -$3.1 million", -3.1e6, "USD"),
        ("a gain of $3.1 million", 3.1e6, "USD"),
        ("paid in CNY12.5 million", 12.5e6, "CNY"),
        ("it costs 80 USD million", 80e6, "USD"),
        ("losses of 30 MEUR", 30e6, "EUR"),
        ("charged 3 dollars 40 cents", 3.4, "USD"),
        ("售价 50 元 6角", 50.6, "CNY"),
        ("it costs $2.1 per GPU-hour", 2.1, "USD/GPU-h"),
        ("about 1/40 of it", 0.025, None),
        ("宽 1 4/5 英寸", 1.8, None),
        ("size 2½ ", 2.5, None),
        ("三百又三分之一", 300 + 1 / 3, None),
        ("one over 20.", 0.05, None),
        ("two thirds failed", 2 / 3, None),
        ("4 thousand 3 hundred and 21 calls", 4321, "call"),
        ("twenty-one requests", 21, "request"),
        ("twice as fast", 2, "x"),
        ("it doubled throughput", 2, "x"),
        ("half the memory", 50, "percent"),
        ("3 times faster than before", 3, "x"),
        ("a 16-bit weight", 16, "bit"),
        ("- 10 k", -10_000, None),
        ("- 10 GB of memory", 10, "GB"),
    ],
)
def test_a_number_is_read_whole(text, value, unit):
    number = only(text)
    assert (number.value, number.unit) == (pytest.approx(value), unit)


@pytest.mark.parametrize(
    "text, low, high, unit",
    [
        ("加速 2-4×", 2, 4, "x"),
        ("加速 3~28 倍", 3, 28, "x"),
        ("saves 60–85%", 60, 85, "percent"),
        ("within 1-4%", 1, 4, "percent"),
        ("从 12 到 18 ms", 12, 18, "ms"),
        ("between 44 and 50 MB", 44, 50, "MB"),
        ("costs $3-7", 3, 7, "USD"),
        ("loses −5% to −2%", -5, -2, "percent"),
        ("an 8- to 16-bit weight", 8, 16, "bit"),
    ],
)
def test_a_range_is_one_number_with_two_ends(text, low, high, unit):
    number = only(text)
    assert (number.low, number.high, number.unit) == (low, high, unit)
    assert number.value == (low + high) / 2


@pytest.mark.parametrize(
    "text", ["double-buffer", "double precision", "one can see it", "it ran twice.", "half-open", "the second run", "often", "tense"]
)
def test_words_that_only_look_like_numbers_count_nothing(text):
    assert [n for n in verifier.numbers(text) if n.kind == "quantity"] == []


def test_a_telephone_number_is_no_range():
    assert all(n.low is None for n in verifier.numbers("+1-222-2222"))
