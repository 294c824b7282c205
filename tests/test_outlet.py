"""The exit code tells the verdict whatever became of the streams."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from conftest import ROOT


@pytest.fixture
def shell(tmp_path):
    """Run `verify WORDS` with its streams as a shell sets them; gives its exit code and what it said on standard error."""

    def run(words, stream=""):
        (tmp_path / "verify.toml").touch()
        (tmp_path / "a.md").write_text("".join(f"- run {n} on the A100: hit rate 1{n}.5%\n" for n in range(10, 90)), encoding="utf-8")
        script = f"exec 3>code; {sys.executable} -m verifier {words} {stream}"
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        env.pop("VERIFY_LEDGER", None)
        done = subprocess.run(["bash", "-c", f"{{ {script}; echo $? >&3; }} | head -c 1"], cwd=tmp_path, env=env, capture_output=True, timeout=100)
        return int((tmp_path / "code").read_text()), done.stderr.decode()

    return run


@pytest.mark.parametrize("format", ["text", "json"])
def test_a_reader_that_goes_away_changes_no_verdict(shell, format):
    assert shell(f"run a.md --draft --fail-on high --format {format}")[0] == 1


def test_closed_streams_change_no_verdict(shell):
    assert shell("run a.md --draft --fail-on high", ">&-")[0] == 1
    assert shell("run a.md --draft --fail-on high", "2>&-")[0] == 1
    assert shell("run a.md --draft --fail-on high", ">&- 2>&-")[0] == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_an_answer_that_finds_no_room_is_an_error_with_a_sentence(shell):
    code, said = shell("run a.md --draft --fail-on high", ">/dev/full")
    assert code == 2 and "standard output: No space left" in said and "Traceback" not in said


def test_what_a_terminal_cannot_show_is_escaped(shell, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    assert shell("run a.md --draft --fail-on high --lang zh")[0] == 1
