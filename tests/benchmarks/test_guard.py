"""The guard of `make bench-quick`: noise passes, a stage that became slower does not."""

from __future__ import annotations

import pytest

from benchmarks import _guard
from benchmarks.__main__ import guard
from benchmarks._guard import Limit, judge
from benchmarks._measure import Figure
from benchmarks.measures import extraction, rules
from verifier.family import members

LIMITS = {"work": Limit(2.0, "usual: 1")}


def measuring(*ratios):
    """A benchmark whose figure has these ratios, one each time that it is measured."""
    coming = iter(ratios)
    return lambda: [Figure("work", ratios=(next(coming),))]


def test_a_figure_within_its_limit_is_measured_once():
    [judged] = judge(measuring(1.9), LIMITS)
    assert (judged.exceeds, judged.tries) == (False, 1)


def test_noise_that_goes_away_passes():
    [judged] = judge(measuring(9.0, 1.2), LIMITS)
    assert (judged.exceeds, judged.ratio) == (False, 1.2)


def test_what_exceeds_its_limit_each_time_exceeds_it():
    [judged] = judge(measuring(2.3, 2.1, 2.2), LIMITS)
    assert (judged.exceeds, judged.ratio, judged.tries) == (True, 2.1, 3)


def test_a_limit_without_a_figure_is_an_error():
    with pytest.raises(KeyError, match="no figure for the limit of gone"):
        judge(measuring(1.0), {"gone": Limit(1.0, "was there once")})


def test_every_limit_is_of_a_benchmark_and_tells_why():
    kept = _guard.limits()
    assert set(kept) <= set(members("benchmarks.measures"))
    assert all(limit.why for limits in kept.values() for limit in limits.values())


@pytest.mark.parametrize(("name", "owner", "stage"), [("extraction", extraction.verifier, "extract"), ("rules", rules, "evaluate")])
def test_a_slowed_stage_fails(name, owner, stage, monkeypatch, capsys):
    work = getattr(owner, stage)
    monkeypatch.setattr(owner, stage, lambda *given: [work(*given) for _ in range(3)][0])
    monkeypatch.setattr(_guard, "TRIES", 1)
    assert guard([name]) == 1
    assert f"{name}: " in capsys.readouterr().out.split("REGRESSION")[0]


def test_the_stages_as_they_are_pass(capsys):
    assert guard(["rules"]) == 0
    assert "nothing slower than allowed" in capsys.readouterr().out
