"""A written quantity reads back, whatever its digits, separators, unit and language; places are places of the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verifier
from verifier.extract.numerals import numbers
from verifier.extract.units import units

MEASURED = sorted(
    w for w, unit in units()[1].items() if unit not in ("item", "star", "x") and not unit.startswith("USD/") and not w.startswith(("-", "/", "per "))
)
FRAMES = ["it takes {} here", "耗时 {} 左右", "({})", "**{}**", "约 {}，较好", "to {}."]
DIGITS = "零一二三四五六七八九"


def chinese(number: int) -> str:
    """A whole number below ten thousand as it is read aloud."""
    out = ""
    for place, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // place % 10
        if digit:
            out += DIGITS[digit] + name
        elif out and number % place and not out.endswith("零"):
            out += "零"
    return out or "零"


def quantities(text):
    return [n for n in verifier.numbers(text) if n.kind == "quantity"]


@given(st.integers(1, 999_999), st.integers(0, 99), st.sampled_from(MEASURED), st.sampled_from(["", " "]), st.sampled_from(FRAMES), st.booleans())
def test_a_quantity_in_digits_reads_back(whole, hundredths, unit, space, frame, grouped):
    digits = f"{whole:,}" if grouped else str(whole)
    written = f"{digits}.{hundredths:02}" if hundredths else digits
    if not space and unit[0].isascii() and unit[0].isalpha() and (len(unit) < 2 or unit[0] in "xhm"):
        space = " "
    (number,) = quantities(frame.format(written + space + unit))
    assert number.value == float(written.replace(",", "")) and number.unit == units()[1][unit]


@given(st.integers(2, 9_999), st.sampled_from(["毫秒", "小时", "倍", "个百分点", "GB"]))
def test_a_chinese_quantity_reads_back(number, unit):
    (read,) = quantities(f"大约为{chinese(number)}{unit}。")
    assert (read.value, read.unit) == (number, units()[1][unit])


@given(st.integers(1, 99), st.integers(100, 999), st.sampled_from(["-", "–", "~", " to ", " 到 "]), st.sampled_from(["ms", "%", "GB", "tok/s"]))
def test_a_range_reads_back(low, high, dash, unit):
    (number,) = quantities(f"spans {low}{dash}{high} {unit} now")
    assert (number.low, number.high, number.unit) == (low, high, units()[1][unit])


@given(st.floats(1e-12, 1e12, allow_nan=False), st.sampled_from(["e", "E", "×10^", "x10^"]))
def test_a_scientific_number_reads_back(number, mark):
    mantissa, power = f"{number:.4e}".split("e")
    (read,) = quantities(f"error of {mantissa}{mark}{int(power)} s")
    assert read.value == pytest.approx(float(f"{mantissa}e{power}"), rel=1e-12) and read.unit == "s"


@given(st.text(alphabet="0123456789.,%×xX→~-–+ 约一二三十百千万亿半成个倍GBKmsvD§#/:年月日$€()[]\n|eE^⁻⁵½①８．", max_size=120))
@pytest.mark.parametrize("read", [numbers, verifier.numbers], ids=["scan", "composed"])
def test_every_number_is_a_substring_at_its_place_in_order(read, text):
    found = read(text)
    assert all(text[n.start : n.end] == n.text and n.text for n in found)
    assert all(a.end <= b.start for a, b in zip(found, found[1:], strict=False))
