"""One request at a time and three seconds apart, among processes and machines that share the ledger's database."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

from tests.replica.server import feed, paper
from tests.sources._tools import START, FakeClock, R, Script, go
from verifier.ledger.turn import LEASE, Turn

NOW = START.timestamp()
PAPERS = ["arxiv:2609.23130"]
GOOD = R(200, content=feed([paper({"id": "2609.23130", "title": "T", "published": "2026-09-19T16:58:20Z"})]))


def test_one_holds_it_until_it_is_given_back(tmp_path: Path, url: str | None) -> None:
    name = f"test {tmp_path}"
    one, other = (Turn(tmp_path, url, name) for _ in range(2))
    assert one.take(NOW) == 0.0
    assert other.take(NOW + 1) is None
    one.give(NOW + 2)
    assert other.take(NOW + 2) == NOW + 2
    one.give(NOW + 3)  # no longer its own: changes nothing
    assert one.take(NOW + 3) is None
    for turn in (one, other):
        turn.close()


def test_a_dead_holder_and_a_wrong_clock_do_not_hold_it_for_ever(tmp_path: Path) -> None:
    dead, ahead, live = (Turn(tmp_path, None, "arxiv") for _ in range(3))
    assert dead.take(NOW) == 0.0
    assert live.take(NOW + LEASE - 1) is None
    assert ahead.take(NOW + LEASE * 100) is not None
    assert live.take(NOW) is not None


def test_a_clock_read_before_another_took_the_turn_takes_nothing(tmp_path: Path) -> None:
    first, late = (Turn(tmp_path, None, "arxiv") for _ in range(2))
    assert first.take(NOW + 1) == 0.0
    assert late.take(NOW) is None


def test_a_fetch_waits_for_its_turn_and_then_three_seconds(tmp_path: Path) -> None:
    clock = FakeClock()
    Turn(tmp_path, None, "arxiv").take(clock.now().timestamp())  # taken and never given back
    [look] = go(tmp_path, PAPERS, Script(GOOD), clock, lock=Turn(tmp_path, None, "arxiv"))
    assert look.outcome == "found"
    assert timedelta(seconds=LEASE) <= clock.now() - START < timedelta(seconds=LEASE + 1)
    later = FakeClock(clock.now() + timedelta(days=40))
    go(tmp_path, PAPERS, Script(R(429), GOOD), later, lock=Turn(tmp_path, None, "arxiv"))
    assert sum(later.slept) >= 3


def test_a_turn_that_does_not_come_within_the_budget_asks_nothing(tmp_path: Path) -> None:
    clock, script = FakeClock(), Script(GOOD)
    Turn(tmp_path, None, "arxiv").take(clock.now().timestamp())
    [look] = go(tmp_path, PAPERS, script, clock, lock=Turn(tmp_path, None, "arxiv"), budget=5.0)
    assert (look.outcome, script.requests) == ("failed", [])
    assert "turn" in (look.reason or "")


def test_a_database_that_cannot_be_used_loses_arxiv_and_not_the_run(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "ledger.db").write_bytes(b"not a database" * 100)
    [look] = go(tmp_path, PAPERS, Script(GOOD), lock=Turn(tmp_path, None, "arxiv"))
    assert look.outcome == "failed" and "whose turn" in (look.reason or "")


ASK = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from verifier.ledger.turn import Turn
from verifier.sources import _http
_http.ARXIV_SPACING, _http.POLL = 1.0, 0.02
with _http.one_at_a_time(Turn(Path(sys.argv[1]), sys.argv[2] or None, "arxiv"), _http.Clock(lambda: datetime.now(UTC)), lambda: 60.0):
    print(time.time(), flush=True)
"""


def test_processes_take_turns(tmp_path: Path, url: str | None) -> None:
    command = [sys.executable, "-c", ASK, str(tmp_path), url or ""]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    times = sorted(float(process.communicate(timeout=100)[0]) for process in running)
    assert times[0] <= time.time()
    # a process may be held up between its turn and its word of it: half the spacing is proof enough
    assert all(later - earlier >= 0.5 for earlier, later in zip(times, times[1:], strict=False))
