"""The published schemas and their worked examples."""

from __future__ import annotations

import json
import runpy

import jsonschema
import pytest
from conftest import ROOT

from verifier.models import PUBLISHED

SCHEMAS = ROOT / "docs" / "schema"


@pytest.mark.parametrize("name", PUBLISHED)
def test_each_type_has_a_worked_example_that_its_schema_takes(name):
    example = json.loads((SCHEMAS / "examples" / f"{name}.json").read_text(encoding="utf-8"))
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.validate(example, schema, format_checker=jsonschema.FormatChecker())


def test_the_worked_examples_are_what_the_program_gives_today():
    script = runpy.run_path(str(SCHEMAS / "worked.py"))
    made = {name: script["text"](one) for name, one in script["worked"]().items()}
    assert made == {name: (SCHEMAS / "examples" / f"{name}.json").read_text(encoding="utf-8") for name in PUBLISHED}
