"""Many processes on one ledger, killed and rolled back at random; one document run twice at once."""

from __future__ import annotations

import os
import random
import signal
import time

import pytest

from ledger.test_ledger import NOW, record
from verifier.errors import LedgerError
from verifier.ledger import Ledger

WRITERS = 8
OPENS = int(os.environ.get("LEDGER_OPENS", "100"))
KILLS = 6


class Refused(Exception):
    """Why a writing transaction is rolled back."""


def opens(root, url, worker):
    """One record a cause; every tenth time a number is taken in a transaction that is rolled back."""
    chance = random.Random(os.getpid())
    with Ledger.open(root, url) as ledger:
        for n in range(OPENS):
            if chance.random() < 0.1:
                with pytest.raises(Refused), ledger._writing() as writing:
                    writing.next()
                    raise Refused
            record(ledger, [f"{worker}-{n}"], run=f"{worker}-{n}")


def start(work):
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work()
        code = 0
    except LedgerError as error:
        print(error)
    finally:
        os._exit(code)


def ended(running):
    """Wait for any child of `running`: (worker, exit code)."""
    while True:
        for pid in list(running):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                return running.pop(pid), os.waitstatus_to_exitcode(status)
        time.sleep(0.01)


def test_numbers_have_no_gap_and_no_double_under_kills_and_rollbacks(tmp_path, url):
    with Ledger.open(tmp_path, url):
        pass
    chance = random.Random(7)
    running = {start(lambda w=w: opens(tmp_path, url, w)): w for w in range(WRITERS)}
    kills = KILLS
    while running:
        if kills:
            time.sleep(chance.uniform(0.05, 0.3))
            kills -= 1
            os.kill(chance.choice(list(running)), signal.SIGKILL)
        worker, code = ended(running)
        assert code in (0, -signal.SIGKILL)
        if code:
            running[start(lambda w=worker: opens(tmp_path, url, w))] = worker
    with Ledger.open(tmp_path, url) as ledger:
        records = ledger.records()
        assert [r.number for r in records] == [f"D{n}" for n in range(1, WRITERS * OPENS + 1)]
        assert {r.cause for r in records} == {f"{w}-{n}" for w in range(WRITERS) for n in range(OPENS)}
        assert ledger.check() == []


def test_two_runs_of_one_document_at_once_record_it_once(tmp_path, url):
    causes = [f"c{n}" for n in range(12)]

    def run():
        with Ledger.open(tmp_path, url) as ledger:
            record(ledger, causes)

    for _ in range(3):
        running = {start(run): n for n in range(4)}
        while running:
            assert ended(running)[1] == 0
    with Ledger.open(tmp_path, url) as ledger:
        records = ledger.records()
        assert [r.number for r in records] == [f"D{n}" for n in range(1, 13)]
        assert all(len(r.events) == 1 for r in records) and ledger.check() == []


def test_the_loser_of_two_moves_at_once_is_told_what_is_allowed(tmp_path, url):
    with Ledger.open(tmp_path, url) as one, Ledger.open(tmp_path, url) as other:
        record(one, ["a"])
        one.transition("D1", "take", actor="jay", now=NOW)
        with pytest.raises(LedgerError, match="is checking, so it cannot take; allowed: wait, return, resolve"):
            other.transition("D1", "take", actor="kim", now=NOW)
