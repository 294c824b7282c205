"""Ratios, the page, the scores, and peers as processes."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import yaml

from benchmarks._measure import Figure, of
from benchmarks._page import page
from benchmarks._peers import NotInstalled, Peer
from benchmarks._scores import score
from benchmarks._texts import GOLD
from benchmarks.peers import floor
from verifier.family import member, members

MACHINE = {"processor": "some", "cores": 2, "memory_gb": 24, "system": "Linux x86_64", "python": "CPython 3.11", "libraries": {"pydantic": "2.12"}}
TAKEN = {"day": "2026-10-04", "commit": "abc1234", "load": 0.1}


def result(*figures):
    return {"title": "Work", "about": "How.", "machine": MACHINE, "taken": TAKEN, "minutes": 1.0, "figures": [vars(f) for f in figures]}


def test_a_ratio_is_the_median_of_the_rounds_ratios():
    figure = of("work", "floor", [(2.0, 1.0), (9.0, 3.0), (8.0, 2.0)], at_most=3.5)
    assert (figure.ratio, figure.seconds, figure.yardstick, figure.reached) == (3.0, 8.0, 2.0, True)


def test_the_page_tells_the_median_the_spread_and_what_is_asked():
    told = page({"work": result(Figure("a", "b", (2.0, 3.0, 4.0), 0.3, 0.1, at_most=2.5))})
    assert "| a | b | 3 (2–4) | 0.3 | 0.1 | ≤ 2.5 | no |" in told


def test_the_page_says_why_a_peer_was_not_measured():
    told = page({"work": result(Figure("peer", more={"why not": "no such version"}))})
    assert "| peer |  | – | – | – | no such version |" in told


def test_results_of_two_machines_are_told_apart():
    other = {**result(), "machine": {**MACHINE, "cores": 64}}
    assert "Machine of b: some, 64 cores" in page({"a": result(), "b": other})


def labelled(text):
    """The labels of a gold document as a reader would tell them."""
    path = next(p for p in GOLD if p.read_text(encoding="utf-8") == text)
    return yaml.safe_load(path.with_suffix(".yaml").read_text(encoding="utf-8"))


def test_a_reader_that_tells_the_labels_scores_a_hundred():
    assert score(labelled)[1:] == (100, 100, 100, 100)


def test_a_unit_that_is_wrong_counts_for_the_numbers_alone():
    wrong = score(lambda text: [{**label, "unit": "furlong/s"} for label in labelled(text) if "unit" in label])
    assert wrong.numbers > 90 and (wrong.units, wrong.whole, wrong.precision) == (0, 0, 0)


def test_a_reader_that_finds_nothing_scores_nothing():
    assert score(lambda text: [])[1:] == (0, 0, 0, 0)


def test_a_peer_runs_as_a_process_of_its_own():
    with Peer("floor", floor) as peer:
        assert [(c["line"], c["value"]) for c in peer.claims("a 5 ms\nb ~1,200")] == [(1, 5.0), (2, 1200.0)]
        assert peer.seconds(["a 5 ms"])[0] > 0


def test_a_peer_that_cannot_be_installed_says_why(tmp_path):
    absent = SimpleNamespace(REQUIRES=(str(tmp_path / "absent.whl"),), __file__=floor.__file__)
    with pytest.raises(NotInstalled, match="absent.whl"), Peer("absent", absent):
        pass


@pytest.mark.parametrize("family", ["benchmarks.measures", "benchmarks.peers"])
def test_a_member_says_what_its_family_asks(family):
    asked = ("TITLE", "ABOUT", "measure") if family.endswith("measures") else ("REQUIRES", "load", "told")
    assert all(hasattr(member(family, name), word) for name in members(family) for word in asked)
