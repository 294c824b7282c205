"""The page of one briefing."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from verifier import pipeline
from verifier.reports.briefing import Briefing
from verifier.settings import load


@pytest.fixture
def made(example):
    def page(text=None, numbers=None, false=(), name="briefing.md"):
        if text is not None:
            (example / name).write_text(text, encoding="utf-8")
        done = pipeline.run(str(example / name), settings=load(example), draft=True, now=datetime(2026, 9, 28, tzinfo=UTC))
        return Briefing(done.document, done.claims, done.judged, done.run.as_of, numbers or {}, false)

    return page


def test_a_claim_that_fails_is_coloured_and_its_finding_stands_beside(made):
    html = made().html("zh", "../")
    line = re.search(r'<div class="line" id="L23">.*', html)[0]
    assert '<span class="claim fail" title="不成立">4.15×</span>' in line and "推不出 4.15×" in line


def test_a_claim_that_holds_is_coloured_so(made):
    page = made()
    held = next(c for c in page.claims if c.text == "5.15×")
    assert page.verdicts[held.id] == "pass"


def test_the_text_is_whole(made):
    page = made()
    for line in page.lines():
        assert "".join(piece.text for piece in line.pieces) == page.document.text.split("\n")[line.number - 1]


def test_a_finding_links_to_its_record(made):
    cause = next(f.cause for f in made().judged if f.rule == "ARI001" and f.verdict == "fail")
    assert '<a href="../claims/ledger/D0013.jsonl">D13</a>' in made(numbers={cause: "D13"}).html("en", "../")


def test_a_false_alarm_colours_nothing_and_stays_visible(made):
    found = next(f for f in made().judged if f.rule == "ARI001" and f.verdict == "fail")
    page = made(false={found.fingerprint})
    assert "fail" not in {page.verdicts[c] for c in found.claims} and 'class="found fail gone"' in page.html("en", "")


def test_what_a_document_says_is_never_markup(made):
    html = made('<script>alert(1)</script> <img src=x onerror=alert(2)> 412.0 vs 120.0 tok/s = 4.15× "quoted" </p></main>\n').html("en", "")
    assert "<script" not in html and "<img" not in html and "&lt;script&gt;" in html


def test_the_command_writes_it_and_records_nothing(verify, example):
    done = verify("report", "--briefing", "briefing.md", folder=example)
    assert done.returncode == 0 and (example / "reports" / "briefing.html").exists()
    assert verify("d", "list", folder=example).out == ""


@pytest.mark.parametrize("words, said", [(("--week", "2026-W40"), "--briefing and --week"), (("--format", "csv"), "--format csv")])
def test_flags_of_a_week_do_not_fit_a_briefing(verify, example, words, said):
    done = verify("report", "--briefing", "briefing.md", *words, folder=example)
    assert done.returncode == 2 and said in done.err
