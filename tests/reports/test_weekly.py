"""What a weekly report says of a log."""

from __future__ import annotations

from datetime import date

import pytest

from tests.reports._ledger import W40, Log, report, rows
from verifier.reports._period import period
from verifier.reports.weekly import html, markdown


def test_a_record_that_is_carried_keeps_its_age():
    log = Log().add("D1", "open", "2026-08-01").add("D1", "carry", "2026-10-01", documents=["c.md"])
    assert rows(report(log), "open", "number", "age") == {"D1": 64}


def test_a_record_that_is_reopened_keeps_its_age():
    log = Log().add("D1", "open", "2026-08-01").add("D1", "resolve", "2026-08-20", resolution="corrected").add("D1", "reopen", "2026-10-01")
    assert rows(report(log), "open", "number", "age") == {"D1": 64}


@pytest.mark.parametrize("opened, band", [("2026-09-27", "0–7"), ("2026-09-26", "8–14"), ("2026-09-20", "8–14"), ("2026-09-19", "15–30"), ("2026-09-04", "15–30"), ("2026-09-03", "> 30")])  # fmt: skip
def test_ages_fall_into_their_bands(opened, band):
    ages = rows(report(Log().add("D1", "open", opened)), "ageing", "age", "now")
    assert [age for age, n in ages.items() if n] == [band]


def test_an_event_counts_on_its_day_in_shanghai():
    log = Log().add("D1", "open", "2026-09-27T15:59:00+00:00").add("D2", "open", "2026-09-27T16:00:00+00:00").add("D3", "open", "2026-10-04T15:59:59+00:00").add("D4", "open", "2026-10-04T16:00:00+00:00")  # fmt: skip
    assert [row["number"] for row in report(log).tables["opened"]] == ["D2", "D3"]


def test_what_came_after_the_period_is_not_known():
    log = Log().add("D1", "open", "2026-09-29").add("D1", "resolve", "2026-10-06", resolution="corrected")
    assert rows(report(log), "open", "number", "state") == {"D1": "open"}


def test_changes_stand_beside_those_of_the_week_before():
    log = Log().add("D1", "open", "2026-09-22").add("D2", "open", "2026-09-23").add("D3", "open", "2026-09-29")
    log.add("D1", "resolve", "2026-09-30", resolution="corrected").add("D2", "severity", "2026-10-01", severity="high").add(
        "D2", "carry", "2026-10-01"
    )
    changes = rows(report(log), "changes", "event", "now", "before")
    assert changes["open"] == (1, 2) and changes["resolve"] == (1, 0) and changes["raised"] == (1, 0) and changes["carry"] == (1, 0)


def test_totals_stand_beside_those_at_the_end_of_the_week_before():
    log = Log().add("D1", "open", "2026-09-01", severity="high").add("D2", "open", "2026-09-30")
    log.add("D1", "severity", "2026-09-29", severity="low")
    totals = rows(report(log), "totals", "what", "now", "before")
    assert totals["open"] == (2, 1) and totals["high"] == (0, 1) and totals["low"] == (1, 0) and totals["medium"] == (1, 0)


def test_a_recheck_that_fell_due_within_the_week_is_overdue_now_and_was_not_before():
    log = Log().add("D1", "open", "2026-09-01", recheck_by="2026-09-30", owner="tom")
    made = report(log)
    assert rows(made, "totals", "what", "now", "before")["overdue"] == (1, 0)
    assert [(row["number"], row["days"], row["on"]) for row in made.tables["overdue"]] == [("D1", 4, "tom")]


def test_stubs_reserved_and_void_numbers_are_in_no_list_and_no_sum():
    log = Log().add("D1", "stub", "2026-09-29", documents=["b.md"]).add("D2", "reserve", "2026-09-29", holder="jay", expires="2026-10-30")
    log.add("D3", "open", "2026-09-29").add("D3", "void", "2026-09-30", reason="slip")
    made = report(log)
    assert made.tables["open"] == [] and sum(row["now"] for row in made.tables["ageing"]) == 0


def test_a_provisional_number_that_was_assigned_is_told_once():
    log = Log().add("D~3f9ac1", "open", "2026-09-29").add("D~3f9ac1", "assign", "2026-09-30", target="D5").add("D5", "open", "2026-09-29")
    assert rows(report(log), "changes", "event", "now")["open"] == 1


def test_the_most_dangerous_stands_first():
    log = Log().add("D1", "open", "2026-09-29", severity="low", claims=list("abcdef")).add("D2", "open", "2026-09-29", severity="high")
    log.add("D3", "open", "2026-09-29", severity="high", claims=["a", "b"]).add("D4", "open", "2026-09-01", severity="high")
    assert [row["number"] for row in report(log).tables["open"]] == ["D3", "D4", "D2", "D1"]


