"""Tables as Markdown, as HTML, and as people type them."""

from __future__ import annotations

import pytest

import verifier


def table(*lines: str) -> str:
    return "# Results\n\n" + "\n".join(lines) + "\n"


def grid(rows):
    return [[(cell.head, cell.text) for cell in row.cells] for row in rows if not row.head]


def test_each_cell_has_the_head_of_its_column(rows):
    found = rows(table("| Model | TTFT (ms) |", "|:--|--:|", "| 8B | 41.5 |", "| 70B | 230 |"))
    assert grid(found) == [[("Model", "8B"), ("TTFT (ms)", "41.5")], [("Model", "70B"), ("TTFT (ms)", "230")]]
    assert [row.head for row in found] == [True, False, False]
    assert {row.table for row in found} == {1}


def test_a_row_may_lack_its_bars(rows):
    found = rows(table("Model | tok/s", "---|---", "8B | 5,200", "| 70B | 610", "A note under the table."))
    assert grid(found) == [[("Model", "8B"), ("tok/s", "5,200")], [("Model", "70B"), ("tok/s", "610")]]


def test_a_row_that_only_names_a_group_groups_the_rows_below(rows):
    found = rows(table("| Setup | Batch | tok/s |", "|---|---|---|", "| **Dense**", "| a | 8 | 900 |", "| MoE | | |", "| a | - | 1,400 |"))
    assert [(row.group, row.cells[0].text) for row in found[1:]] == [("Dense", "**Dense**"), ("Dense", "a"), ("MoE", "MoE"), ("MoE", "a")]


def test_blank_and_ditto_cells_carry_the_value_above_and_keep_their_text(rows):
    found = rows(table("| GPU | TP | ms |", "|---|---|---|", "| H20 | 4 | 12 |", "| | 〃 | 14 |", "| B60 | - | 9 |"))
    assert [[(c.text, c.carried) for c in row.cells[:2]] for row in found[2:]] == [[("", "H20"), ("〃", "4")], [("B60", ""), ("-", "4")]]


def test_a_group_ends_what_is_carried(rows):
    found = rows(table("| GPU | TP | ms |", "|---|---|---|", "| H20 | 4 | 12 |", "| Others | | |", "| B60 | - | 9 |"))
    assert found[-1].cells[1].carried == ""


def test_heads_of_two_rows_are_joined_from_the_top(rows):
    found = rows(table("| | H20 | | B60 | |", "|---|---|---|---|---|", "| Model | TTFT | TPOT | TTFT | TPOT |", "| 8B | 41 | 9 | 38 | 7 |"))
    assert [c.head for c in found[-1].cells] == ["Model", "H20 TTFT", "H20 TPOT", "B60 TTFT", "B60 TPOT"]


def test_a_row_of_units_belongs_to_the_heads(rows):
    found = rows(table("| Model | Latency | Rate |", "|---|---|---|", "| | (ms) | tok/s |", "| 8B | 41 | 900 |"))
    assert [c.head for c in found[-1].cells] == ["Model", "Latency (ms)", "Rate tok/s"]


def test_an_escaped_bar_is_text(rows):
    (cells,) = grid(rows(table("| Flag | ms |", "|---|---|", r"| a\|b | 3 |")))
    assert cells == [("Flag", r"a\|b"), ("ms", "3")]


def test_a_table_may_stand_in_a_bullet_and_in_a_quote(rows):
    assert len(rows("# T\n\n- Results:\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n")) == 2
    assert grid(rows("# T\n\n> | a | b |\n> |---|---|\n> | 1 | 2 |\n")) == [[("a", "1"), ("b", "2")]]


def test_rows_without_a_line_of_dashes_are_a_table_too(rows):
    assert grid(rows("| Model | ms |\n| 8B | 41 |\n")) == [[("Model", "8B"), ("ms", "41")]]


@pytest.mark.parametrize(
    "text, caption",
    [
        ("Table 3: Decode at batch 8.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", "Table 3: Decode at batch 8."),
        ("**Decode throughput**\n| a | b |\n|---|---|\n| 1 | 2 |\n", "**Decode throughput**"),
        ("Figures follow:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n*表 2：解码吞吐*\n", "*表 2：解码吞吐*"),
        ("Nothing to do with it.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", ""),
    ],
)
def test_a_table_knows_its_caption(rows, text, caption):
    assert {row.caption for row in rows("# T\n\n" + text)} == {caption}


HTML = """# Results

<table class="wide" style="width:80%">
  <thead><tr><th rowspan="2">Model</th><th colspan="2">H20</th></tr>
  <tr><th>TTFT (ms)</th><th>tok/s</th></tr></thead>

  <tr><td rowspan="2">8B</td><td align="right" width="40%"><b>41.5</b></td><td>900</td></tr>
  <tr><td>39.0</td><td>1,020</td></tr>
</table>

Text after the table.
"""


def test_a_table_in_html_gives_cells_at_their_places(rows):
    first, second = grid(rows(HTML))
    assert first == [("Model", "8B"), ("H20 TTFT (ms)", "41.5"), ("H20 tok/s", "900")]
    assert second[1:] == [("H20 TTFT (ms)", "39.0"), ("H20 tok/s", "1,020")]
    assert rows(HTML)[-1].cells[0].carried == "8B"


def test_claims_of_a_table_in_html_have_unit_and_place():
    claims = [c for c in verifier.extract(HTML) if c.unit != "parameter"]
    assert [(c.text, c.unit, c.line) for c in claims] == [("41.5", "ms", 7), ("900", "token/s", 7), ("39.0", "ms", 8), ("1,020", "token/s", 8)]
    assert all(HTML.split("\n")[c.line - 1][c.column - 1 :].startswith(c.text) for c in claims)
