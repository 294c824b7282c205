"""One run's fetching: batches for arXiv, conditional requests for GitHub, every look stored as it comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from verifier.errors import Unavailable
from verifier.models import Look
from verifier.normalize import versions
from verifier.sources import arxiv, digest, github
from verifier.sources._http import Answer, Clock, FileLock, Http, Lock, NotAsked, one_at_a_time, origin
from verifier.sources._numbers import figures
from verifier.sources._store import EvidenceStore

if TYPE_CHECKING:
    import httpx

    from verifier.settings import Settings


def _turn(citation: str) -> int:
    """What is asked first: lists of releases, which answer for many; last what a limit may cut off."""
    return 0 if citation.endswith("@latest") else 2 if "#" in citation else 1


class Fetcher:
    def __init__(
        self,
        store: EvidenceStore,
        settings: Settings,
        budget: float,
        now: Callable[[], datetime],
        sleep: Callable[[float], None],
        tick: Callable[[], float],
        transport: httpx.BaseTransport | None,
        token: str | None,
        lock: Lock | None,
    ) -> None:
        self.store, self.settings, self.token = store, settings, token
        self.lists: dict[str, list[dict[str, Any]]] = {}
        self.whole: dict[str, bool] = {}
        self.clock = Clock(now, sleep, tick)
        places = frozenset({origin(settings.arxiv_url), origin(settings.github_url)})
        self.http = Http(places, budget, self.clock, token, origin(settings.github_url), transport)
        lock = lock or FileLock(store.root / "claims" / "arxiv.lock")
        self.turn = partial(one_at_a_time, lock, self.clock, lambda: self.http.left)

    def close(self) -> None:
        self.http.close()

    def all(self, wanted: Sequence[str], known: Mapping[str, Sequence[Look]], step: Callable[[int], None]) -> dict[str, Look]:
        """A look for each citation; `step` is told after each answer how many there are."""
        looks: dict[str, Look] = {}
        papers = [c.removeprefix("arxiv:") for c in wanted if c.startswith("arxiv:")]
        for at in range(0, len(papers), arxiv.BATCH):
            self._papers(papers[at : at + arxiv.BATCH], looks)
            step(len(looks))
        for citation in sorted((c for c in wanted if c not in looks), key=_turn):
            looks[citation] = self._listed(citation) or self._github(citation, known)
            step(len(looks))
        return looks

    # ------------------------------------------------------------ arXiv

    def _papers(self, ids: Sequence[str], looks: dict[str, Look]) -> None:
        url = arxiv.url(self.settings.arxiv_url, ids)
        status: int | None = None
        try:
            answer = self.http.get(url, turn=self.turn, fault=arxiv.fault)
            status = answer.status
            found, whole = arxiv.parse(answer)
        except Unavailable as error:
            for i in ids:
                own = arxiv.url(self.settings.arxiv_url, [i])
                looks[f"arxiv:{i}"] = self._failed(f"arxiv:{i}", own, status, error)
            return
        except arxiv.Malformed as error:
            self._split(ids, error.identifier, looks)
            return
        for i in ids:
            citation, own = f"arxiv:{i}", arxiv.url(self.settings.arxiv_url, [i])
            if i in found:
                look = self._look(citation, own, "found", status, facts=found[i])
            elif whole:
                look = self._look(citation, own, "absent", status, reason="arXiv has no entry for this id")
            else:
                look = self._look(citation, own, "failed", status, reason="more results were announced than came; not in the part that came")
            looks[citation] = self._keep(look)

    def _split(self, ids: Sequence[str], named: str | None, looks: dict[str, Look]) -> None:
        """A batch that was refused for one id: without it when the source named it, else in halves."""
        if len(ids) == 1:
            named = ids[0]
        if named is not None and named in ids:
            own, reason = arxiv.url(self.settings.arxiv_url, [named]), "arXiv: incorrect id format"
            looks[f"arxiv:{named}"] = self._keep(self._look(f"arxiv:{named}", own, "absent", 400, reason=reason))
            rest = [i for i in ids if i != named]
            if rest:
                self._papers(rest, looks)
            return
        middle = len(ids) // 2
        self._papers(ids[:middle], looks)
        self._papers(ids[middle:], looks)

    # ------------------------------------------------------------ GitHub

    def _listed(self, citation: str) -> Look | None:
        """A release from the list that this run has fetched already: no further request."""
        repo, _, tag = citation.removeprefix("github:").partition("@")
        if repo not in self.lists or not tag or tag in ("latest", "releases"):
            return None
        facts = versions.find(self.lists[repo], tag)
        if facts and facts.get("notes"):
            facts["numbers"] = figures(facts["notes"])
        return self._keep(self._look(citation, github.url(self.settings.github_url, citation), "found", 200, facts=facts)) if facts else None

    def _github(self, citation: str, known: Mapping[str, Sequence[Look]]) -> Look:
        base = url = self.settings.github_url
        status: int | None = None
        if not citation.startswith("github:"):
            return self._failed(citation, "", None, NotAsked("no source of this kind"))
        try:
            url = github.url(base, citation)
            repo, tag = github.parts(citation)
            last = next((look for look in reversed(known.get(citation, ())) if look.outcome == "found" and look.url == url), None)
            headers = dict(github.ACCEPT)
            if last and last.etag:
                headers["If-None-Match"] = last.etag
            if last and last.last_modified:
                headers["If-Modified-Since"] = last.last_modified
            answer = self.http.get(url, headers)
            if answer.status == 304 and last:
                return self._keep(self._look(citation, url, "found", 304, answer, facts=last.facts, before=last))
            if answer.status == 404:
                whole = self.whole.get(repo) or any(look.facts.get("complete") for look in known.get(f"github:{repo}@latest", ()))
                return self._keep(self._without_release(citation, url, tag, answer, whole))
            status = answer.status
            return self._keep(self._look(citation, url, "found", status, answer, facts=self._facts(repo, tag, answer)))
        except Unavailable as error:
            return self._failed(citation, url, status, error)

    def _without_release(self, citation: str, url: str, tag: str | None, answer: Answer, whole: bool) -> Look:
        """A tag without a release, or an absence; a series' name (`1.37`) is absent only where the list is `whole`."""
        if tag not in (None, "latest", "releases") and not str(tag).startswith("#"):
            bare = self.http.get(github.tag_url(self.settings.github_url, citation), github.ACCEPT)
            if bare.status == 200:
                github.record(bare)
                facts: dict[str, Any] = {"tag": tag, "version": versions.of_tag(str(tag)), "published": None, "date": None}
                facts["release"] = False
                return self._look(citation, url, "found", 200, facts=facts)
            if bare.status != 404:
                raise Unavailable(f"HTTP {bare.status}")
            if not whole and versions.names_a_series(versions.of_tag(str(tag))):
                raise Unavailable("named by its series, and the list of releases is not complete")
        return self._look(citation, url, "absent", 404, answer, reason="GitHub answers 404")

    def _facts(self, repo: str, tag: str | None, answer: Answer) -> dict[str, Any]:
        if tag is None:
            return github.repository(github.record(answer), repo)
        if tag.startswith("#"):
            return github.pull(github.record(answer))
        if tag == "releases":
            found, complete = self._pages(answer)
            return {"releases": [github.short(r) for r in found], "complete": complete}
        facts = github.release(github.record(answer))
        if tag != "latest":
            return {**facts, "numbers": figures(facts["notes"])}
        try:
            first = self.http.get(github.url(self.settings.github_url, f"github:{repo}@releases"), github.ACCEPT)
            listed, complete = self._pages(first)
            self.lists[repo], self.whole[repo] = listed, complete
        except Unavailable:
            listed, complete = [], False  # without the list, an earlier day's latest is not known
        if facts["date"] and all(known["tag"] != facts["tag"] for known in listed):
            listed = [*listed, facts]
        return {**github.short(facts), "releases": [github.short(r) for r in listed], "complete": complete}

    def _pages(self, answer: Answer) -> tuple[list[dict[str, Any]], bool]:
        """The releases of up to PAGES pages, and whether that was all of them."""
        found = github.releases(answer)
        for _ in range(github.PAGES - 1):
            following = github.next_page(answer)
            if not following:
                break
            answer = self.http.get(following, github.ACCEPT)
            found += github.releases(answer)
        return found, github.next_page(answer) is None

    # ------------------------------------------------------------ looks

    def _keep(self, look: Look) -> Look:
        self.store.append(look)
        return look

    def _failed(self, citation: str, url: str, status: int | None, error: Unavailable) -> Look:
        """A failed look; it is stored only when something was asked."""
        look = self._look(citation, url, "failed", status, reason=str(error))
        return look if isinstance(error, NotAsked) else self._keep(look)

    def _look(
        self,
        citation: str,
        url: str,
        outcome: Any,
        status: int | None,
        answer: Answer | None = None,
        *,
        facts: dict[str, Any] | None = None,
        reason: str | None = None,
        before: Look | None = None,
    ) -> Look:
        moment = self.clock.now()
        headers = answer.headers if answer else {}
        if reason and self.token:
            reason = reason.replace(self.token, "***")
        good = moment + timedelta(days=self.settings.recheck_days)
        return Look(
            citation=citation,
            url=url,
            outcome=outcome,
            status=status,
            etag=headers.get("etag") or (before.etag if before else None),
            last_modified=headers.get("last-modified") or (before.last_modified if before else None),
            fetched_at=moment.isoformat(timespec="seconds"),
            not_after=good.isoformat(timespec="seconds") if outcome == "found" else None,
            digest=digest(facts) if facts else None,
            facts=facts or {},
            reason=reason,
        )