def test_records_without_a_source_are_counted_under_none():
    log = Log().add("D1", "open", "2026-09-29").add("D2", "open", "2026-09-29", sources=["arxiv:2609.23130"], kind="drift")
    made = report(log)
    assert rows(made, "matrix", "source", "derived", "drift") == {"": (1, 0), "arxiv:2609.23130": (0, 1)}
    assert "no source named" in markdown(made.page("en", ""))


def test_an_empty_week_after_others_says_as_many_as_before():
    made = report(Log().add("D1", "open", "2026-08-01"))
    assert "as many as before" in markdown(made.page("en", "")) and all(row["now"] == 0 for row in made.tables["changes"])


@pytest.mark.parametrize("lang, said", [("en", "Nothing is open."), ("zh", "没有未决记录。")])
def test_a_ledger_without_records_says_so(lang, said):
    page = report(Log()).page(lang, "")
    assert said in markdown(page) and said in html(page)


def test_a_first_week_says_that_there_is_none_before():
    page = report(Log().add("D1", "open", "2026-09-29")).page("en", "")
    assert "nothing before to compare with" in markdown(page)


def test_a_week_that_spans_new_year_counts_days_of_both_years():
    days = period(date(2027, 2, 1), week="2026-W53")
    log = Log().add("D1", "open", "2026-12-31").add("D2", "open", "2027-01-03").add("D3", "open", "2027-01-04")
    made = report(log, days)
    assert [row["number"] for row in made.tables["opened"]] == ["D1", "D2"] and made.tables["weeks"][-1]["week"] == "2026-W53"


def test_a_topic_leaves_out_the_others():
    log = Log().add("D1", "open", "2026-09-29", topic="llm-infra").add("D2", "open", "2026-09-29", topic="agents")
    assert [row["number"] for row in report(log, topic="LLM-infra").tables["open"]] == ["D1"]


def test_the_log_s_order_does_not_matter():
    log = Log()
    for n in (1, 2, 10):
        log.add(f"D{n}", "open", "2026-09-29").ran(f"{n}.md", "2026-09-30", silent=[f"arxiv:{n}"])
    turned = Log(reversed(list(log.items())))
    assert html(report(log).page("zh", "../")) == html(report(turned).page("zh", "../"))


def test_open_over_time_ends_with_what_is_open():
    log = (
        Log()
        .add("D1", "open", "2026-05-01", severity="high")
        .add("D2", "open", "2026-09-29")
        .add("D1", "resolve", "2026-10-01", resolution="corrected")
    )
    series = report(log).tables["series"]
    assert [row["high"] for row in series][0] == 1 and (series[-1]["high"], series[-1]["medium"]) == (0, 1)


def test_proposals_and_evidence_are_what_could_be_settled_today():
    log = Log().add("D1", "open", "2026-09-01").add("D1", "propose", "2026-09-30", resolution="corrected", reason="says 3.4×", evidence="b.md:7")
    log.add("D2", "open", "2026-09-01").add("D2", "evidence", "2026-09-30", reason="released", evidence="github:a/b fetched")
    made = report(log)
    assert [row["number"] for row in made.tables["proposed"]] == ["D1"] and [row["number"] for row in made.tables["evidence"]] == ["D2"]
    assert "`verify d resolve --proposed D1`" in markdown(made.page("en", ""))


def test_the_tool_s_own_figures_take_the_last_run_of_each_document():
    log = Log().ran("b.md", "2026-09-29", verdicts={"derived": {"fail": 5}}).ran("b.md", "2026-09-30", verdicts={"derived": {"fail": 2, "undecided": 1}}, silent=["arxiv:1"])  # fmt: skip
    log.add("D1", "open", "2026-09-29").add("D1", "dismiss", "2026-09-30", fingerprint="f", reason="no")
    tool = rows(report(log), "tool", "what", "now")
    assert (tool["documents"], tool["fail"], tool["undecided"], tool["silent"], tool["dismissed"]) == (1, 2, 1, 1, 1)


def test_long_lists_end_visibly():
    log = Log()
    for n in range(1, 240):
        log.add(f"D{n}", "open", "2026-09-29")
    text = markdown(report(log).page("en", ""))
    assert "and 39 more: `verify d list --open`" in text and "and 227 more" in text


def test_a_record_links_to_its_file_its_documents_and_lines():
    place = {"document": "inbox/第 1 份.md", "line": 7, "text": "吞吐 4.15× 高", "mark": [3, 8]}
    page = report(Log().add("D12", "open", "2026-09-29", places=[place])).page("en", "../")
    made = html(page)
    assert 'href="../claims/ledger/D0012.jsonl"' in made and 'href="../inbox/%E7%AC%AC%201%20%E4%BB%BD.md#L7"' in made
    assert "吞吐 <mark>4.15×</mark> 高" in made and "**4.15×**" in markdown(page)


def test_w40_is_the_week_that_it_says():
    assert (W40.first, W40.last) == (date(2026, 9, 28), date(2026, 10, 4))
