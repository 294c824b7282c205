"""Sources: what a document cites, looked up politely and stored as evidence."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from verifier.extract import mentions
from verifier.lexicon import Lexicon, load
from verifier.models import Claim, Document, Look
from verifier.sources import arxiv, github
from verifier.sources._store import EvidenceStore, latest, when
from verifier.sources._token import token

if TYPE_CHECKING:
    import httpx

    from verifier.settings import Settings
    from verifier.sources._http import Lock

__all__ = ["EvidenceStore", "citations", "fetch", "latest"]

AGAIN_ABSENT = timedelta(days=3)  # two looks that far apart say "does not exist"
AGAIN_LATEST = timedelta(hours=12)


def citations(document: Document, claims: Sequence[Claim]) -> list[str]:
    """What the document rests on, in order of first mention, each once."""
    text = document.text
    found = [(paper.start, f"arxiv:{paper.id}") for paper in mentions.papers(text)]
    found += github.links(text)
    found += [(pull.start, pull.citation) for pull in mentions.pulls(text)]
    for release in mentions.releases(text):
        found += [(release.start, f"github:{release.repo}@latest"), (release.start, release.citation)]
    found += _projects(claims)
    for claim in claims:
        for source in claim.sources:
            if source.kind == "arxiv" and re.fullmatch(r"\d{4}\.\d{4,5}|[a-zA-Z.-]+/\d{7}", arxiv.bare(source.id)):
                found.append((claim.start, f"arxiv:{arxiv.bare(source.id)}"))
    return list(dict.fromkeys(citation for _, citation in sorted(found, key=lambda pair: pair[0])))


def _projects(claims: Sequence[Claim]) -> Iterable[tuple[int, str]]:
    """(position, citation) of what claims say of a project: its versions, or of its repository."""
    lexicon = load()
    for claim in claims:
        if claim.metric == "stars" and claim.subject:
            named = re.fullmatch(r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+", claim.subject)
            for repo in [claim.subject] if named else _repository(lexicon, claim.subject):
                yield claim.start, f"github:{repo}"
        elif claim.subject and (claim.form == "version" or claim.metric in ("version", "release_date")):
            yield from ((claim.start, f"github:{repo}@latest") for repo in _repository(lexicon, claim.subject))


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
    lock: Lock | None = None,
    step: Callable[[int, int], None] = lambda done, of: None,
) -> list[Look]:
    """One look a citation: a stored one that is still good, or a new one, which is stored at once.

    `lock` is arXiv's turn, by default among the processes of this machine; `step` is told how many of those that must
    be asked for are done.
    """
    wanted = list(dict.fromkeys(citations))
    known = {citation: store.looks(citation) for citation in wanted}
    done = {c: look for c in wanted if (look := _good(c, known[c], now())) is not None}
    todo = [citation for citation in wanted if citation not in done]
    if todo:
        from verifier.sources._fetch import Fetcher

        asks_github = any(citation.startswith("github:") for citation in todo)
        secret = token(settings.github_url) if asks_github else None
        fetcher = Fetcher(store, settings, budget, now, sleep, tick, transport, secret, lock)
        try:
            step(0, len(todo))
            done |= fetcher.all(todo, known, lambda count: step(count, len(todo)))
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
