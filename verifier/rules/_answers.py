"""What stored evidence answers about a citation: five answers that are never mixed up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from verifier.extract.mentions import Release
from verifier.models import Location, Look
from verifier.normalize import versions
from verifier.rules._base import Context

APART = timedelta(days=3)  # two looks that far apart say "does not exist"
Answer = Literal["found", "absent", "not so far", "unreachable", "never"]


class Known(NamedTuple):
    """What is known of a citation on the day of judgement, and from which looks."""

    answer: Answer
    facts: dict[str, Any]
    looks: tuple[Look, ...]
    reason: str = ""
    reason_zh: str = ""


def about(context: Context, citation: str) -> Known:
    looks = context.evidence.get(citation, ())
    found = next((look for look in reversed(looks) if look.outcome == "found"), None)
    if found:
        return Known("found", found.facts, (found,))
    later = next((str(look.facts["not_before"]) for look in looks if "not_before" in look.facts), None)
    if later:
        return Known(
            "not so far", {"not_before": later}, looks, f"came out on {later}, after {context.as_of}", f"{later} 才发布，晚于 {context.as_of}"
        )
    absent = [datetime.fromisoformat(look.fetched_at) for look in looks if look.outcome == "absent"]
    if absent and max(absent) - min(absent) >= APART:
        return Known("absent", {}, looks, "two looks, three days apart or more, did not find it", "相隔三天以上的两次查询均未找到")
    if absent:
        return Known("not so far", {}, looks, "one look did not find it; a second one after three days decides", "一次查询未找到，三天后复查方可定论")
    if looks:
        return Known("unreachable", {}, looks, f"could not be reached: {looks[-1].reason}", f"未能访问：{looks[-1].reason}")
    return Known("never", {}, (), "not looked up", "未查询")


def release(context: Context, named: Release) -> Known:
    """About a release: the look at its own tag, else the list of its project's releases."""
    own = about(context, named.citation)
    if own.answer != "found":
        listing = about(context, f"github:{named.repo}@latest")
        facts = versions.find(listing.facts.get("releases") or [listing.facts] if listing.facts.get("version") else [], named.tag)
        if facts:
            return Known("found", facts, listing.looks)
    return own


def newest(context: Context, repo: str, tag: str) -> Known:
    """The newest release of a package on the day of judgement; sibling packages' tags do not count."""
    listing = about(context, f"github:{repo}@latest")
    listed = listing.facts.get("releases") or ([listing.facts] if listing.facts.get("version") else [])
    last = versions.newest(versions.of_package(listed, tag))
    return listing._replace(facts=dict(last)) if last else listing._replace(facts={})


def together(unanswered: Iterable[tuple[Location, Known]]) -> Iterable[tuple[Known, list[Location], Sequence[Look]]]:
    """What could not be answered, one group for each reason: forty lines that say `not looked up` help nobody."""
    groups: dict[str, tuple[Known, list[Location], dict[str, Look]]] = {}
    for place, known in unanswered:
        _, places, looks = groups.setdefault(known.reason, (known, [], {}))
        places.append(place)
        looks |= {f"{look.citation} {look.fetched_at}": look for look in known.looks}
    return ((known, places, list(looks.values())) for known, places, looks in groups.values())
