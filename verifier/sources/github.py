"""`github:owner/name@v0.28.0`, `…@latest`, `…@releases`, `…#12`, `github:owner/name`: releases, tags, pull requests, repositories."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from verifier.errors import Unavailable
from verifier.normalize import versions

if TYPE_CHECKING:
    from verifier.sources._http import Answer

PAGES = 3
NOTES = 20_000
ACCEPT = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}

_LINK = re.compile(
    r"(?:https?://)?(?<![\w.-])(?:www\.)?github\.com/([A-Za-z0-9][A-Za-z0-9-]{0,38})/([A-Za-z0-9._-]+)"
    r"(?:/releases/tag/([^\s)\]）>\"'，。、；|]+)|/(?:pull|issues)/(\d+))?",
    re.ASCII,
)
_NOT_OWNERS = {"orgs", "topics", "search", "sponsors", "features", "marketplace", "settings", "about", "collections"}


def links(text: str) -> Iterator[tuple[int, str]]:
    """(position, citation) of every GitHub link in a text."""
    for found in _LINK.finditer(text):
        owner, name, tag, number = found.groups()
        name = name.rstrip(".").removesuffix(".git")
        if owner.lower() not in _NOT_OWNERS and name:
            yield found.start(), f"github:{owner}/{name}" + (f"@{tag.rstrip('.,;:')}" if tag else f"#{number}" if number else "")


def parts(citation: str) -> tuple[str, str | None]:
    """`github:owner/name@tag` -> (`owner/name`, `tag`); `github:owner/name#12` -> (`owner/name`, `#12`)."""
    repo, mark, tag = re.fullmatch(r"github:([^@#]*)([@#]?)(.*)", citation, re.DOTALL).groups()  # type: ignore[union-attr]
    tag = f"#{tag}" if mark == "#" else tag
    if not re.fullmatch(r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+", repo) or repo.split("/")[1].strip(".") == "":
        raise Unavailable("not the name of a GitHub repository")
    return repo, tag or None


def url(base: str, citation: str) -> str:
    repo, tag = parts(citation)
    if tag and re.fullmatch(r"#\d+", tag):
        return f"{base.rstrip('/')}/repos/{repo}/issues/{tag[1:]}"
    tail = {None: "", "latest": "/releases/latest", "releases": "/releases?per_page=100"}
    return f"{base.rstrip('/')}/repos/{repo}" + tail.get(tag, f"/releases/tags/{quote(tag or '', safe='')}")


def tag_url(base: str, citation: str) -> str:
    """Where a tag stands that has no release."""
    repo, tag = parts(citation)
    return f"{base.rstrip('/')}/repos/{repo}/git/ref/tags/{quote(tag or '', safe='')}"


def data(answer: Answer) -> Any:
    if answer.status != 200:
        raise Unavailable(f"HTTP {answer.status}")
    try:
        return json.loads(answer.body)
    except ValueError:
        raise Unavailable(f"HTTP {answer.status}, not JSON") from None


def record(answer: Answer) -> dict[str, Any]:
    value = data(answer)
    if not isinstance(value, dict):
        raise Unavailable("JSON of another shape")
    return value


def release(item: dict[str, Any]) -> dict[str, Any]:
    """Facts of a release; `published` is `published_at`."""
    tag = item.get("tag_name")
    if not isinstance(tag, str):
        raise Unavailable("JSON of another shape (no tag_name)")
    facts: dict[str, Any] = {
        "tag": tag,
        "version": versions.of_tag(tag),
        "published": item.get("published_at"),
        "date": (item.get("published_at") or "")[:10] or None,
        "prerelease": bool(item.get("prerelease")),
        "draft": bool(item.get("draft")),
    }
    body = item.get("body") or ""
    for word in ("commits", "contributors"):
        if found := re.search(rf"(\d[\d,]*)\s+{word}\b", body):
            facts[word] = int(found.group(1).replace(",", ""))
    if found := re.search(r"(\d[\d,]*)\s+new\s+contributors\b|\((\d+)\s+new\)", body):
        facts["new_contributors"] = int((found.group(1) or found.group(2)).replace(",", ""))
    return facts | {"name": item.get("name"), "created": item.get("created_at"), "notes": body[:NOTES], "release": True}


def short(facts: dict[str, Any]) -> dict[str, Any]:
    """A release as it is kept in a list: without its notes."""
    return {key: value for key, value in facts.items() if key not in ("name", "created", "notes", "release")}


def pull(item: dict[str, Any]) -> dict[str, Any]:
    """Facts of a pull request or issue; `repository` is where it really is."""
    where = re.search(r"/repos/([^/]+/[^/]+)$", str(item.get("repository_url")))
    if not where or not isinstance(item.get("title"), str):
        raise Unavailable("JSON of another shape (no repository_url)")
    merged = (item.get("pull_request") or {}).get("merged_at")
    return {
        "repository": where.group(1),
        "number": item.get("number"),
        "title": item["title"],
        "author": (item.get("user") or {}).get("login"),
        "pull": "pull_request" in item,
        "state": item.get("state"),
        "merged": bool(merged),
        "created": item.get("created_at"),
        "closed": item.get("closed_at"),
    }


def releases(answer: Answer) -> list[dict[str, Any]]:
    items = data(answer)
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise Unavailable("JSON of another shape")
    return [release(item) for item in items if item.get("published_at")]  # a draft is not out yet


def repository(item: dict[str, Any], asked: str) -> dict[str, Any]:
    name = item.get("full_name")
    if not isinstance(name, str):
        raise Unavailable("JSON of another shape (no full_name)")
    return {
        "repository": name,
        "moved": name.lower() != asked.lower(),
        "archived": bool(item.get("archived")),
        "licence": (item.get("license") or {}).get("spdx_id"),
        "stars": item.get("stargazers_count"),
        "created": item.get("created_at"),
        "pushed": item.get("pushed_at"),
    }


def next_page(answer: Answer) -> str | None:
    found = re.search(r'<([^>]+)>;\s*rel="next"', answer.headers.get("link", ""))
    return found.group(1) if found else None
