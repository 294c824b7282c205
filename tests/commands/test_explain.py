"""`verify explain`: from the writing to the meaning, step by step."""

from __future__ import annotations

import json

import pytest

from verifier.cli import main


@pytest.fixture
def note(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "note.md"
    path.write_text("# 记录\n\nvLLM 在 H20 上 P99 延迟 -92.3%。\n\nvLLM 缓存命中率 1.7%→92.2%，吞吐 3,400 tok/s。\n", encoding="utf-8")
    return path


def test_a_place_is_explained_from_writing_to_meaning(note, capsys):
    assert main(["explain", "note.md:3"]) == 0
    told = capsys.readouterr().out
    for words in (
        "-92.3%",
        "delta of vLLM latency P99",
        "-92.35 … -92.25 percent",
        "time × 0.0765..0.0775 = speed × 12.9..13.07",
        "accelerator = H20  (clause, line 3)",
    ):
        assert words in told


def test_all_claims_of_a_line_or_the_one_at_a_column(note, capsys):
    main(["explain", "note.md:5", "--format", "json"])
    every = json.loads(capsys.readouterr().out)
    assert [e["claim"]["text"] for e in every] == ["1.7%→92.2%", "3,400 tok/s"]
    main(["explain", f"note.md:5:{every[1]['claim']['column']}", "--format", "json"])
    assert [e["claim"]["text"] for e in json.loads(capsys.readouterr().out)] == ["3,400 tok/s"]


def test_a_stored_claim_is_found_by_its_id(note, capsys):
    main(["init"])
    main(["run", "note.md", "--offline"])
    capsys.readouterr()
    main(["explain", "note.md:3", "--format", "json"])
    ident = json.loads(capsys.readouterr().out)[0]["claim"]["id"]
    assert main(["explain", ident]) == 0
    assert "-92.3%" in capsys.readouterr().out


@pytest.mark.parametrize("wanted, hint", [("note.md:1", "the nearest is on line 3"), ("nowhere", "give FILE:LINE")])
def test_what_is_not_there_is_a_usage_error_that_helps(note, capsys, wanted, hint):
    assert main(["explain", wanted]) == 2
    assert hint in capsys.readouterr().err
