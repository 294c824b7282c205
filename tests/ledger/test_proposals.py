"""What settles an open record is attached and proposed, and never applied unasked."""

from __future__ import annotations

import pytest

from ledger.test_ledger import NOW, finding, record
from verifier.errors import LedgerError
from verifier.ledger import Ledger
from verifier.models import Claim, Condition


def claim(text="4.15×", value=4.15, document="b.md", **more):
    fields = {"id": "c1", "document": document, "line": 7, "end_line": 7, "column": 1, "start": 0, "end": len(text), "text": text, "form": "ratio"}
    return Claim.model_validate({**fields, "value": value, "unit": "x", "subject": "vLLM", "metric": "speedup", **more})


def failing(cause="a", kind="derived"):
    return finding(cause).model_copy(update={"claims": ("c1",), "kind": kind})


def run(ledger, run, findings=(), claims=(), document="b.md", text=""):
    said = {"run": run, "actor": "jay", "now": NOW}
    out = ledger.record_run(findings, document, recheck_by="2026-10-28", claims=claims, text=text, **said)
    ledger.remember_claims(document, run, claims, run)
    return out


@pytest.fixture
def ledger(tmp_path):
    with Ledger.open(tmp_path) as opened:
        yield opened


def proposed(ledger):
    return {r.number: r.proposed["resolution"] for r in ledger.list(proposed=True)}


def test_a_claim_that_the_next_version_corrects_proposes_corrected(ledger):
    run(ledger, "r1", [failing()], [claim()])
    run(ledger, "r2", [], [claim("3.43×", 3.43)])
    record = ledger.get("D1")
    assert record.state == "open" and record.proposed["resolution"] == "corrected"
    assert "3.43×" in record.proposed["reason"] and record.proposed["evidence"] == "b.md:7 in run r2"


def test_a_version_that_leaves_the_claim_as_it_was_proposes_nothing(ledger):
    run(ledger, "r1", [failing()], [claim()])
    run(ledger, "r2", [], [claim()])
    run(ledger, "r3", [failing()], [claim("4.16×", 4.16)])
    undecided = failing().model_copy(update={"verdict": "undecided"})
    run(ledger, "r4", [undecided], [claim("4.17×", 4.17)])
    assert proposed(ledger) == {}


def test_another_document_does_not_correct_this_one(ledger):
    run(ledger, "r1", [failing()], [claim()])
    run(ledger, "r2", [], [claim("3.43×", 3.43, "c.md")], document="c.md")
    assert proposed(ledger) == {}


def test_a_fetched_fact_that_bears_the_claim_out_proposes_confirmed(ledger):
    run(ledger, "r1", [failing()], [claim()])
    look = {"citation": "arxiv:2609.23130", "fetched_at": "2026-10-01T00:00:00+00:00", "digest": "x", "outcome": "found"}
    borne = failing().model_copy(update={"verdict": "pass", "evidence": (look,), "message": "2609.23130 exists"})
    run(ledger, "r2", [borne], [claim()])
    assert ledger.get("D1").proposed == {
        "resolution": "confirmed", "reason": "2609.23130 exists", "evidence": "arxiv:2609.23130 fetched 2026-10-01T00:00:00+00:00", "by": "jay",
    }  # fmt: skip


def test_a_later_briefing_that_states_the_missing_condition_proposes_confirmed(ledger):
    run(ledger, "r1", [failing(kind="required-context")], [claim()])
    told = claim(document="c.md", line=9, conditions={"accelerator_form_factor": Condition(value="SXM", origin="clause", line=9)}, id="c9")
    stated = failing(kind="required-context").model_copy(update={"verdict": "pass", "claims": ("c9",), "cause": "other"})
    run(ledger, "r2", [stated], [told.model_copy(update={"value": 5.0})], document="d.md")
    assert proposed(ledger) == {}
    run(ledger, "r3", [stated], [told], document="c.md")
    assert ledger.get("D1").proposed["evidence"] == "c.md:9"


@pytest.mark.parametrize(
    ("text", "resolution"),
    [
        ("D1 的倍数已更正为 3.43×", "corrected"),
        ("昨日的 D1、D2 均已核实", "confirmed"),
        ("D1 was refuted by the vendor's own log", "refuted"),
        ("复核后 D1 属误报", "false_alarm"),
        ("D1 待核实；D2 已证实", None),
        ("D1 is not confirmed", None),
        ("D1 已关闭", None),
        ("D11 已更正", None),
    ],
)
def test_a_text_that_names_a_record_and_settles_it_proposes_how(ledger, text, resolution):
    run(ledger, "r1", [failing()], [claim()])
    run(ledger, "r2", [], [claim("other", document="c.md")], document="c.md", text=f"heading\n{text}\n")
    assert proposed(ledger).get("D1") == resolution
    names = [e.event for e in ledger.get("D1").events]
    assert ("carry" in names) == ("D11" not in text)
    assert ("evidence" in names) == ("已关闭" in text)


def test_proposals_are_accepted_several_at_once_or_declined_for_good(ledger):
    run(ledger, "r1", [failing("a"), failing("b"), failing("c")], [claim()])
    text = "D1 已更正\nD2 已证伪\nD3 已核实"
    run(ledger, "r2", [failing("a"), failing("b"), failing("c")], [claim()], document="c.md", text=text)
    assert proposed(ledger) == {"D1": "corrected", "D2": "refuted", "D3": "confirmed"}
    ledger.transition("D3", "decline", actor="kim", now=NOW, reason="that was another figure")
    done = ledger.resolve_proposed([], actor="kim", now=NOW)
    assert [(r.number, r.resolution) for r in done] == [("D1", "corrected"), ("D2", "refuted")]
    run(ledger, "r2", [failing("c")], [claim()], document="c.md", text=text)
    assert proposed(ledger) == {} and ledger.get("D3").state == "open"
    with pytest.raises(LedgerError, match="D3: nothing is proposed"):
        ledger.resolve_proposed(["D3"], actor="kim", now=NOW)


def test_a_proposal_needs_what_its_resolution_needs_and_an_open_record(ledger):
    record(ledger, ["a"])
    with pytest.raises(LedgerError, match="not_comparable needs condition"):
        ledger.transition("D1", "propose", actor="jay", now=NOW, reason="r", evidence="e", resolution="not_comparable")
    ledger.transition("D1", "resolve", actor="jay", now=NOW, reason="r", evidence="e", resolution="confirmed")
    with pytest.raises(LedgerError, match="is resolved, so nothing can be proposed"):
        ledger.transition("D1", "propose", actor="jay", now=NOW, reason="r", evidence="f", resolution="confirmed")


def test_the_duplicate_of_a_record_is_joined_with_it(ledger):
    record(ledger, ["a", "b"])
    with pytest.raises(LedgerError, match="target D9 is no record"):
        ledger.transition("D2", "resolve", actor="jay", now=NOW, reason="same", evidence="e", resolution="duplicate", target="D9")
    ledger.transition("D2", "resolve", actor="jay", now=NOW, reason="same", evidence="e", resolution="duplicate", target="D1")
    assert set(ledger.get("D1").findings) == {"a", "b"}
    assert {(r.number, r.what) for r in record(ledger, ["b"], run="r2")} == {("D1", "seen_again")}
    ledger.rebuild()
    assert {(r.number, r.what) for r in record(ledger, ["b"], run="r3")} == {("D1", "seen_again")}
