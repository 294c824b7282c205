"""What is kept between processes saves time and changes nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

from verifier import kept

PATTERNS = [
    (r"(?P<a>\d+)(?:\.(?P<b>\d+))?", 0),
    (r"[一二三]+、|§\s*(\w+)", re.I),
    (r"(?<![A-Za-z])H100(?!\d)", re.ASCII),
    ("|".join(f"w{n}x" for n in range(60)) + "|x", 0),
    (r"^\s*x$", re.M | re.X),
]
TEXT = "x\n三、 §Ab H100吞吐 3.14 x\nx"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("VERIFY_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def found(patterns):
    return [[(m.span(), m.groups(), m.groupdict()) for m in patterns._compile(p, f).finditer(TEXT)] for p, f in PATTERNS]


def test_kept_patterns_find_what_fresh_ones_find(folder):
    plain = [[(m.span(), m.groups(), m.groupdict()) for m in re.compile(p, f).finditer(TEXT)] for p, f in PATTERNS]
    first = kept.Patterns()
    assert found(first) == plain
    first.keep()
    second = kept.Patterns()
    assert found(second) == plain and not second._fresh and len(list(folder.iterdir())) == 1


def test_a_wrong_pattern_is_refused_as_ever(folder):
    with pytest.raises(re.error):
        kept.Patterns()._compile("(", 0)


@pytest.mark.parametrize("data", [b"", b"torn", b"\x00" * 40])
def test_a_torn_file_is_as_none(folder, data):
    kept.write("x", {"a": (1, "b")})
    assert kept.read("x") == {"a": (1, "b")}
    next(folder.iterdir()).write_bytes(data)
    assert kept.read("x") in (None, 0)


def test_a_folder_that_cannot_be_written_only_costs_time(tmp_path):
    (tmp_path / "file").write_text("")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "VERIFY_CACHE": str(tmp_path / "file" / "cache")}
    done = subprocess.run(
        [sys.executable, "-m", "verifier", "run", "-"], input="命中率 104.2%\n".encode(), cwd=tmp_path, env=env, capture_output=True
    )
    assert done.returncode == 0 and b"104.2%" in done.stdout


def test_a_second_process_compiles_nothing_anew(tmp_path):
    env = {**os.environ, "PYTHONPATH": str(ROOT), "VERIFY_CACHE": str(tmp_path / "cache")}
    for _ in range(2):
        subprocess.run([sys.executable, "-m", "verifier", "run", "-"], input="命中率 104.2%\n".encode(), cwd=tmp_path, env=env, capture_output=True)
        marks = {p.name: p.stat().st_mtime_ns for p in (tmp_path / "cache").iterdir()}
    again = subprocess.run(
        [sys.executable, "-m", "verifier", "run", "-"], input="命中率 104.2%\n".encode(), cwd=tmp_path, env=env, capture_output=True
    )
    assert again.returncode == 0 and {p.name: p.stat().st_mtime_ns for p in (tmp_path / "cache").iterdir()} == marks
