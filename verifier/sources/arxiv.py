"""`arxiv:2609.23130`: papers, by id, in batches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from verifier.errors import Unavailable
from verifier.sources._numbers import figures

if TYPE_CHECKING:
    from verifier.sources._http import Answer

BATCH = 50
ATOM = "{http://www.w3.org/2005/Atom}"
ARXIV = "{http://arxiv.org/schemas/atom}"
SEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"


def bare(identifier: str) -> str:
    """`2607.09172v2` -> `2607.09172`."""
    return re.sub(r"v\d+$", "", identifier)


def url(base: str, wanted: Sequence[str]) -> str:
    return f"{base}?{urlencode({'id_list': ','.join(wanted), 'start': 0, 'max_results': max(1, len(wanted))})}"


def fault(answer: Answer) -> str | None:
    """Throttling that comes as a success."""
    limited = answer.body[:200].strip().startswith(b"Rate exceeded")
    return "arXiv answered 'Rate exceeded.' (rate limit)" if limited else None


class Malformed(Exception):
    """The source refused the batch; `identifier` is the one that it named, when it named one."""

    def __init__(self, identifier: str | None) -> None:
        super().__init__(identifier)
        self.identifier = identifier


def parse(answer: Answer) -> tuple[dict[str, dict[str, Any]], bool]:
    """{id: facts} of an answer's entries, and whether it is whole: only then are ids that are not in it absent."""
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    try:
        feed = fromstring(answer.body, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise Unavailable(f"HTTP {answer.status}, not a readable feed ({type(error).__name__})") from None
    if feed.tag != f"{ATOM}feed":
        raise Unavailable(f"HTTP {answer.status}, not an Atom feed")
    entries = feed.findall(f"{ATOM}entry")
    for entry in entries:
        if "/api/errors" in _text(entry, f"{ATOM}id"):
            named = re.search(r"incorrect id format for (\S+)", _text(entry, f"{ATOM}summary"))
            raise Malformed(named.group(1) if named else None)
    if answer.status != 200:
        raise Unavailable(f"HTTP {answer.status}")
    total = _text(feed, f"{SEARCH}totalResults")
    if not total.isdigit():
        raise Unavailable("a feed that does not say how many results it has")
    facts = {}
    for entry in entries:
        found = re.search(r"/abs/(.+?)(?:v(\d+))?$", _text(entry, f"{ATOM}id"))
        if found:
            facts[found.group(1)] = _facts(entry, int(found.group(2) or 1))
    return facts, int(total) <= len(entries)


def _facts(entry: Any, version: int) -> dict[str, Any]:
    comment = _text(entry, f"{ARXIV}comment") or None
    primary = entry.find(f"{ARXIV}primary_category")
    abstract = _text(entry, f"{ATOM}summary") or None
    return {
        "title": _text(entry, f"{ATOM}title"),
        "authors": [_text(author, f"{ATOM}name") for author in entry.findall(f"{ATOM}author")],
        "published": _text(entry, f"{ATOM}published") or None,
        "updated": _text(entry, f"{ATOM}updated") or None,
        "version": version,
        "categories": [c.get("term") for c in entry.findall(f"{ATOM}category")],
        "primary_category": primary.get("term") if primary is not None else None,
        "comment": comment,
        "abstract": abstract,
        "numbers": figures(abstract) if abstract else [],
        "withdrawn": bool(comment and re.search(r"\bwithdrawn\b", comment, re.IGNORECASE)),
    }


def _text(element: Any, tag: str) -> str:
    return " ".join((element.findtext(tag) or "").split())
