"""The verified statements that a change may restate: claims of recorded runs, with their words where their file still has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.errors import UsageError
from verifier.gate._statements import TOKEN, Statement, statements
from verifier.models import Claim
from verifier.read import read

LATEST = 30

if TYPE_CHECKING:
    from verifier.ledger.glance import Readable


def verified(ledger: Readable, asked: Sequence[Statement], root: Path, living: str, earlier: bool) -> list[Statement]:
    """The claims of every recorded document that has one about the same things; of the living document too, unless its
    earlier version is at hand, which has them with their words."""
    near = ledger.find_claims(list(_ways(asked))) if asked else []
    documents = dict.fromkeys([*(c.document for c in near), *(_latest(root) if asked else ())])
    documents.pop(living, None)
    if not earlier:
        documents[living] = None
    found: list[Statement] = []
    for name in documents:
        claims = [Claim.model_validate(body) for body in ledger.verified(name).values()]
        found += _with_words(root / name, name, claims)
    return found


def _latest(root: Path) -> list[str]:
    """The recorded documents that were named last, by the days in their names: an anchoring comes after its briefing."""
    folder = root / "claims" / "extracted"
    names = [p.relative_to(folder).as_posix().removesuffix(".jsonl") for p in folder.rglob("*.jsonl")] if folder.is_dir() else []
    return sorted(names, key=lambda n: (max(re.findall(r"20\d\d-\d\d-\d\d", n), default=""), n), reverse=True)[:LATEST]


def _ways(asked: Sequence[Statement]) -> Iterable[Claim]:
    """Each claim under every name that its words hold, and under none: what a subject is called differs between writers."""
    for s in asked:
        names = {s.claim.subject, None, *(t for t in TOKEN.findall(s.text) if t[0].isalpha())}
        for subject in names:
            for metric in {s.claim.metric, None}:
                yield s.claim.model_copy(update={"subject": subject, "metric": metric})


def _with_words(path: Path, name: str, claims: Sequence[Claim]) -> list[Statement]:
    """Claims with the stretches of their file; one whose words are no longer at its place keeps only what it is about."""
    try:
        document = read(path.read_bytes(), name)
    except (OSError, UsageError):
        return [Statement(c, "", c.line, c.end_line) for c in claims]
    there = [c for c in claims if document.text[c.start : c.end] == c.text]
    kept = {c.id for c in there}
    return statements(document, there) + [Statement(c, "", c.line, c.end_line) for c in claims if c.id not in kept and c.scope == "world"]
