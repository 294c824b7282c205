"""`verify rules` through a real process: list, coverage, try, new."""

from __future__ import annotations

import json


def test_coverage_names_the_rules_that_never_spoke(verify, example):
    done = verify("rules", "coverage", "briefing.md", "--format", "json", folder=example)
    spoke = {row["rule"]: set(row) - {"rule"} for row in json.loads(done.out)}
    assert done.returncode == 0 and spoke["ARI001"] and not spoke["CNT007"]


def test_try_says_what_a_rule_would_report(verify, example):
    done = verify("rules", "try", "derived-ratio", "briefing.md", folder=example)
    assert done.returncode == 0 and "briefing.md:" in done.out and "ARI001 would report" in done.err


def test_new_prints_a_rule_file(verify, example):
    done = verify("rules", "new", "count", folder=example)
    assert done.returncode == 0 and done.out.startswith("schema: verify-rules/1")


def test_an_unknown_kind_is_one_sentence(verify, example):
    done = verify("rules", "new", "magic", folder=example)
    assert done.returncode == 2 and "no kind 'magic'" in done.err


OWN = """\
schema: verify-rules/1
rules:
  - id: HIT9
    was: [PERF001]
    slug: hit-rate
    kind: bounds
    severity: high
    opens: discrepancy
    version: "2"
    title: {en: a hit rate over 105 %, zh: 命中率过高}
    why: A share of requests cannot exceed the whole.
    fix: Check the denominator.
    when: {metric: cache_hit_rate}
    bounds: {high: 105}
    tests: [{text: "hit rate 120%", expect: fail}, {text: "hit rate 20%", expect: pass}]
"""


def test_list_tells_what_the_ledger_knows_of_a_rule(verify, example):
    verify("run", "briefing.md", "--offline", folder=example)
    finding = next(
        f for f in json.loads(verify("run", "briefing.md", "--offline", "--format", "json", folder=example).out)["findings"] if f["rule"] == "ARI001"
    )
    assert verify("d", "dismiss", finding["fingerprint"], "--reason", "quoted as printed", folder=example).returncode == 0
    row = next(r for r in json.loads(verify("rules", "list", "--format", "json", folder=example).out) if r["id"] == "ARI001")
    assert (row["findings"], row["dismissed"], row["live"], row["records"]) == (1, 1, 0, 1)


def test_try_holds_a_rule_file_against_the_rule_it_replaces(verify, example):
    (example / "draft.yaml").write_text(OWN, encoding="utf-8")
    done = verify("rules", "try", "draft.yaml", "briefing.md", folder=example)
    assert done.returncode == 0 and "HIT9 would report 0 findings" in done.err and "0 more, 1 fewer" in done.err
    assert done.out.startswith("- ") and "104.2%" in done.out


def test_try_takes_a_folder_and_says_when_it_holds_nothing(verify, example):
    (example / "empty").mkdir()
    done = verify("rules", "try", "ARI001", "empty", folder=example)
    assert done.returncode == 2 and "no Markdown or text there" in done.err


def test_a_rule_is_found_by_the_name_it_had(verify, example):
    done = verify("rules", "explain", "WOR001", folder=example)
    assert done.returncode == 0 and done.out.startswith("# STA001") and "Was: WOR001" in done.out


def test_a_renamed_rule_keeps_its_record(verify, example):
    first = json.loads(verify("run", "briefing.md", "--offline", "--format", "json", folder=example).out)
    held = next(f["discrepancy"] for f in first["findings"] if f["rule"] == "PERF001")
    (example / "rules").mkdir()
    shipped = OWN.replace("high: 105", "high: 100")
    (example / "rules" / "own.yaml").write_text(shipped, encoding="utf-8")
    again = json.loads(verify("run", "briefing.md", "--offline", "--format", "json", folder=example).out)
    found = [f for f in again["findings"] if "104.2%" in f["message"] and f["kind"] == "bounds"]
    assert [(f["rule"], f["discrepancy"]) for f in found] == [("HIT9", held)]
    assert not [d for d in again["discrepancies"] if d["what"] == "opened"]


def test_a_retired_rule_is_listed_and_explained_and_judges_nothing(verify, example):
    (example / "rules").mkdir()
    retired = (
        OWN.replace("    was: [PERF001]\n", "")
        .replace("HIT9", "PERF001")
        .replace("    why:", "    retired: the gateway reports shares by another name now\n    why:")
    )
    (example / "rules" / "own.yaml").write_text(retired, encoding="utf-8")
    run = json.loads(verify("run", "briefing.md", "--offline", "--format", "json", folder=example).out)
    assert not [f for f in run["findings"] if f["rule"] == "PERF001"]
    assert "retired" in verify("rules", "list", "PERF001", folder=example).out
    assert "Retired: the gateway" in verify("rules", "explain", "PERF001", folder=example).out


def test_test_shows_each_example_of_a_named_rule(verify, example):
    done = verify("rules", "test", "PERF001", folder=example)
    assert done.returncode == 0 and "expected fail, got fail" in done.out and "expected pass, got pass" in done.out


TOLD = "llm-infra · 简报（{day}）\n\n执行体：甲\n\nvLLM 在 {card} 上 Llama-3.1-8B FP8 的吞吐为 {rate} tok/s。\n"


def told(verify, folder, day, rate, card="H100 SXM"):
    (folder / f"{day}.md").write_text(TOLD.format(day=day, rate=rate, card=card), encoding="utf-8")
    return json.loads(verify("run", f"{day}.md", "--offline", "--format", "json", folder=folder).out)


def test_a_value_that_an_earlier_briefing_gave_otherwise_is_found_with_its_place(verify, example):
    told(verify, example, "2026-09-01", "9,400")
    (found,) = [f for f in told(verify, example, "2026-09-02", "7,100")["findings"] if f["rule"] == "CON009"]
    assert [place["document"] for place in found["locations"]] == ["2026-09-02.md", "2026-09-01.md"] and found["discrepancy"]


def test_an_unlike_setup_or_a_later_briefing_contradicts_nothing(verify, example):
    told(verify, example, "2026-09-03", "9,400")
    for day, card in (("2026-09-04", "H200"), ("2026-09-02", "H100 SXM")):
        assert not [f for f in told(verify, example, day, "7,100", card)["findings"] if f["rule"] == "CON009"]
