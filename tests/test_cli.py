"""The commands through real processes: exit codes, words, JSON against the published schemas."""

from __future__ import annotations

import json
import os
import sqlite3

import jsonschema
import pytest
from conftest import ROOT

from verifier.family import members

COMMANDS = list(members("verifier.commands"))


def published(name):
    return json.loads((ROOT / "docs" / "schema" / f"{name}.json").read_text(encoding="utf-8"))


def test_the_example_yields_its_planted_faults_and_no_other(verify, example):
    done = verify("run", "briefing.md", "--offline", "--format", "json", folder=example)
    run = json.loads(done.out)
    jsonschema.validate(run, published("run"))
    assert done.returncode == 0
    assert {f["kind"] for f in run["findings"] if f["verdict"] == "fail"} == {"derived", "required-context", "bounds", "exists", "freshness"}
    assert {d["number"]: d["what"] for d in run["discrepancies"]} == {
        "D12": "imported",
        "D13": "opened",
        "D14": "opened",
        "D15": "opened",
        "D16": "opened",
    }


def test_a_second_run_opens_nothing_and_says_what_was_seen_again(verify, example):
    verify("run", "briefing.md", "--offline", folder=example)
    again = json.loads(verify("run", "briefing.md", "--offline", "--format", "json", folder=example).out)
    assert {d["what"] for d in again["discrepancies"]} == {"carried", "seen_again"}


def test_without_a_root_it_is_a_draft_and_says_so(verify, tmp_path):
    (tmp_path / "b.md").write_text("测得 412.0 vs 120.0 tok/s = 4.15×\n", encoding="utf-8")
    done = verify("run", "b.md")
    assert done.returncode == 0 and "draft" in done.err and not (tmp_path / "claims").exists()


def test_fail_on_exits_1_and_the_format_does_not_change_it(verify, example):
    codes = {
        verify("run", "briefing.md", "--draft", "--fail-on", "high", "--format", f, folder=example).returncode for f in ("text", "json", "sarif")
    }
    assert codes == {1}


def test_zero_claims_are_said_aloud(verify, tmp_path):
    (tmp_path / "b.md").write_text("nothing to count here\n")
    assert "no claims" in verify("run", "b.md").err
    assert verify("run", "b.md", "--strict").returncode == 3


