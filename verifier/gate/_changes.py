"""What a change adds or alters: text that was moved, wrapped, renumbered or reformatted is none of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from verifier.errors import UsageError
from verifier.gate._matching import load_of, negated
from verifier.gate._statements import Statement, marks

ALIKE = 0.45  # from here a stretch is an altered one, not a new one


@dataclass(frozen=True)
class Change:
    """A statement to judge; `before` is what stood in its place."""

    statement: Statement
    what: Literal["added", "altered", "not anchored"]
    before: Statement | None = None


def added_or_altered(old: Sequence[Statement], new: Sequence[Statement], series: str) -> list[Change]:
    """The statements of `new` that say what `old` did not, in order of place."""
    free, fresh = _apart(_stretches(old), _stretches(new), old)
    pairs = _paired(free, fresh)
    spare = [s for stretch in free for s in stretch]
    found = []
    for at, stretch in enumerate(fresh):
        for s in stretch:
            same = [o for o in spare if _sense(o, series) == _sense(s, series) and _headed(o) == _headed(s)]
            nearest = max(same, key=s.alike, default=None)
            if nearest is not None and (s.alike(nearest) >= ALIKE or not s.pairs):
                spare.remove(nearest)
                continue
            stood = [o for o in free[pairs[at]] if o.claim.unit == s.claim.unit] if at in pairs else []
            before = min(stood, key=lambda o: abs(stretch.index(s) - free[pairs[at]].index(o)), default=None)
            found.append(Change(s, "altered" if at in pairs else "added", before))
    return found


def _stretches(statements: Sequence[Statement]) -> list[list[Statement]]:
    """Statements that stand in one bullet, paragraph or row, together."""
    grouped: dict[int, list[Statement]] = {}
    for s in statements:
        grouped.setdefault(s.first, []).append(s)
    return list(grouped.values())


def _apart(old: list[list[Statement]], new: list[list[Statement]], every: Sequence[Statement]) -> tuple[list[list[Statement]], list[list[Statement]]]:
    """The stretches that only one version has; equal words elsewhere are equal unless they got other conditions there."""
    left = Counter(stretch[0].words for stretch in old)
    fresh = []
    for stretch in new:
        words = stretch[0].words
        if left[words] > 0 and not any(_elsewhere(s, every) for s in stretch):
            left[words] -= 1
        else:
            fresh.append(stretch)
    free = []
    for stretch in old:
        if left[stretch[0].words] > 0:
            left[stretch[0].words] -= 1
            free.append(stretch)
    return free, fresh


def _paired(free: list[list[Statement]], fresh: list[list[Statement]]) -> dict[int, int]:
    """Which stretch that is gone each fresh one took the place of, the most alike first."""
    scored = sorted(((n[0].alike(o[0]), -i, -j) for i, n in enumerate(fresh) for j, o in enumerate(free)), reverse=True)
    pairs: dict[int, int] = {}
    for score, i, j in scored:
        if score >= ALIKE and -i not in pairs and -j not in pairs.values():
            pairs[-i] = -j
    return pairs


def _elsewhere(statement: Statement, old: Sequence[Statement]) -> bool:
    """Whether the same words now stand under a heading that gives them other conditions."""
    twins = [o for o in old if o.words == statement.words and o.number == statement.number]
    return bool(twins) and all(_headed(o) != _headed(statement) for o in twins)


def _headed(statement: Statement) -> dict[str, str]:
    return {name: c.value for name, c in statement.claim.conditions.items() if c.origin == "heading"}


def _sense(s: Statement, series: str) -> tuple[object, ...]:
    """What must be equal for a number to say the same in other words."""
    c = s.claim
    numbers = marks(s.text, series)
    return (s.number, c.form, c.unit, c.direction, s.bound, c.approx, c.hedge, c.statistic, frozenset(numbers), frozenset(load_of(s)),
            frozenset(s.own.items()), negated(s), frozenset(x.id for x in c.sources))  # fmt: skip


def committed(path: Path, ref: str) -> bytes | None:
    """The file as it stood at `ref` (`:` is the index); None where it was not there. Raises UsageError without git."""
    import subprocess

    folder = path.resolve().parent
    command = ["git", "show", f"{ref.rstrip(':')}:./{path.name}"]
    try:
        known = ref == ":" or subprocess.run(
            ["git", "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}"], cwd=folder, capture_output=True, timeout=60
        )
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError(f"{path}: git could not be run ({error}); leave --diff and --staged out") from None
    if done.returncode == 0:
        return done.stdout
    said = done.stderr.decode(errors="replace").strip()
    if "not a git repository" in said:
        raise UsageError(f"{path}: git: {said}; leave --diff and --staged out")
    if known is not True and known.returncode and ref != "HEAD":
        raise UsageError(f"{path}: git knows no {ref!r}; check the ref")
    return None
