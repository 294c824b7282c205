"""Blocks keep exact places; tables keep their heads; wrapped prose is one paragraph."""

from __future__ import annotations

import pytest

from tests._timing import seconds
from verifier.extract import extract
from verifier.read import read_text


def rows(text):
    return [[(c.text, c.head) for c in b.cells] for b in read_text(text).blocks if b.kind == "row"]


def test_a_row_without_its_closing_bar_keeps_its_heads():
    found = rows("| Model | tok/s |\n| :--- | ---: |\n| **Fast**\n| A | 12 |\n| B | 15\n")
    assert found[1:] == [[("**Fast**", "Model")], [("A", "Model"), ("12", "tok/s")], [("B", "Model"), ("15", "tok/s")]]


def test_a_table_without_outer_bars_is_a_table():
    assert rows("Model | tok/s\n--- | ---\nA | 12\n")[1] == [("A", "Model"), ("12", "tok/s")]


def test_heads_of_two_rows_are_joined():
    found = rows("| - | - | small | - |\n|---|---|---|---|\n| set | metric | fp16 | int8 |\n| x | score | 1.5 | 1.4 |\n")
    assert found[2][2:] == [("1.5", "small fp16"), ("1.4", "small int8")]


def test_an_escaped_bar_stays_in_its_cell():
    assert rows("| a | b |\n|---|---|\n| x \\| y | 1 |\n")[1] == [("x \\| y", "a"), ("1", "b")]


def test_an_html_table_has_cells():
    text = "<table>\n<tr><th>Model</th><th>Latency (ms)</th></tr>\n<tr><td><b>A</b></td><td>12.5</td></tr>\n</table>\n"
    document = read_text(text)
    (_, row) = [b for b in document.blocks if b.kind == "row"]
    assert [(c.text, c.head) for c in row.cells] == [("A", "Model"), ("12.5", "Latency (ms)")]
    assert all(text[c.start : c.end] == c.text for c in row.cells) and row.line == 3


def test_wrapped_prose_is_one_paragraph_and_claims_keep_their_line():
    text = "# Report\n\nThroughput of the new engine\nrose by 38%\nunder load.\n"
    document = read_text(text)
    assert [b.text.count("\n") for b in document.blocks] == [0, 2]
    (claim,) = extract(document)
    assert (claim.line, claim.end_line, claim.column) == (4, 4, 9)
    assert text.split("\n")[claim.line - 1][claim.column - 1 :].startswith(claim.text)


def test_lines_of_flattened_text_stay_apart():
    assert len(read_text("一、来源\n\ninbox/a/one.md\ninbox/a/two.md\n").blocks) == 3


def test_a_bullet_takes_its_continuation_lines():
    assert [b.kind for b in read_text("# R\n\n- first\n  goes on\n- second\n").blocks] == ["heading", "bullet", "bullet"]


@pytest.mark.parametrize("piece", ["[[[[(((( ", "| a ", "<td>", "- x\n", "word ", "|---|\n", "<tr>\n", "\u202e12 "])
def test_hostile_text_takes_linear_time(piece):
    def took(times):
        text = "# R\n\n<table>" + piece * times
        return seconds(lambda: read_text(text))

    took(100)
    small, large = took(20_000), took(80_000)
    assert large < 10 * small + 0.05
