"""Own briefings, labelled by hand and whole: every claim of the text and nothing but claims."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from verifier.extract import extract
from verifier.models import Claim
from verifier.read import read

HERE = Path(__file__).parent
LABELS = [(file, label) for file in ("zh.txt", "en.md") for label in yaml.safe_load((HERE / file).with_suffix(".yaml").read_text(encoding="utf-8"))]


def claims(file: str) -> list[Claim]:
    return extract(read((HERE / file).read_bytes(), file))


def answering(found: list[Claim], label: dict[str, Any]) -> list[Claim]:
    """Claims on the label's line that carry its numbers."""
    return [c for c in found if c.line == label["line"] and list(c.numbers) == label["numbers"]]


@pytest.mark.parametrize(("file", "label"), LABELS, ids=[f"{file}:{label['line']}:{label['text']}" for file, label in LABELS])
def test_a_labelled_claim_is_read_as_it_is_written(file: str, label: dict[str, Any]) -> None:
    assert label["text"] in (HERE / file).read_text(encoding="utf-8").split("\n")[label["line"] - 1]
    [claim, *_] = answering(claims(file), label)
    asked = {name: wanted for name, wanted in label.items() if name not in ("line", "text", "numbers", "conditions")}
    assert {name: getattr(claim, name) for name in asked} == asked
    conditions = label.get("conditions", {})
    assert {name: claim.conditions[name].value for name in conditions if name in claim.conditions} == conditions


@pytest.mark.parametrize("file", ["zh.txt", "en.md"])
def test_nothing_else_is_a_claim(file: str) -> None:
    labels = [label for name, label in LABELS if name == file]
    found = claims(file)
    answers = {id(c) for label in labels for c in answering(found, label)}
    assert [(c.line, c.text) for c in found if id(c) not in answers] == []
