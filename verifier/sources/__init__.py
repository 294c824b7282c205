"""Sources: what a document cites, looked up politely and stored as evidence."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from verifier.lexicon import Lexicon, load
from verifier.models import Claim, Document, Look
from verifier.sources import arxiv, github
from verifier.sources._store import EvidenceStore, latest, when

if TYPE_CHECKING:
    import httpx

    from verifier.settings import Settings

__all__ = ["EvidenceStore", "citations", "fetch", "latest"]

AGAIN_ABSENT = timedelta(days=3)  # two looks that far apart say "does not exist"
AGAIN_LATEST = timedelta(hours=12)


def citations(document: Document, claims: Sequence[Claim]) -> list[str]:
    """What the document rests on, in order of first mention, each once."""
    found: list[tuple[int, str]] = [(at, f"arxiv:{i}") for at, i in arxiv.ids(document.text)]
    found += github.links(document.text)
    found += [(at, f"github:{repo}@latest") for at, repo in _projects(document, claims)]
    for claim in claims:
        for source in claim.sources:
            if source.kind == "arxiv" and re.fullmatch(r"\d{4}\.\d{4,5}|[a-zA-Z.-]+/\d{7}", arxiv.bare(source.id)):
                found.append((claim.start, f"arxiv:{arxiv.bare(source.id)}"))
    return list(dict.fromkeys(citation for _, citation in sorted(found, key=lambda pair: pair[0])))


def _projects(document: Document, claims: Sequence[Claim]) -> Iterable[tuple[int, str]]:
    """(position, repository) of the projects of which a version is stated."""
    lexicon = load()
    for claim in claims:
        named = [claim.subject] if claim.form == "version" or claim.metric in ("version", "release_date") else []
        if "engine_version" in claim.conditions and (engine := claim.conditions.get("engine")):
            named.append(engine.value)
        for name in filter(None, named):
            yield from ((claim.start, repo) for repo in _repository(lexicon, name))
    for seen in lexicon.names(document.text):
        after = document.text[seen.end : seen.end + 12]
        if seen.kind in ("engine", "project") and re.match(r"\s{0,2}[vV]?\d+\.\d+", after):
            yield from ((seen.start, repo) for repo in _repository(lexicon, seen.canonical))


def _repository(lexicon: Lexicon, name: str) -> Iterable[str]:
    for candidate in (name, *(n.canonical for n in lexicon.names(name))):
        if repo := lexicon.entry("project", candidate).get("repo"):
            yield repo
            return


def fetch(
    citations: Iterable[str],
    store: EvidenceStore,
    *,
    settings: Settings,
    budget: float,
    now: Callable[[], datetime],
    sleep: Callable[[float], None] = time.sleep,
    tick: Callable[[], float] = time.monotonic,
    transport: httpx.BaseTransport | None = None,
) -> list[Look]:
    """One look a citation: a stored one that is still good, or a new one, which is stored at once."""
    wanted = list(dict.fromkeys(citations))
    known = {citation: store.looks(citation) for citation in wanted}
    done = {c: look for c in wanted if (look := _good(c, known[c], now())) is not None}
    todo = [citation for citation in wanted if citation not in done]
    if todo:
        from verifier.sources._fetch import Fetcher

        fetcher = Fetcher(store, settings, budget, now, sleep, tick, transport, os.environ.get("GITHUB_TOKEN"))
        try:
            done |= fetcher.all(todo, known)
        finally:
            fetcher.close()
    return [done[citation] for citation in wanted]


def _good(citation: str, looks: Sequence[Look], moment: datetime) -> Look | None:
    """A stored look that need not be repeated yet."""
    look = next((k for k in reversed(looks) if k.outcome != "failed"), None)
    if look is None:
        return None
    if look.outcome == "absent":
        return look if moment - when(look.fetched_at) < AGAIN_ABSENT else None
    if citation.endswith(("@latest", "@releases")):
        return look if moment - when(look.fetched_at) < AGAIN_LATEST else None
    return look if look.not_after and moment < when(look.not_after) else None


def digest(facts: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
