"""What a user waits for before a command begins, and for the two commands of every day."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._measure import Figure, versus
from benchmarks._processes import ROOT, VERIFY, run, worked
from verifier.family import members

TITLE = "Start of each command"
ABOUT = (
    "Processor time of whole processes, bytecode compiled, caches warm. `run` and `gate` work on the example's briefing with its stored evidence; "
    "each `--help` stands for the start of its command."
)
NOTHING = (sys.executable, "-c", "pass")
LIBRARIES = (sys.executable, "-c", "import pydantic, sqlite3")
SOUND = "共享前缀负载下 P50 TTFT 从 480 ms 降至 95 ms\n"


def measure(quick: bool) -> Iterator[Figure]:
    rounds = 5 if quick else 9
    with TemporaryDirectory() as scratch:
        folder = Path(shutil.copytree(ROOT / "examples", Path(scratch) / "example"))
        run((*VERIFY, "run", "briefing.md", "--offline"), folder)
        (folder / "sound.md").write_text(SOUND, encoding="utf-8")
        time.sleep(0.3)  # a ledger's files of a moment ago are looked at more closely
        libraries = "`python -c 'import pydantic, sqlite3'`"
        yield versus(
            "`run` on a briefing",
            worked((*VERIFY, "run", "briefing.md", "--offline"), folder),
            libraries,
            worked(LIBRARIES, folder),
            rounds,
            at_most=8,
        )
        yield versus(
            "`gate` on a sound document", worked((*VERIFY, "gate", "sound.md"), folder), libraries, worked(LIBRARIES, folder), rounds, at_most=5
        )
        for words in ((), *((name,) for name in members("verifier.commands") if not quick)):
            name = " ".join(("verify", *words, "--help"))
            yield versus(f"`{name}`", worked((*VERIFY, *words, "--help"), folder), "`python -c pass`", worked(NOTHING, folder), rounds)
