"""Versions as they are written, in text and in tags, compared as versions: 0.3.3, 0.30.0 and 0.3.0 are three."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from packaging.version import InvalidVersion, Version

_TAIL = re.compile(r"\d+(?:\.\d+)+(?:[-._]?(?:rc|alpha|beta|a|b|post|dev)[-.]?\d*)*(?:\+[\w.]+)?$")
_BUILD = re.compile(r"b(\d{3,})")


def of_tag(tag: str) -> str:
    """`v0.28.0` -> `0.28.0`, `rust-v0.125.0` -> `0.125.0`, `pkg==1.1.0` -> `1.1.0`; `b9090` stays."""
    found = _TAIL.search(tag)
    return found.group() if found else tag.removeprefix("v") if re.fullmatch(r"v\d+", tag) else tag


def scheme(tag: str) -> str:
    """What a tag says besides its version: `v0.28.0` -> `v`, `rust-v0.125.0` -> `rust-v`, `b9090` -> `b`."""
    return tag.removesuffix(of_tag(tag)) or ("b" if _BUILD.fullmatch(tag) else "")


@lru_cache(maxsize=4096)
def parse(text: str) -> Version | None:
    """A version that compares as one; a build number (`b9090`) counts as its number."""
    if build := _BUILD.fullmatch(text):
        text = build.group(1)
    try:
        return Version(text)
    except InvalidVersion:
        return None


def same(a: str, b: str) -> bool:
    """`0.11` is `0.11.0`; `0.3.3` is not `0.30.0`."""
    return a == b or ((left := parse(a)) is not None and left == parse(b))


def within(text: str, series: str) -> bool:
    """Whether a version belongs to a series that was named by its beginning: `0.5.8` to `0.5`, `1.3.0rc28` to `1.3.0rc`."""
    rest = text.removeprefix(series)
    return text.startswith(series) and (rest[:1] == "." or (series[-1:].isalpha() and rest.isdigit()))


def names_a_series(text: str) -> bool:
    """Whether a version may name several: `0.5`, `1.3.0rc`."""
    return text[:1].isdigit() and (text.count(".") == 1 or text[-1:].isalpha())


def of_package(releases: Iterable[Mapping[str, Any]], tag: str | None) -> list[Mapping[str, Any]]:
    """The releases that are tagged as `tag` is: a repository may hold sibling packages with versions of their own."""
    known = list(releases)
    return [r for r in known if scheme(str(r.get("tag") or tag)) == scheme(tag)] if tag else known


def newest(releases: Iterable[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The highest version that is neither draft nor pre-release."""
    out = [(v, r) for r in releases if not (r.get("draft") or r.get("prerelease")) and (v := parse(str(r.get("version")))) and not v.is_prerelease]
    return max(out, key=lambda pair: pair[0])[1] if out else None


def find(releases: Iterable[Mapping[str, Any]], tag: str) -> dict[str, Any] | None:
    """The release that a tag names, also as `0.11` for `0.11.0`; or, where a series is named (`0.5`), when it came out."""
    asked = of_tag(tag)
    package = [dict(r) for r in of_package(releases, tag)]
    for known in package:
        if known["tag"] == tag or same(known["version"], asked):
            return known
    series = sorted((r for r in package if within(r["version"], asked)), key=lambda r: str(r["published"]))
    if not series:
        return None
    first, last = (str(r["published"]) for r in (series[0], series[-1]))
    return {"tag": tag, "version": asked, "series": True, "published": first, "date": first[:10], "last": last[:10]}