@pytest.mark.parametrize("name, data", [("empty.md", b""), ("image.png", b"\x89PNG\r\n\x1a\n0000")])
def test_unreadable_files_give_one_sentence_and_exit_2(verify, tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    done = verify("run", name)
    assert done.returncode == 2 and name in done.err and len(done.err.strip().splitlines()) == 1


def test_missing_file_folder_and_flag_exit_2(verify, tmp_path):
    assert [verify("run", name).returncode for name in ("gone.md", ".")] == [2, 2]
    assert verify("run", "--no-such-flag", "x").returncode == 2
    assert verify("nonsense").returncode == 2


def test_verify_alone_says_what_it_takes(verify):
    done = verify()
    assert done.returncode == 2 and done.err.startswith("verify: the following arguments are required: COMMAND") and "Traceback" not in done.err


def test_a_file_named_like_a_flag_is_told_how_to_be_named(verify, tmp_path):
    (tmp_path / "-x.md").write_text("hit rate 92.2%\n")
    assert "write ./-x.md" in verify("run", "-x.md").err
    assert verify("run", "./-x.md").returncode == 0


def test_nothing_is_recorded_where_one_of_the_files_is_missing(verify, example):
    done = verify("run", "briefing.md", "gone.md", "--offline", folder=example)
    assert done.returncode == 2 and "gone.md" in done.err
    assert json.loads(verify("d", "list", "--format", "json", folder=example).out) == []


@pytest.mark.parametrize(
    "words",
    [
        ("run", "briefing.md", "--budget", "nan"),
        ("run", "briefing.md", "--budget", "-5"),
        ("fetch", "briefing.md", "--budget", "inf"),
        ("gate", "briefing.md", "--as-of", "2026-W40"),
        ("gate", "briefing.md", "--as-of", "9999-12-31"),
        ("gate", "briefing.md", "--as-of", "20260927"),
        ("gate", "--text", " "),
        ("gate", "--staged"),
        ("rules", "new", "--format", "json"),
    ],
)
def test_values_that_cannot_be_used_give_one_sentence_and_exit_2(verify, example, words):
    done = verify(*words, folder=example)
    assert done.returncode == 2 and len(done.err.strip().splitlines()) == 1


def test_a_policy_that_names_no_rule_is_refused_by_run_too(verify, example):
    (example / "verify.toml").write_text('require = ["nothing"]\n')
    done = verify("run", "briefing.md", "--offline", folder=example)
    assert done.returncode == 2 and "'nothing' is no rule and no kind" in done.err


@pytest.mark.parametrize("name", [b"bad\xff.md", b"x" * 250 + b".md"])
def test_a_name_that_cannot_be_kept_is_refused_before_anything_is_recorded(verify, example, name):
    path = os.path.join(os.fsencode(example), name)
    with open(path, "wb") as file:
        file.write(b"hit rate 120%\n")
    done = verify("run", os.fsdecode(name), "--offline", folder=example)
    assert done.returncode == 2 and "its name is" in done.err
    assert json.loads(verify("d", "list", "--format", "json", folder=example).out) == []


@pytest.mark.parametrize("command", ["gate", "extract", "fetch"])
def test_every_reader_warns_of_broken_text(verify, tmp_path, command):
    (tmp_path / "verify.toml").touch()
    (tmp_path / "b.md").write_bytes(b"the hit rate was 92.2% \x00 in the end\n")
    assert "NUL bytes were read as U+FFFD" in verify(command, "b.md").err


def test_numbers_that_the_briefing_carries_from_an_older_series_are_doubted(verify, tmp_path):
    (tmp_path / "verify.toml").touch()
    (tmp_path / "a.md").write_text("on the A100 the hit rate was 120%\n")
    (tmp_path / "b.md").write_text("六、D1–D5 沿用；the hit rate was 91%\n", encoding="utf-8")
    verify("run", "a.md", "--offline")
    run = json.loads(verify("run", "b.md", "--offline", "--format", "json").out)
    assert [d["number"] for d in run["discrepancies"] if d["warning"]] == ["D1"]


def test_errors_are_json_where_json_was_asked_for(verify):
    done = verify("run", "gone.md", "--format", "json")
    assert json.loads(done.out)["code"] == 2


def test_nul_and_broken_utf8_are_read_with_a_warning(verify, tmp_path):
    (tmp_path / "b.md").write_bytes(b"hit rate 92.2%\x00\xff\n")
    done = verify("run", "b.md")
    assert done.returncode == 0 and "read as" in done.out


def test_a_broken_rule_file_reports_itself_and_the_others_run(verify, example):
    (example / "rules").mkdir()
    (example / "rules" / "own.yaml").write_text("schema: verify-rules/1\nrules:\n  - {id: 2609.2}\n")
    done = verify("run", "briefing.md", "--offline", folder=example)
    assert done.returncode == 2 and "own.yaml:3" in done.err and "ARI001" in done.out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command_has_an_example(verify, command):
    done = verify(command, "--help")
    assert done.returncode == 0 and f"example: verify {command}" in " ".join(done.out.split())


def test_records_are_listed_shown_and_resolved(verify, example):
    verify("run", "briefing.md", "--offline", folder=example)
    assert len(json.loads(verify("d", "list", "--open", "--format", "json", folder=example).out)) == 5
    refused = verify("d", "resolve", "D13", "--resolution", "corrected", folder=example)
    assert refused.returncode == 2 and "needs reason" in refused.err
    done = verify(
        "d", "resolve", "D13", "--resolution", "corrected", "--reason", "typo", "--evidence", "bench log", "--format", "json", folder=example
    )
    record = json.loads(done.out)
    jsonschema.validate(record, published("discrepancy"))
    assert record["state"] == "resolved"
    assert "编号 内容 风险等级" in verify("d", "show", "D14", "--format", "briefing", folder=example).out


def test_gate_passes_blocks_and_refuses_to_guess(verify, example):
    verify("run", "briefing.md", "--offline", folder=example)
    lines = {
        "sound.md": ("共享前缀负载下 P50 TTFT 从 480 ms 降至 95 ms", 0),
        "wrong.md": ("第二组复测：412.0 vs 120.0 tok/s = 4.15×", 1),
        "unknown.md": ("Kimi 吞吐量 777 tok/s", 3),
    }
    for name, (text, code) in lines.items():
        (example / name).write_text(text + "\n", encoding="utf-8")
        assert verify("gate", name, folder=example).returncode == code, name
    assert verify("gate", "gone.md", folder=example).returncode == 2


def test_report_and_status_are_written_from_the_ledger(verify, example):
    verify("run", "briefing.md", "--offline", folder=example)
    first = verify("report", "--week", "2026-W40", folder=example)
    text = (example / "reports" / "2026-W40.md").read_bytes()
    verify("report", "--week", "2026-W40", folder=example)
    assert first.returncode == 0 and (example / "reports" / "2026-W40.md").read_bytes() == text
    state = json.loads(verify("status", "--as-of", "2026-09-29", "--format", "json", folder=example).out)
    assert state["open"] == {"high": 2, "medium": 3} and state["overdue"] == []


def test_rules_list_explain_and_test(verify):
    assert verify("rules", "test").returncode == 0
    assert "## 为何" in verify("rules", "explain", "ARI001", "--lang", "zh").out
    assert verify("rules", "explain", "NOPE").returncode == 2


def test_extract_prints_claims_that_fit_the_schema(verify, example):
    lines = verify("extract", "briefing.md", "--format", "jsonl", folder=example).out.splitlines()
    text = (example / "briefing.md").read_text(encoding="utf-8")
    assert len(lines) > 10
    for claim in map(json.loads, lines):
        jsonschema.validate(claim, published("claim"))
        assert text[claim["start"] : claim["end"]] == claim["text"]


def test_the_published_schemas_are_those_of_the_types(verify, tmp_path):
    verify("schema", "--out", "schema")
    for path in sorted((ROOT / "docs" / "schema").glob("*.json")):
        assert (tmp_path / "schema" / path.name).read_text() == path.read_text(), "run `make docs`"


def test_init_writes_a_root_once(verify, tmp_path):
    assert [verify("init").returncode for _ in range(2)] == [0, 2]


def test_a_corrupt_ledger_is_one_sentence(verify, example):
    (example / "claims" / "ledger.db").write_bytes(b"not a database" * 100)
    done = verify("d", "list", folder=example)
    assert done.returncode == 2 and "ledger" in done.err
    assert sqlite3.sqlite_version


def test_ledger_check_says_what_differs_and_rebuild_restores_it(verify, example):
    verify("run", "briefing.md", "--offline", folder=example)
    assert verify("ledger", "check", folder=example).returncode == 0
    (example / "claims" / "ledger" / "D0013.jsonl").unlink()
    differs = verify("ledger", "check", folder=example)
    assert differs.returncode == 3 and "the next start adds them" in differs.out
    assert verify("ledger", "rebuild", folder=example).returncode == 0
    assert verify("ledger", "check", folder=example).returncode == 0


@pytest.mark.parametrize(
    "text", ["（" * 20_000 + "吞吐 3.8×", "![[[((((" * 8_000 + " 5.15x", "<table><tr><td>1.5x<td>" * 300, "6 件 = " + " + ".join(["项"] * 2_000)]
)
def test_hostile_text_ends_cleanly(verify, tmp_path, text):
    (tmp_path / "hostile.md").write_text(text, encoding="utf-8")
    assert verify("run", "hostile.md", "--draft", "--offline", folder=tmp_path).returncode == 0
