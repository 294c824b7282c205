"""The mirror under real git: clones, branches that both add, and what a merge leaves to people."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from ledger.test_ledger import NOW, record
from verifier.errors import Diverged
from verifier.ledger import Ledger

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(root, *words, fails=False):
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *who, *words], cwd=root, capture_output=True, text=True)
    assert bool(done.returncode) == fails, done.stdout + done.stderr
    return done.stdout


def commit(root):
    git(root, "add", "-A")
    git(root, "commit", "-qm", "work")


@pytest.fixture
def pair(tmp_path):
    """A group's root under git with one record, and a clone of it; each has its own database."""
    root, clone = tmp_path / "root", tmp_path / "clone"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    with Ledger.open(root) as ledger:
        record(ledger, ["a"])
    commit(root)
    git(tmp_path, "clone", "-q", str(root), str(clone))
    return root, clone


def moved(root, event, actor, number="D1", **fields):
    with Ledger.open(root) as ledger:
        ledger.transition(number, event, actor=actor, now=NOW, **fields)
    commit(root)


def problems(root):
    with Ledger.open(root, mend=False) as ledger:
        return ledger.check()


def test_the_database_stays_out_of_git(pair):
    root, _ = pair
    assert git(root, "ls-files").split() == [
        "claims/.gitattributes", "claims/.gitignore", "claims/ledger/D0001.jsonl", "claims/ledger/allocator.json",
    ]  # fmt: skip
    assert git(root, "status", "--porcelain") == ""


def test_both_sides_add_to_one_record_and_the_merge_needs_nobody(pair):
    root, clone = pair
    moved(root, "comment", "jay", reason="seen in the log")
    moved(clone, "take", "kim")
    git(clone, "pull", "-q", "--no-rebase", "--no-edit")
    assert problems(clone) == ["the database lacks 1 events that " + str(clone / "claims" / "ledger") + " has; the next start adds them"]
    with Ledger.open(clone) as ledger:
        assert ledger.check() == []
        assert (ledger.get("D1").state, len(ledger.get("D1").events)) == ("checking", 3)
    moved(clone, "comment", "kim", reason="after the merge")
    assert problems(clone) == []


def test_two_moves_of_one_record_are_explained_until_one_line_is_kept(pair):
    root, clone = pair
    moved(root, "take", "jay")
    moved(clone, "void", "kim", reason="slip")
    git(clone, "pull", "-q", "--no-rebase", "--no-edit")
    assert "two conflicting changes of D1: " in problems(clone)[0] and "keep one line" in problems(clone)[0]
    with pytest.raises(Diverged):
        Ledger.open(clone)
    path = clone / "claims" / "ledger" / "D0001.jsonl"
    path.write_text("".join(line for line in path.read_text().splitlines(True) if '"void"' not in line))
    with Ledger.open(clone, mend=False) as ledger:
        assert len(ledger.rebuild()) == 1
    with Ledger.open(clone) as ledger:
        assert ledger.get("D1").state == "checking" and ledger.check() == []


def test_where_git_does_not_know_the_union_its_marks_are_explained(pair):
    root, clone = pair
    for side in pair:
        (side / "claims" / ".gitattributes").write_text("")
    moved(root, "comment", "jay", reason="one")
    moved(clone, "comment", "kim", reason="two")
    git(clone, "pull", "-q", "--no-rebase", "--no-edit", fails=True)
    assert "an unresolved merge; keep both sides' lines and remove the marks" in problems(clone)[0]
    path = clone / "claims" / "ledger" / "D0001.jsonl"
    path.write_text("".join(line for line in path.read_text().splitlines(True) if line.startswith("{")))
    with Ledger.open(clone) as ledger:
        assert ledger.check() == [] and len(ledger.get("D1").events) == 3


def test_what_a_clone_opened_is_numbered_where_numbers_are_handed_out(pair):
    root, clone = pair
    with Ledger.open(root) as ledger:
        record(ledger, ["b", "c"], run="r2")
    commit(root)
    with Ledger.open(clone) as ledger:
        numbers = [r.number for r in record(ledger, ["c", "d"], run="r3")]
        assert all(n.startswith("D~") for n in numbers)
        ledger.transition(numbers[1], "take", actor="kim", now=NOW)
    commit(clone)
    git(root, "pull", "-q", "--no-rebase", "--no-edit", str(clone), "main")
    assert "have one cause" in problems(root)[0] or "the database lacks" in problems(root)[0]
    with Ledger.open(root) as ledger:
        assert ledger.assign(actor="jay", now=NOW) == {numbers[0]: "D3", numbers[1]: "D4"}
        assert [(r.number, r.state, r.cause) for r in ledger.list(live=True)] == [
            ("D1", "open", "a"), ("D2", "open", "b"), ("D3", "open", "c"), ("D4", "checking", "d"),
        ]  # fmt: skip
        assert ledger.check() == []
    commit(root)
    git(clone, "pull", "-q", "--no-rebase", "--no-edit")
    with Ledger.open(clone) as ledger:
        assert ledger.check() == [] and ledger.get(numbers[1]).number == "D4"
        assert {(r.number, r.what) for r in record(ledger, ["c", "d"], run="r4")} == {("D3", "seen_again"), ("D4", "seen_again")}


def test_two_databases_that_both_hand_out_numbers_are_explained_and_one_takes_over(pair):
    root, clone = pair
    for side in (root, clone):
        with Ledger.open(side) as ledger:
            ledger.assign(actor="jay", now=NOW, here=True)
    path = clone / "claims" / "ledger" / "allocator.json"
    path.write_text("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> main\n")
    assert "does not name one database" in problems(clone)[0]
    with Ledger.open(clone, mend=False) as ledger:
        ledger.assign(actor="jay", now=NOW, here=True)
    with Ledger.open(clone) as ledger:
        assert record(ledger, ["b"], run="r2")[0].number == "D2"


def test_another_branch_is_filled_from_the_database(pair):
    root, _ = pair
    git(root, "checkout", "-q", "-b", "side")
    with Ledger.open(root) as ledger:
        record(ledger, ["b"], run="r2")
    commit(root)
    git(root, "checkout", "-q", "main")
    assert not (root / "claims" / "ledger" / "D0002.jsonl").exists()
    with Ledger.open(root) as ledger:
        assert record(ledger, ["b"], run="r3")[0].what == "seen_again"
    commit(root)
    git(root, "merge", "-q", "--no-edit", "side")
    assert problems(root) == []
