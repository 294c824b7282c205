"""Peers as processes, each in an environment of its own under build/, made by pip when it is first asked for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from benchmarks._processes import BUILD, environment

READER = Path(__file__).with_name("_reader.py")


class NotInstalled(Exception):
    """Why a peer cannot be had here."""


def python(name: str, requires: Sequence[str]) -> str:
    """The Python of a peer's environment; this one where it requires nothing. Raises NotInstalled."""
    if not requires:
        return sys.executable
    folder = BUILD / "peers" / name
    executable = str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    stamp = folder / "installed.json"
    if stamp.exists() and json.loads(stamp.read_text()) == list(requires):
        return executable
    venv.create(folder, with_pip=True, clear=True)
    done = subprocess.run((executable, "-m", "pip", "install", "--quiet", *requires), env=environment(), capture_output=True, text=True)
    if done.returncode:
        raise NotInstalled(next((line for line in done.stderr.splitlines() if line.startswith("ERROR")), f"pip ended with {done.returncode}"))
    stamp.write_text(json.dumps(list(requires)))
    return executable


class Peer:
    """A peer that runs; use as a context manager."""

    def __init__(self, name: str, member: ModuleType) -> None:
        self.name, self._member = name, member

    def __enter__(self) -> Self:
        self._python = python(self.name, self._member.REQUIRES)
        words = (self._python, str(READER), str(self._member.__file__))
        self._process = subprocess.Popen(words, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            self.claims("5 ms")
        except RuntimeError as error:
            raise NotInstalled(f"it is installed but does not start: {error}") from None
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stdin.close()  # type: ignore[union-attr]
        self._process.wait()

    def version(self) -> str:
        """The version of what it requires first."""
        if not self._member.REQUIRES:
            return ""
        package = self._member.REQUIRES[0].partition("=")[0]
        asked = f"from importlib.metadata import version; print(version({package!r}))"
        return subprocess.run((self._python, "-c", asked), capture_output=True, text=True).stdout.strip()

    def claims(self, text: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._ask({"tell": text})["claims"]
        return found

    def seconds(self, texts: Sequence[str], times: int = 1) -> tuple[float, float]:
        """(processor seconds for all texts once, largest memory so far in MB)."""
        answer = self._ask({"time": list(texts), "times": times})
        return answer["seconds"], answer["peak_mb"]

    def _ask(self, what: dict[str, Any]) -> dict[str, Any]:
        try:
            print(json.dumps(what, ensure_ascii=False), file=self._process.stdin, flush=True)
            line = self._process.stdout.readline()  # type: ignore[union-attr]
        except BrokenPipeError:
            line = ""
        if not line:
            raise RuntimeError((self._process.stderr.read().strip().splitlines() or ["ended without a word"])[-1])  # type: ignore[union-attr]
        answer: dict[str, Any] = json.loads(line)
        return answer
