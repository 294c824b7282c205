"""A stretch too long for one block is cut where a reader would pause."""

from __future__ import annotations

from verifier.read import read_text
from verifier.read._blocks import LONGEST

SENTENCE = "Throughput rose by 46% on H100. "


def test_no_block_of_prose_is_longer_than_the_bound():
    assert max(len(b.text) for b in read_text(SENTENCE * 1000).blocks) <= LONGEST


def test_pieces_end_behind_sentences():
    assert {b.text[-1] for b in read_text(SENTENCE * 1000).blocks} == {"."}


def test_pieces_hold_all_that_was_written_at_its_place():
    text = SENTENCE * 1000
    found = read_text(text).blocks
    assert all(b.text == text[b.start : b.end] for b in found)
    assert sum(b.text.count("46%") for b in found) == 1000


def test_words_without_a_sentence_are_not_cut_through():
    words = {w for b in read_text("throughput " * 2000).blocks for w in b.text.split()}
    assert words == {"throughput"}


def test_the_rest_of_a_long_bullet_is_no_bullet_of_its_own():
    assert [b.kind for b in read_text("- " + SENTENCE * 300).blocks].count("bullet") == 1


def test_a_row_of_a_thousand_cells_is_prose():
    assert {b.kind for b in read_text("a|b\n---|---\n" + "| 5% " * 1000).blocks} == {"paragraph"}
