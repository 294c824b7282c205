"""D-records come from a scan only where it is asked for, one for each cause."""

from __future__ import annotations

import json

import pytest
from conftest import ROOT

from benchmarks.corpus import Corpus, write

SIZE = 40


@pytest.fixture
def root(tmp_path):
    """A root with an inbox of briefings, two contradictions among them."""
    folder = tmp_path / "root"
    planted = write(Corpus(SIZE), folder / "inbox")
    (folder / "verify.toml").write_text("", encoding="utf-8")
    return folder, planted


@pytest.fixture
def scan(verify, root):
    """`verify scan inbox …` in the root; gives the process and its summary."""

    def run(*words):
        done = verify("scan", "inbox/texts", "--processes", "1", "--as", "jay", "--format", "json", *words, folder=root[0])
        return done, json.loads(done.out)

    return run


@pytest.fixture
def records(verify, root):
    """The live records of the root's ledger."""
    return lambda: json.loads(verify("d", "list", "--format", "json", folder=root[0]).out or "[]")


def test_a_scan_opens_no_record_unless_asked(scan, root):
    _, summary = scan()
    assert summary["contradictions"] == len(root[1]) > 0
    assert not (root[0] / "claims" / "ledger.db").exists() and not (root[0] / "claims" / "ledger").exists()


def test_open_opens_a_record_for_each_contradiction(scan, records, root):
    scan("--open")
    told = [r["title"] for r in records()]
    assert [sum(a in title and b in title for title in told) for _, _, (a, b), _ in root[1]] == [1] * len(root[1])


def test_a_second_scan_opens_none(scan, records):
    _, first = scan("--open")
    before = [r["number"] for r in records()]
    _, second = scan("--open")
    assert (first["opened"], second["opened"]) == (len(before), 0)
    assert [r["number"] for r in records()] == before


def test_open_without_a_root_is_a_usage_error(verify, root, tmp_path):
    (root[0] / "verify.toml").unlink()
    done = verify("scan", "inbox/texts", "--open", "--out", str(tmp_path / "out"), folder=root[0])
    assert done.returncode == 2 and "no verify.toml here or above" in done.err


def test_a_group_that_retires_the_rule_gets_no_contradictions(scan, root):
    own = root[0] / "rules"
    own.mkdir()
    text = (ROOT / "rules" / "corpus.yaml").read_text(encoding="utf-8")
    (own / "corpus.yaml").write_text(text.replace("severity: high", "severity: high\n    retired: our documents are drafts"), encoding="utf-8")
    assert scan()[1]["contradictions"] == 0


def test_a_group_that_changes_its_rule_has_all_parts_judged_again(scan, root):
    first = scan()[1]
    own = root[0] / "rules"
    own.mkdir()
    text = (ROOT / "rules" / "corpus.yaml").read_text(encoding="utf-8")
    (own / "corpus.yaml").write_text(text.replace("severity: high", "severity: low"), encoding="utf-8")
    second = scan()[1]
    assert (second["again"], second["contradictions"]) == (0, first["contradictions"])
