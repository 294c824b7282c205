"""`verify d` what a writer and a coordinator do with records."""

from __future__ import annotations

import json
import time
from datetime import date, timedelta

import jsonschema
import pytest
from conftest import ROOT

BRIEFING = """\
# kv-cache 简报 2026-10-02

三、值得警惕的矛盾或待核实说法

D31：解码吞吐 2.7× 的基线不明（⚠⚠⚬）

  • 问题：只写 2.7×，没有写与什么相比
  • 影响：容量规划可能偏乐观
  • 建议：补上基线后再收录

五、D 表

编号 内容 风险等级
D32 ⚠⚠⚠ 命中率 118% 的分母 高

D1-D30 沿用
"""


@pytest.fixture
def group(verify, tmp_path):
    """A root with one briefing whose entries are imported."""
    verify("init")
    (tmp_path / "b.md").write_text(BRIEFING, encoding="utf-8")
    assert verify("d", "import", "b.md").returncode == 0
    return tmp_path


def listed(verify, *words):
    return [r["number"] for r in json.loads(verify("d", "list", *words, "--format", "json").out)]


def test_import_takes_entries_with_their_text_and_stubs_for_what_is_carried(verify, group):
    record = json.loads(verify("d", "show", "D31", "--format", "json").out)
    jsonschema.validate(record, json.loads((ROOT / "docs" / "schema" / "discrepancy.json").read_text()))
    assert record["problem"] == "只写 2.7×，没有写与什么相比" and record["mark"] == "⚠⚠⚬" and record["severity"] == "medium"
    assert json.loads(verify("d", "show", "D30", "--format", "json").out)["state"] == "unknown"
    assert listed(verify) == ["D31", "D32"]


def test_a_number_that_means_something_else_is_reported_with_both_texts_and_the_rest_goes_on(verify, group):
    (group / "c.md").write_text("D31：完全不同的一件事情（⚠⚬⚬）\n\nD33：新的待核（⚠⚬⚬）\n", encoding="utf-8")
    done = verify("d", "import", "c.md")
    assert done.returncode == 1 and "完全不同的一件事情" in done.out and "基线不明" in done.out
    assert listed(verify) == ["D31", "D32", "D33"]


def test_the_same_entry_in_other_words_is_carried(verify, group):
    (group / "c.md").write_text("D31：解码吞吐 2.7× 的基线不明（仅一个来源，差距可达两成）（⚠⚠⚬）\n", encoding="utf-8")
    assert [item["what"] for item in json.loads(verify("d", "import", "c.md", "--format", "json").out)] == ["carried"]


def test_what_is_printed_for_a_briefing_is_read_back_as_the_same_entry(verify, group, tmp_path_factory):
    page = verify("d", "show", "D31", "D32", "--format", "briefing").out
    assert "D32 ⚠⚠⚠ 命中率 118% 的分母 高" in page.splitlines()
    other = tmp_path_factory.mktemp("other")
    verify("init", folder=other)
    (other / "b.md").write_text(page, encoding="utf-8")
    assert verify("d", "import", "b.md", folder=other).returncode == 0
    again = json.loads(verify("d", "show", "D31", "--format", "json", folder=other).out)
    before = json.loads(verify("d", "show", "D31", "--format", "json").out)
    assert {k: again[k] for k in ("title", "mark", "severity", "problem", "impact", "suggestion")} == {
        k: before[k] for k in ("title", "mark", "severity", "problem", "impact", "suggestion")
    }


def test_a_record_opened_by_hand_gets_the_next_number_once(verify, group):
    words = ("d", "open", "价格单位不清", "--severity", "low", "--document", "b.md", "--op-id", "one", "--owner", "kim")
    assert [verify(*words).returncode for _ in range(2)] == [0, 0]
    assert listed(verify, "--owner", "kim") == ["D33"]
    refused = verify("d", "open", "价格", "--severity", "low")
    assert refused.returncode == 2 and "needs claims or documents" in refused.err


def test_reserved_numbers_are_held_and_not_handed_out(verify, group):
    assert "D33" in verify("d", "reserve", "2", "--for", "jay", "--until", "2026-12-31").out
    verify("d", "open", "next", "--severity", "low", "--document", "b.md")
    assert listed(verify) == ["D31", "D32", "D33", "D34", "D35"]
    refused = verify("d", "reserve", "2", "--for", "jay")
    assert refused.returncode == 2 and "--until DAY" in refused.err


