"""`verify ledger` clones, undo, export."""

from __future__ import annotations

import csv
import io
import json
import shutil

import pytest


def numbers(verify, folder):
    return [r["number"] for r in json.loads(verify("d", "list", "--format", "json", folder=folder).out)]


@pytest.fixture
def clone(verify, example, tmp_path):
    """The example after a run, and a copy of it as git would bring it elsewhere: without the database."""
    verify("run", "briefing.md", "--offline", folder=example)
    return shutil.copytree(example, tmp_path / "clone", ignore=shutil.ignore_patterns("ledger.db*"))


def test_a_clone_uses_reserved_numbers_then_provisional_ones_which_assign_numbers(verify, example, clone):
    verify("d", "reserve", "1", "--for", "jay", "--until", "2099-01-01", folder=example)
    shutil.copy(example / "claims" / "ledger" / "D0017.jsonl", clone / "claims" / "ledger")
    fields = ("--severity", "low", "--document", "c.md", "--as", "jay")
    assert "D17 is open" in verify("d", "open", "first", *fields, folder=clone).err
    assert "D~" in verify("d", "open", "second", *fields, folder=clone).err
    refused = verify("ledger", "assign", folder=clone)
    assert refused.returncode == 2 and "does not hand out numbers" in refused.err
    shutil.copytree(clone / "claims" / "ledger", example / "claims" / "ledger", dirs_exist_ok=True)
    given = json.loads(verify("ledger", "assign", "--format", "json", folder=example).out)["assigned"]
    assert list(given.values()) == ["D18"]
    shown = json.loads(verify("d", "show", *given, "--format", "json", folder=example).out)
    assert (shown["number"], shown["title"], shown["state"]) == ("D18", "second", "open")
    assert verify("ledger", "check", folder=example).returncode == 0


def test_a_lost_allocator_is_replaced_on_demand(verify, clone):
    assert verify("ledger", "assign", "--here", folder=clone).returncode == 0
    verify("d", "open", "next", "--severity", "low", "--document", "c.md", folder=clone)
    assert numbers(verify, clone)[-1] == "D17"


def test_a_fresh_clone_passes_the_check_as_in_ci(verify, clone):
    assert verify("ledger", "check", folder=clone).returncode == 0
    assert numbers(verify, clone) == ["D12", "D13", "D14", "D15", "D16"]


def test_undo_voids_what_only_that_run_opened(verify, example):
    run = json.loads(verify("run", "briefing.md", "--offline", "--format", "json", folder=example).out)["run"]
    verify("d", "take", "D14", "--as", "kim", folder=example)
    done = verify("ledger", "undo", run, folder=example)
    assert "D13 is void" in done.out and "stays: D14: take by kim" in done.out and "stays: D12" in done.out
    again = json.loads(verify("run", "briefing.md", "--offline", "--format", "json", folder=example).out)
    assert {d["number"] for d in again["discrepancies"]} == {"D12", "D14", "D17", "D18", "D19"}
    assert verify("ledger", "undo", "nosuchrun", folder=example).returncode == 2


@pytest.mark.parametrize("word", ["csv", "jsonl", "parquet"])
def test_export_holds_every_record(verify, example, word):
    verify("run", "briefing.md", "--offline", folder=example)
    assert verify("ledger", "export", "--format", word, "--out", "out", folder=example).returncode == 0
    data = (example / "out").read_bytes()
    if word == "parquet":
        import pyarrow.parquet

        rows = pyarrow.parquet.read_table(example / "out").to_pylist()
        assert rows[-1]["documents"] == ["briefing.md"]
    elif word == "csv":
        rows = list(csv.DictReader(io.StringIO(data.decode())))
    else:
        rows = [json.loads(line) for line in data.splitlines()]
        assert rows[-1]["events"][0]["event"] == "open"
    assert [row["number"] for row in rows] == [f"D{n}" for n in range(1, 17)]


def test_actions_say_what_they_need(verify, example):
    assert "has --format csv" in verify("ledger", "export", folder=example).err
    assert "needs a run" in verify("ledger", "undo", folder=example).err
