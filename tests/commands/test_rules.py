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
