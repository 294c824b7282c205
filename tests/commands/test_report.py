"""`verify report`: what it writes, and what it says of flags that do not fit."""

from __future__ import annotations

import csv
import json

import pytest


@pytest.fixture
def report(verify, example):
    verify("run", "briefing.md", "--offline", folder=example)
    return lambda *words: verify("report", *words, folder=example)


def test_it_writes_markdown_and_html_named_by_the_week(report, example):
    done = report("--week", "2026-W40")
    assert done.returncode == 0 and sorted(p.name for p in (example / "reports").iterdir()) == ["2026-W40.html", "2026-W40.md"]


def test_the_same_ledger_gives_the_same_bytes(report, example):
    def written():
        report("--since", "2026-01-01", "--lang", "zh")
        return [p.read_bytes() for p in sorted((example / "reports").iterdir())]

    assert written() == written()


def test_links_lead_from_where_it_is_written_to_the_root(report, example):
    report("--since", "2026-01-01", "--out", "reports/deep")
    (page,) = (example / "reports" / "deep").glob("*.html")
    assert 'href="../../claims/ledger/D0013.jsonl"' in page.read_text() and (page.parent / "../../claims/ledger/D0013.jsonl").exists()


def test_json_has_the_tables(report):
    tables = json.loads(report("--since", "2026-01-01", "--format", "json").out)
    assert {row["number"] for row in tables["open"]} == {"D12", "D13", "D14", "D15", "D16"} and tables["period"]["topic"] is None


def test_csv_is_one_file_a_table(report, example):
    done = report("--since", "2026-01-01", "--format", "csv")
    path = next(p for p in done.out.split() if p.endswith("/open.csv"))
    with open(example / path, encoding="utf-8", newline="") as file:
        assert [row["number"] for row in csv.DictReader(file)][:2] == ["D13", "D15"]


@pytest.mark.parametrize(
    "words, said",
    [
        (("--week", "2026-W99"), "--week '2026-W99'"),
        (("--week", "2026-W40", "--since", "2026-09-28"), "--week and --since"),
        (("--as-of", "soon"), "--as-of"),
        (("--since", "2026-13-01"), "--since"),
        (("--out", "/dev/null"), "--out /dev/null: is not a folder"),
        (("--out", "/dev/null/x"), "--out /dev/null/x: is not a folder"),
        (("--lang", "fr"), "--lang"),
    ],
)
def test_what_cannot_be_used_is_one_sentence_naming_the_flag(report, words, said):
    done = report(*words)
    assert done.returncode == 2 and said in done.err and done.err.count("\n") == 1


def test_a_schedule_that_cannot_be_used_names_the_entry(report, example):
    (example / "verify.toml").write_text('[[schedule]]\nauthor = "spark"\ntime = "25:00"\nfrom = 2026-09-01\n')
    done = report()
    assert done.returncode == 2 and "[[schedule]] 1: time" in done.err
