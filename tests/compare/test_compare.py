"""What may be compared with what: refusals, missing conditions, values; symmetric, and alike for like claims."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verifier
from tests._timing import seconds
from verifier.compare import Index, compare, decide, keys
from verifier.models import Claim, Condition, Interval


def last(text):
    return verifier.extract(text)[-1]


def claim(value=3400.0, unit="token/s", form="value", half=0.5, **fields):
    conditions = {n: Condition(value=v, origin="clause", line=1) for n, v in fields.pop("conditions", {}).items()}
    low = fields.pop("from_", None)
    numbers = {"value": value} if low is None else {"from_": low, "to": value}
    ends = (value,) if low is None else (low, value)
    fields = {"subject": "vLLM", "metric": "throughput", **fields}
    return Claim(id="x", document="d", line=1, end_line=1, column=1, start=0, end=1, text="t", form=form, unit=unit,
                 interval=tuple(Interval(low=n - half, high=n + half) for n in ends), conditions=conditions, **numbers, **fields)  # fmt: skip


def test_a_bare_figure_against_a_full_one_is_undecided_with_the_list():
    found = compare(last("H100 吞吐 16,200 tok/s"), last("H100 SXM 80GB TP=4 FP8 70B 吞吐 2,900 tok/s"))
    assert found.answer == "undecided"
    assert {"accelerator_form_factor", "tensor_parallel", "precision", "model"} <= set(found.conditions)


def test_two_releases_are_not_comparable():
    one = claim(3803.0, conditions={"engine_version": "0.7a"})
    two = claim(3014.0, conditions={"engine_version": "0.5"})
    found = compare(one, two)
    assert (found.answer, found.conditions) == ("not_comparable", ("engine_version",))
    assert "0.5 / 0.7a" in found.working


def test_two_values_of_one_configuration_are_different_by_a_share_with_both_roundings():
    setup = {"accelerator": "H200", "accelerator_form_factor": "SXM", "accelerator_count": "8", "precision": "FP8"}
    found = compare(claim(22282.0, conditions=setup), claim(22310.0, half=5.0, conditions=setup))
    assert found.answer == "different"
    assert found.by == pytest.approx(28 / 22282)
    assert "[22281.5, 22282.5]" in found.working and "[22305, 22315]" in found.working


def test_a_printed_number_is_an_interval():
    assert compare(last("vLLM 吞吐 16,200 tok/s"), last("vLLM 吞吐 16,240 tok/s")).answer == "equal"
    assert compare(last("vLLM 吞吐 16,200 tok/s"), last("vLLM 吞吐 16,260 tok/s")).answer == "different"


@pytest.mark.parametrize(
    "one, two, answer",
    [
        (claim(70.0, "percent", "delta", direction="increase"), claim(1.7, "x", "ratio", half=0.05), "equal"),
        (claim(70.0, "percent", "delta", direction="increase"), claim(2.1, "x", "ratio", half=0.05), "different"),
        (claim(27.0, "percentage_point", "delta"), claim(92.0, "percent", "change", from_=65.0), "equal"),
        (claim(27.0, "percentage_point", "delta"), claim(1.3, "x", "ratio", half=0.05), "not_comparable"),
        (claim(-92.3, "percent", "delta", 0.05, metric="latency"), claim(13.0, "x", "ratio", metric="latency"), "equal"),
        (claim(92.2, "percent", "change", 0.05, from_=1.7), claim(82.2, "percent", "change", 0.05, from_=1.7), "different"),
        (claim((0.9).__float__(), "x", "range", 0.05), claim(0.9, "x", "ratio", half=0.05), "not_comparable"),
    ],
)
def test_one_change_may_be_written_in_several_ways(one, two, answer):
    assert compare(one, two).answer == answer


def test_a_bound_excludes_only_what_lies_beyond_it():
    most = claim(70.0, "percent", "delta", bound="max", direction="increase")
    assert compare(most, claim(60.0, "percent", "delta", direction="increase")).conditions == ("bound",)
    assert compare(most, claim(90.0, "percent", "delta", direction="increase")).answer == "different"


def test_a_part_of_one_form_needs_none_stated():
    assert (
        compare(claim(conditions={"accelerator": "H20"}), claim(conditions={"accelerator": "H20", "accelerator_form_factor": "SXM"})).answer
        == "equal"
    )
    assert (
        compare(claim(conditions={"accelerator": "H100"}), claim(conditions={"accelerator": "H100", "accelerator_form_factor": "SXM"})).answer
        == "undecided"
    )


def test_releases_are_compared_as_releases():
    assert compare(last("vLLM 0.9.2"), last("vLLM v0.9.2")).answer == "equal"
    assert compare(last("vLLM 0.9.2"), last("vLLM 0.10.0")).answer == "different"


values = {
    "accelerator": st.sampled_from(["H100", "A100", "H20"]),
    "accelerator_form_factor": st.sampled_from(["SXM", "PCIe"]),
    "tensor_parallel": st.sampled_from(["4", "8"]),
    "precision": st.sampled_from(["FP8", "BF16"]),
    "input_tokens": st.sampled_from(["1K", "1024", "2048"]),
    "model": st.sampled_from(["70B", "Llama-3.1-70B", "Qwen3-8B"]),
}
claims = st.builds(
    claim,
    value=st.sampled_from([100.0, 150.0, 151.0]),
    unit=st.sampled_from(["token/s", "request/s", "percent"]),
    form=st.sampled_from(["value", "delta"]),
    half=st.sampled_from([0.5, 5.0]),
    subject=st.sampled_from([None, "vLLM", "SGLang"]),
    metric=st.sampled_from([None, "throughput", "ttft"]),
    statistic=st.sampled_from([None, "P50", "median", "P99"]),
    baseline=st.sampled_from([None, "TGI"]),
    bound=st.sampled_from([None, "max"]),
    conditions=st.fixed_dictionaries({}, optional=values),
)


@given(claims, claims)
def test_comparison_is_symmetric(a, b):
    assert compare(a, b) == compare(b, a)


@given(claims)
def test_a_claim_is_never_different_from_itself(a):
    assert compare(a, a).answer in ("equal", "undecided")


ALIKE = {"1K": "1024", "1024": "1K", "P50": "median", "median": "P50"}


def reworded(a, value):
    """The same thing in other words, with another value."""
    conditions = {n: c.model_copy(update={"value": ALIKE.get(c.value, c.value)}) for n, c in a.conditions.items()}
    return a.model_copy(update={"conditions": conditions, "statistic": ALIKE.get(a.statistic, a.statistic), "value": value})


@given(claims, claims, st.sampled_from([100.0, 900.0]))
def test_what_is_refused_is_refused_for_its_likes(a, b, value):
    c = reworded(b, value)
    refused = compare(a, b)
    assert compare(a, c).answer == refused.answer or refused.answer in ("equal", "different")
    if refused.answer == "not_comparable":
        assert compare(a, c).conditions == refused.conditions


@given(claims, claims, st.sampled_from([100.0, 900.0]))
def test_what_can_be_decided_shares_a_key_and_is_decided_alike(a, b, value):
    for one, two in ((a, b), (a, reworded(a, value))):
        found = compare(one, two)
        if found.answer in ("equal", "different"):
            assert set(keys(one)) & set(keys(two))
            assert decide(one, two) == found


def filled(count):
    index = Index()
    base = claim()
    for n in range(count):
        index.put(keys(base) if n % 1000 == 0 else (f"k{n}",), (float(n),), n)
    return index


def test_candidates_are_found_by_key_however_many_are_stored():
    small, large = filled(1_000), filled(200_000)
    wanted = claim()

    def took(index):
        return seconds(lambda: [index.candidates(wanted) for _ in range(50)], times=5)

    assert len(large.candidates(wanted)) == 16  # the last distinct values of one key
    assert took(large) <= 2 * took(small) + 0.01


def test_an_index_gives_what_can_be_decided_and_nothing_else():
    index = Index()
    index.add(last("SGLang 在 H200 上吞吐 2,210 tok/s"), "same")
    index.add(last("SGLang 在 H100 SXM 上吞吐 2,210 tok/s"), "other part")
    assert index.candidates(last("SGLang on H200: throughput 2,450 tok/s")) == ["same"]
