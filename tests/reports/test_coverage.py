"""Briefings expected and come; writers that agree or do not."""

from __future__ import annotations

from datetime import date, datetime

from tests.reports._ledger import W40, ZONE, Log, report
from verifier.extract import extract
from verifier.read import read
from verifier.reports._coverage import unanswered
from verifier.settings import Expected

SPARK = Expected("spark", "llm-infra", "18:40", date(2026, 9, 1))


def wrote(*days, **about):
    log = Log()
    for day in days:
        log.ran(f"{day}.md", day, **about)
    return log


def row(log, days=W40, expected=SPARK, **more):
    return report(log, days, schedule=(expected,), **more).tables["coverage"][0]


def test_each_day_of_the_schedule_is_expected_and_what_came_is_counted():
    made = row(wrote("2026-09-28", "2026-09-30", "2026-10-04"))
    assert (made["expected"], made["came"], made["missing"]) == (7, 3, 4)
    assert made["missed_days"] == ["2026-09-29", "2026-10-01", "2026-10-02", "2026-10-03"]


def test_gap_days_are_counted_from_the_last_briefing_that_came_however_long_ago():
    assert row(wrote("2026-09-20"))["gap"] == 14


def test_a_gap_begins_no_earlier_than_the_schedule():
    assert row(Log(), expected=Expected("spark", "llm-infra", "18:40", date(2026, 10, 1)))["gap"] == 4


def test_a_gap_is_closed_by_a_briefing_of_the_last_day():
    assert row(wrote("2026-10-04"))["gap"] == 0


def test_a_day_that_is_still_running_is_no_gap_yet():
    days = W40._replace(last=date(2026, 10, 1))
    made = row(wrote("2026-09-28", "2026-09-29", "2026-09-30"), days, running=date(2026, 10, 1))
    assert (made["expected"], made["missing"], made["gap"]) == (3, 0, 0)


def test_another_writer_or_topic_does_not_answer():
    assert row(wrote("2026-09-28", author="jay"))["came"] == 0
    assert row(wrote("2026-09-28", topic="agents"))["came"] == 0


def test_the_document_s_day_counts_not_that_of_the_run():
    assert row(Log().ran("b.md", "2026-10-03", as_of="2026-09-28"))["missed_days"][0] == "2026-09-29"


def test_what_was_written_after_its_time_is_late():
    assert row(wrote("2026-09-28", written="2026-09-28T18:41+08:00"))["late"] == 1
    assert row(wrote("2026-09-28", written="2026-09-28T18:40+08:00"))["late"] == 0
    assert row(wrote("2026-09-28", written="2026-09-28T10:41+00:00"))["late"] == 1


def test_unanswered_is_what_was_due_by_this_very_time():
    def missing(at):
        return [d.day.day for d in unanswered([SPARK], [], datetime.fromisoformat(at).replace(tzinfo=ZONE), days=2)]

    assert missing("2026-10-02T18:39") == [1] and missing("2026-10-02T18:40") == [1, 2]


def agreed(one, two):
    texts = {"jay.md": one, "spark.md": two}
    log = Log()
    for document in texts:
        log.ran(document, "2026-09-29", author=document[:-3])
    claims = {name: extract(read(text.encode(), name)) for name, text in texts.items()}
    return [(row["answer"], row["value"]) for row in report(log, claims=claims).tables["agreement"]]


SAID = "Qwen3-30B 在 vLLM 0.11.0、H100 SXM 80GB、TP=2、FP8、batch 16、输入 1024 输出 256 下吞吐量 {} tok/s\n"


def test_two_writers_that_give_one_value_agree():
    assert ("equal", "3,412 tok/s") in agreed(SAID.format("3,412"), SAID.format("3,412"))


def test_two_writers_that_give_two_values_differ():
    assert ("different", "3,412 tok/s / 5,200 tok/s") in agreed(SAID.format("3,412"), SAID.format("5,200"))


def test_one_writer_is_not_held_against_himself():
    log = Log().ran("a.md", "2026-09-29").ran("b.md", "2026-09-29")
    claims = {name: extract(read(SAID.format(n).encode(), name)) for name, n in (("a.md", 3412), ("b.md", 5200))}
    assert report(log, claims=claims).tables["agreement"] == []