def test_filters_narrow_the_list(verify, group):
    verify("d", "owner", "D31", "--owner", "kim")
    verify("d", "wait", "D32", "--waiting-on", "the vendor", "--recheck-by", "2026-10-05")
    assert listed(verify, "--owner", "kim") == ["D31"]
    assert listed(verify, "--severity", "high") == ["D32"]
    assert listed(verify, "--overdue", "--as-of", "2026-10-06") == ["D32"]
    assert listed(verify, "--topic", "KV-CACHE") == ["D31", "D32"] and listed(verify, "--topic", "命中率") == ["D32"]
    assert "overdue since 2026-10-05" in verify("d", "list", "--open", "--as-of", "2026-10-06").out


def test_a_source_finds_the_records_about_it(verify, example):
    verify("run", "briefing.md", "--offline", folder=example)
    found = json.loads(verify("d", "list", "--source", "2609.99999", "--format", "json", folder=example).out)
    assert any("2609.99999" in record["title"] for record in found)
    other = json.loads(verify("d", "list", "--source", "2501.01005", "--format", "json", folder=example).out)
    assert not {record["number"] for record in found} & {record["number"] for record in other}


def test_a_dismissed_finding_is_honoured_by_later_runs(verify, example):
    verify("run", "briefing.md", "--offline", folder=example)
    record = json.loads(verify("d", "show", "D13", "--format", "json", folder=example).out)
    assert verify("d", "dismiss", record["findings"][0], folder=example).returncode == 2
    verify("d", "dismiss", *record["findings"], "--reason", "a typing slip in the log", folder=example)
    after = json.loads(verify("d", "show", "D13", "--format", "json", folder=example).out)
    assert (after["state"], after["resolution"]) == ("resolved", "false_alarm")
    again = json.loads(verify("run", "briefing.md", "--offline", "--format", "json", folder=example).out)
    assert "D13" not in {d["number"] for d in again["discrepancies"]}


@pytest.mark.parametrize("action", ["show", "open", "reserve", "import", "dismiss", "take"])
def test_each_action_says_what_it_needs(verify, group, action):
    done = verify("d", action)
    assert done.returncode == 2 and f"d {action}: needs" in done.err


def test_an_entry_that_the_program_opened_is_known_again_when_a_writer_pastes_it(verify, example):
    verify("run", "briefing.md", "--offline", folder=example)
    page = verify("d", "list", "--open", "--format", "briefing", folder=example).out
    (example / "next.md").write_text(page, encoding="utf-8")
    done = verify("d", "import", "next.md", "--format", "json", folder=example)
    assert done.returncode == 0 and {item["what"] for item in json.loads(done.out)} == {"carried"}


@pytest.mark.parametrize("words", [("take", "--as", "kim", "D31"), ("--as", "kim", "take", "D31"), ("take", "D31", "--as", "kim")])
def test_a_record_may_stand_before_or_behind_the_flags(verify, group, words):
    assert verify("d", *words).returncode == 0
    record = json.loads(verify("d", "--format", "json", "show", "D31").out)
    assert record["state"] == "checking" and record["events"][-1]["actor"] == "kim"


def test_the_records_of_an_old_briefing_are_not_born_overdue(verify, group):
    (group / "old.md").write_text("# 简报 2024-01-05\n\nD40：旧的待核（⚠⚬⚬）\n\n第二组复测：412.0 vs 120.0 tok/s = 4.15×\n", encoding="utf-8")
    (group / "older.md").write_text("# 简报 2024-01-04\n\nD45：更旧的待核（⚠⚬⚬）\n", encoding="utf-8")
    assert verify("run", "old.md", "--offline").returncode == 0 and verify("d", "import", "older.md").returncode == 0
    due = {r["number"]: r["recheck_by"] for r in json.loads(verify("d", "list", "--format", "json").out)}
    later = (date.today() + timedelta(days=29)).isoformat()
    assert all(due[number] >= later for number in ("D40", "D41", "D45"))


def test_a_list_says_the_same_from_a_glance_and_from_an_opened_ledger(verify, group):
    asked = ("--open", "--severity", "medium", "--topic", "BRIEFING"), ("--topic", "%"), ("--source", "b_"), ("--owner", "x"), ("--topic", "kv-CACHE")
    opened = [verify("d", "list", *words).out for words in asked]
    time.sleep(0.1)
    verify("d", "list")  # files of a moment ago are read once more, then they are known
    assert [verify("d", "list", *words).out for words in asked] == opened
    assert "D32" in opened[1] and opened[2] == "" and "D31" in opened[4]
