"""Every format says the same, escapes what comes from documents, and leaves the exit code alone."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest
from pydantic import BaseModel
from sarif_pydantic import Sarif

from verifier.family import member, members
from verifier.models import Counts, Finding, Location, Run

FORMATS = list(members("verifier.formats"))
HOSTILE = 'a | b `c` <d> & "e" %0A::error::f\r\n@g ]]> \x0b'


def finding(**changed):
    fields = {
        "rule": "PERF001", "rule_version": "1", "kind": "bounds", "verdict": "fail", "severity": "high", "message": "104.2% is over 100 %",
        "message_zh": "104.2% 超过 100%", "working": ("104.2 > 100",), "fix": "Check the denominator.", "cause": "PERF001|x", "fingerprint": "ab",
        "locations": (Location(document="inbox/简报 1.md", line=3, end_line=3, text="104.2%"),),
    }  # fmt: skip
    return Finding(**(fields | changed))


def run(*findings):
    return Run(run="x", document="inbox/简报 1.md", as_of="2026-09-28", recorded=False, counts=Counts(claims=2), findings=findings)


FOUND = run(
    finding(),
    finding(rule="EX001", verdict="undecided", severity="medium", message="not found so far", message_zh="暂未找到", fingerprint="cd"),
    finding(suppressed="known (spark, until 2026-12-31)", fingerprint="ef"),
    finding(baseline=True, fingerprint="gh"),
    finding(severity="low", message=HOSTILE, message_zh=HOSTILE, fix=HOSTILE, fingerprint="ij"),
)


def rendered(word, *runs, lang="en"):
    return member("verifier.formats", word).render(runs or [FOUND], lang=lang)


@pytest.mark.parametrize("word", FORMATS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_format_shows_what_fails_and_is_the_same_each_time(word, lang):
    text = rendered(word, lang=lang)
    assert "104.2%" in text.replace("%25", "%") and text == rendered(word, lang=lang)
    assert rendered(word, run()) is not None


def test_sarif_has_what_the_standard_requires():
    log = json.loads(rendered("sarif"))
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json") and len(log["runs"]) == 1
    driver, results = log["runs"][0]["tool"]["driver"], log["runs"][0]["results"]
    assert driver["name"] and all(r["id"] and r["help"]["text"] and r["shortDescription"]["text"] for r in driver["rules"])
    assert len({r["id"] for r in driver["rules"]}) == len(driver["rules"])
    for r in results:
        assert driver["rules"][r["ruleIndex"]]["id"] == r["ruleId"] and r["message"]["text"] and r["partialFingerprints"]["verify/1"]
        assert r["level"] in ("none", "note", "warning", "error") and (r.get("kind", "fail") == "fail" or r["level"] == "none")
        place = r["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"].isascii() and " " not in place["artifactLocation"]["uri"]
        assert 1 <= place["region"]["startLine"] <= place["region"]["endLine"]
        for s in r.get("suppressions", ()):
            assert s["kind"] in ("inSource", "external") and s["status"] == "accepted" and s["justification"]
    assert [r["level"] for r in results] == ["error", "none", "note", "note", "note"]
    assert [len(r.get("suppressions", ())) for r in results] == [0, 0, 1, 1, 0]
    assert len({r["partialFingerprints"]["verify/1"] for r in results}) == len(results)


@pytest.mark.parametrize("runs", [None, run(), run(finding(), finding(verdict="undecided"))], ids=["one finding", "none", "two verdicts"])
def test_sarif_is_of_the_standard_s_types(runs):
    """Every property by the standard's name, type and set of words: another's model of 2.1.0 keeps unknown properties apart."""
    text = rendered("sarif", runs) if runs else rendered("sarif")
    read = Sarif.model_validate_json(text)
    strange = [f"{type(part).__name__}.{name}" for part in _parts(read) for name in part.model_extra or {}]
    assert {*strange} <= {"Run.columnKind", "Result.suppressions"} and len(read.runs) == 1  # the standard has them, that model does not
    assert json.loads(text)["runs"][0]["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")


def _parts(value):
    if isinstance(value, BaseModel):
        yield value
        for name in type(value).model_fields:
            yield from _parts(getattr(value, name))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _parts(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _parts(item)


def test_sarif_fingerprints_hold_when_lines_move():
    moved = finding(locations=(Location(document="inbox/简报 1.md", line=40, end_line=40, text="104.2%"),))
    prints = [json.loads(rendered("sarif", run(f)))["runs"][0]["results"][0]["partialFingerprints"] for f in (finding(), moved)]
    assert prints[0] == prints[1]


def test_junit_counts_failures_and_skips_and_is_xml_whatever_it_quotes():
    suite = ET.fromstring(rendered("junit").encode()).find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("5", "2", "3")
    assert len(suite.findall("testcase/failure")) == 2 and len(suite.findall("testcase/skipped")) == 3
    empty = ET.fromstring(rendered("junit", run()).encode()).find("testsuite")
    assert empty.get("failures") == "0" and len(empty.findall("testcase")) == 1


def test_github_annotations_are_one_command_a_line_whatever_they_quote():
    lines = rendered("github").removesuffix("\n").split("\n")
    assert len(lines) == 5 and all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines)
    assert lines[0].startswith("::error file=inbox/简报 1.md,line=3,endLine=3,title=PERF001::104.2%25 is over")
    assert "\r" not in rendered("github") and "%250A::error" in lines[4]


def test_gitlab_rows_have_unique_fingerprints_and_known_severities():
    rows = json.loads(rendered("gitlab", FOUND, FOUND))
    assert len({r["fingerprint"] for r in rows}) == len(rows) == 10
    assert {r["severity"] for r in rows} <= {"info", "minor", "major", "critical", "blocker"}
    assert rows[0]["location"] == {"path": "inbox/简报 1.md", "lines": {"begin": 3, "end": 3}} and rows[0]["check_name"] == "PERF001"


def test_rdjsonl_is_one_diagnostic_a_line():
    rows = [json.loads(line) for line in rendered("rdjsonl").split("\n") if line]
    assert [r["severity"] for r in rows] == ["ERROR", "INFO", "INFO", "INFO", "INFO"]
    assert rows[0]["location"]["range"]["start"]["line"] == 3 and rows[0]["code"]["value"] == "PERF001" and rows[0]["message"]


def test_markdown_tables_hold_whatever_they_quote():
    lines = rendered("markdown").splitlines()
    assert lines[0] == "### verify: 2 failing"
    rows = [line for line in lines if line.startswith("| inbox")]
    assert len(rows) == 5 and all(line.replace("\\|", "").count("|") == 6 for line in rows)
    assert "<d>" not in "\n".join(lines) and "@g" not in "\n".join(lines)


def test_the_format_never_changes_the_exit_code(verify, example):
    verify("run", "briefing.md", "--offline", folder=example)
    (example / "wrong.md").write_text("第二组复测：412.0 vs 120.0 tok/s = 4.15×\n", encoding="utf-8")
    (example / "unknown.md").write_text("Kimi 吞吐量 777 tok/s\n", encoding="utf-8")
    for words, code in ((("gate", "wrong.md"), 1), (("gate", "unknown.md"), 3), (("run", "briefing.md", "--draft", "--fail-on", "high"), 1)):
        assert {f: verify(*words, "--format", f, folder=example).returncode for f in FORMATS} == dict.fromkeys(FORMATS, code)


def test_the_full_text_is_there_in_every_format(verify, example):
    verify("run", "briefing.md", "--offline", folder=example)
    (example / "unknown.md").write_text("Kimi 吞吐量 777 tok/s\n", encoding="utf-8")
    for word in FORMATS:
        done = verify("gate", "unknown.md", "--format", word, folder=example)
        assert "777 tok/s" in done.out and "1 could not be checked" in done.err, word
