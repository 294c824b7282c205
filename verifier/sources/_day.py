"""What a look shows of an earlier day: what was published after it did not exist yet, whenever the look was made."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from verifier.models import Look
from verifier.normalize import versions

RELEASE = ("tag", "version", "published", "date", "prerelease", "draft")


def project(look: Look, day: date) -> Look:
    """The look as it would have been on `day`. An absence stays: what is missing today was missing then."""
    if look.outcome != "found":
        return look
    facts = look.facts
    if look.citation.startswith("arxiv:"):
        return _paper(look, facts, day)
    if "releases" in facts:
        return _releases(look, facts, day)
    began = facts.get("published") or facts.get("created")
    if _after(began, day):
        return _not_yet(look, str(began))
    if "state" in facts and _after(facts.get("closed"), day):
        return look.model_copy(update={"facts": {**facts, "state": "open", "merged": False, "closed": None}})
    return look


def _after(moment: object, day: date) -> bool:
    return isinstance(moment, str) and moment[:10] > day.isoformat()


def _not_yet(look: Look, began: str) -> Look:
    facts = {"not_before": began[:10]}
    return look.model_copy(update={"outcome": "absent", "facts": facts, "reason": f"published {began[:10]}, after the day of judgement"})


def _paper(look: Look, facts: Mapping[str, Any], day: date) -> Look:
    if _after(facts.get("published"), day):
        return _not_yet(look, str(facts["published"]))
    if _after(facts.get("updated"), day):  # a later version: its comment, and whether it withdraws, say nothing of that day
        then = {**facts, "updated": None, "version": None, "comment": None, "withdrawn": False}
        return look.model_copy(update={"facts": then})
    return look


def _releases(look: Look, facts: Mapping[str, Any], day: date) -> Look:
    """The list of that day, and the newest of it as the latest."""
    then = [r for r in facts["releases"] if not _after(r.get("published"), day)]
    if len(then) == len(facts["releases"]):
        return look
    last = versions.newest(versions.of_package(then, facts.get("tag")))
    kept = {key: facts[key] for key in ("complete", "made_from") if key in facts}
    latest = {key: last.get(key) for key in RELEASE} if last else {}
    return look.model_copy(update={"facts": {**latest, **kept, "releases": then}})
