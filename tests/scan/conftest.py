"""A corpus with contradictions planted at known places, scanned by the program as a real process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.corpus import Corpus, write, write_table

SIZE = 240


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    """(folder, what was planted) of a corpus that no test may change."""
    folder = tmp_path_factory.mktemp("corpus")
    planted = write(Corpus(SIZE), folder)
    write_table(Corpus(SIZE), folder / "texts.parquet", rows=100)
    return folder, planted


@pytest.fixture
def scan(verify, tmp_path):
    """`verify scan …` into a folder; gives the process, its summary and the folder."""

    def run(*words, out="out"):
        done = verify("scan", *map(str, words), "--out", str(tmp_path / out), "--format", "json")
        return done, json.loads(done.out) if done.out else {}, Path(tmp_path / out)

    return run


def tables(out: Path) -> dict[str, bytes]:
    """Every table of a scan by its path."""
    return {p.relative_to(out).as_posix(): p.read_bytes() for p in sorted(out.rglob("*.parquet"))}
