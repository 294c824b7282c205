"""Forty anchorings by example: twenty that must pass, twenty that must not."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

CASES = yaml.safe_load((Path(__file__).parent / "cases.yaml").read_text(encoding="utf-8"))


def test_there_are_forty_and_half_of_them_pass():
    assert len(CASES) == 40 and sum(c["exit"] == 0 for c in CASES) == 20 and len({c["name"] for c in CASES}) == 40


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_the_anchoring_is_answered_right(room, case):
    number = ""
    for record in case.get("records", ()):
        fields = dict(record)
        if resolve := fields.pop("resolve", None):
            fields["resolve"] = {k: str(v).replace("{D}", number) for k, v in resolve.items()}
        made = room.record(**fields)
        number = number or made
    if "verified" in case:
        room.verified(case["verified"])
    room.commit("# 活文档\n\n" + case.get("before", "- 无\n").replace("{D}", number))
    room.write("# 活文档\n\n" + case["after"].replace("{D}", number))
    code, items = room.judged("living.md", "--diff", "HEAD")
    assert code == case["exit"], [(i["text"], [(r["answer"], r["reason"]) for r in i["reasons"]]) for i in items.values()]
