"""What the rounding of a printed number allows."""

from __future__ import annotations

from verifier.models import Interval


def interval(written: str, scale: float = 1.0, exact: bool = False) -> Interval:
    """`5.15` -> 5.145..5.155; trailing zeros of an integer are not significant (`16,200` -> 16,150..16,250); counts are exact.

    `written` has digits, separators and at most one point or exponent; `scale` is what the unit multiplies it by.
    """
    digits = written.replace(",", "").replace(" ", "").lstrip("+-−")
    value = float(digits) * scale
    if exact:
        return Interval(low=value, high=value)
    mantissa, _, exponent = digits.lower().partition("e")
    power = int(exponent) if exponent else 0
    whole, _, fraction = mantissa.partition(".")
    if fraction or exponent:
        half = 0.5 * 10.0 ** (power - len(fraction))
    else:
        zeros = len(whole) - len(whole.rstrip("0")) if whole.strip("0") else 0
        half = 0.5 * 10.0**zeros
    return Interval(low=value - half * scale, high=value + half * scale)
