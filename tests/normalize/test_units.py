"""Units, effects and hardware in one writing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verifier
from verifier.lexicon import load
from verifier.models import Claim, Interval
from verifier.normalize import boards, convert, effect, implied, quantities, unit

ALIKE = [
    ("ms", "s"), ("us", "ms"), ("min", "s"), ("h", "day"), ("GB", "MB"), ("GiB", "MiB"), ("GB", "GiB"), ("GB/s", "TB/s"), ("Gb/s", "GB/s"),
    ("TFLOPS", "PFLOPS"), ("percent", "x"), ("percentage_point", "percent"), ("USD/day", "USD/month"), ("call/day", "request/s"), ("kW", "W"),
    ("USD/GPU-h", "USD/gpu/h"), ("USD/Mtoken", "USD/token"),
]  # fmt: skip


@pytest.mark.parametrize("one, two", ALIKE)
@given(value=st.floats(min_value=1e-3, max_value=1e9))
def test_a_unit_converts_both_ways(one, two, value):
    there = convert(value, one, two)
    assert convert(there, two, one) == pytest.approx(value)


@pytest.mark.parametrize("value, one, other, expected", [
    (1.2, "s", "ms", 1200), (92.2, "percent", "x", 0.922), (1.6, "TB/s", "GB/s", 1600), (8, "Gb/s", "GB/s", 1), (1, "GiB", "MB", 1073.741824),
    (86400, "call/day", "request/s", 1), (2.5, "USD/Mtoken", "USD/token", 2.5e-6), (0.62, "PFLOPS", "TFLOPS", 620), (8, "bit", "B", 1),
])  # fmt: skip
def test_a_conversion_is_exact(value, one, other, expected):
    assert convert(value, one, other) == pytest.approx(expected)


@pytest.mark.parametrize("one, other", [("token/s", "request/s"), ("token/s", "token/s/gpu"), ("GB", "GB/s"), ("USD", "CNY"), ("item", "commit")])
def test_unlike_things_do_not_convert(one, other):
    assert convert(1.0, one, other) is None


@pytest.mark.parametrize("name", ["version", "▲", "条", "1.6T", "token//s", ""])
def test_what_is_no_unit_has_none(name):
    assert unit(name) is None


def test_both_ends_of_a_range_are_in_base_units():
    low, high = quantities(verifier.extract("延迟 20–35 ms")[0])
    assert (low.value, high.value, low.unit) == (pytest.approx(0.02), pytest.approx(0.035), "second")


def told(form, unit_, value, metric="throughput", half=0.05, direction=None, from_=None):
    numbers = {"value": value} if from_ is None else {"from_": from_, "to": value}
    ends = (value,) if from_ is None else (from_, value)
    return Claim(id="x", document="d", line=1, end_line=1, column=1, start=0, end=1, text="t", form=form, unit=unit_, metric=metric,
                 direction=direction, interval=tuple(Interval(low=n - half, high=n + half) for n in ends), **numbers)  # fmt: skip


@pytest.mark.parametrize(
    "claim, factor",
    [
        (told("delta", "percent", 70.0), 1.7),
        (told("delta", "percent", -97.8), 0.022),
        (told("ratio", "x", 3.8), 3.8),
        (told("ratio", "x", 46.0, direction="decrease"), 1 / 46),
        (told("ratio", "x", 1 / 46, half=1e-4, direction="decrease"), 1 / 46),
        (told("delta", "percent", -92.3, metric="latency", direction="decrease"), 13.0),
        (told("change", "s", 10.0, metric="latency", from_=130.0), 13.0),
        (told("change", "token/s", 2500.0, from_=1000.0), 2.5),
    ],
)
def test_a_change_is_one_factor_however_it_is_written(claim, factor):
    found = effect(claim).factor
    assert found.low <= factor <= found.high


def test_a_share_lowered_to_a_46th_lost_97_8_percent():
    found = effect(told("ratio", "x", 46.0, direction="decrease")).factor
    assert 100 * (1 - found.low) == pytest.approx(97.8, abs=0.1)


def test_percent_points_are_a_difference_and_no_factor():
    points = effect(told("delta", "percentage_point", 27.0))
    assert points.factor is None
    assert points.difference.low <= 0.27 <= points.difference.high
    change = effect(told("change", "percent", 92.0, from_=65.0)).difference
    assert change.low <= 0.27 <= change.high


def test_faster_by_a_percentage_is_left_open_for_a_time():
    assert effect(told("delta", "percent", 68.0, metric="latency", direction="increase")) is None


def test_a_part_with_one_form_implies_it():
    assert implied("H20", None, None) == {"accelerator_form_factor": "SXM", "accelerator_memory": "96GB"}
    assert implied("A100", None, None) == {}
    assert [b.bandwidth for b in boards("A100", "SXM", 40.0)] == [1.555]


def test_every_accelerator_has_a_source_and_plausible_figures():
    names = [n for n in load().written("accelerator") if load().entry("accelerator", n)]
    assert len(names) >= 50
    for name in names:
        found = boards(name)
        assert found and all(b.source for b in found), name
        for board in found:
            assert board.bandwidth is None or 0.05 < board.bandwidth < 20
            assert board.memory is None or 8 <= board.memory <= 512
            ranked = [board.peak[p] for p in ("TF32", "BF16", "FP8", "FP4") if p in board.peak]
            assert ranked == sorted(ranked), f"{name}: fewer bits, no slower"
