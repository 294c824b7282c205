"""Markdown that is no table: what is text, what is not, and what hangs together."""

from __future__ import annotations

import pytest

import verifier


def kinds(found):
    return [(b.kind, b.text) for b in found]


def test_attributes_styles_and_comments_are_no_text(blocks):
    text = (
        '# T\n\n<p align="center">\n<img src="a.png" width="85%">\n<em>Figure 1: <b>3.2x</b> faster</em></p>\n\n'
        "<style>\n.a { width: 40% }\n</style>\n\n<!-- measured 12 times -->\n"
    )
    assert kinds(blocks(text)) == [("heading", "# T"), ("html", "Figure 1: <b>3.2x</b> faster")]


def test_a_summary_is_text_and_what_it_hides_is_read(blocks):
    found = kinds(blocks("# T\n\n<details>\n<summary>Setup: two H20</summary>\n\nLatency was 4 ms.\n\n</details>\n"))
    assert found == [("heading", "# T"), ("html", "Setup: two H20"), ("paragraph", "Latency was 4 ms.")]


def test_a_style_written_for_a_component_is_no_text(blocks):
    assert kinds(blocks("# T\n\n<div style={{width: '85%', height: 'auto'}}>\nFigure 2\n</div>\n"))[1:] == [("html", "Figure 2")]


def test_fences_and_front_matter_are_known(blocks):
    found = blocks("---\ntitle: A\ntags:\n  - b\n---\n\n# T\n\n```sh\nserve --tp 4\n\n# no title\n```\n")
    assert [b.kind for b in found] == ["front_matter"] * 5 + ["heading"] + ["code"] * 4
    assert [b.text for b in found if b.kind == "heading"] == ["# T"]


@pytest.mark.parametrize("text", ["---\n\nThree engines were run.\n\n---\n\nMore.\n", "---\nThree engines.\n"])
def test_a_rule_at_the_top_opens_no_front_matter(blocks, text):
    assert "front_matter" not in {b.kind for b in blocks(text)}


def test_a_line_over_dashes_is_a_heading_only_if_it_reads_as_one(blocks):
    assert [b.kind for b in blocks("# T\n\nMethod\n---\n\nIt took 4 ms.\n---\n")] == ["heading", "heading", "paragraph"]


def test_sections_are_the_path_of_headings(blocks):
    found = blocks("# A\n\n## B\n\none\n\n### C\n\ntwo\n\n## D\n\nthree\n")
    assert [b.section for b in found if b.kind == "paragraph"] == [("A", "B"), ("A", "B", "C"), ("A", "D")]


def test_quoted_lines_begin_behind_their_mark(blocks):
    assert kinds(blocks("# T\n\n> Batch 8\n> Latency 4 ms\n"))[1:] == [("paragraph", "Batch 8"), ("paragraph", "Latency 4 ms")]


def test_no_line_is_lost_however_deep_it_is_nested(blocks):
    depth = "\n".join("  " * n + f"- level {n}" for n in range(40))
    text = "".join(b.text for b in blocks("# T\n\n" + depth))
    assert all(f"level {n}" in text for n in range(40))


def test_numbers_in_attributes_are_no_claims():
    text = '# T\n\n<table width="100%"><tr><th width="30%">TTFT (ms)</th></tr><tr><td height="12ms">7.5</td></tr></table>\n'
    assert [c.text for c in verifier.extract(text)] == ["7.5"]
