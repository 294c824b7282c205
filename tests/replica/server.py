"""A local stand-in for arXiv's API and GitHub's: the shape of their answers, the facts of facts.jsonl.

By hand: `make replica`, then in verify.toml
`arxiv_url = "http://127.0.0.1:8010/api/query"` and `github_url = "http://127.0.0.1:8010"`.
Every answer says in a header that it was made from facts. What the facts are silent about is not called missing:
a paper is announced and left out, a release or repository is answered with 400. Missing is what a fact says is `absent`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

import yaml

from verifier.lexicon import rules_dir

FACTS = Path(__file__).with_name("facts.jsonl")
MADE = ("X-Made-From", "facts of tests/replica/facts.jsonl, not recorded from the service")
Reply = tuple[int, dict[str, str], bytes]


def facts(path: Path = FACTS) -> list[dict[str, Any]]:
    """Facts as here, or as lists of releases name them: by `subject` and `version`, with a `status` where there is none."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [fact for line in lines for fact in (_named(line) if "subject" in line else [_paper(line)])]


def _paper(line: dict[str, Any]) -> dict[str, Any]:
    versions = line.get("versions") or ["v1"]
    last = versions[-1].split()
    more = {"version": int(last[0][1:]), "updated": f"{last[1]}T00:00:00Z" if len(last) > 1 else line.get("published")}
    return {**line, **more, "absent": "status" in line} if "confidence" in line else line


def _named(line: dict[str, Any]) -> list[dict[str, Any]]:
    projects = yaml.safe_load((rules_dir() / "lexicon" / "projects.yaml").read_text(encoding="utf-8"))
    names = {name.lower().replace(" ", "-"): entry for name, entry in projects.items()} | {"text-generation-inference": projects["TGI"]}
    entry = names.get(str(line["subject"]).lower(), {})
    if line["kind"] != "release" or not entry.get("repo"):
        return []
    if line["version"] == "archived":
        return [{"kind": "repo", "repo": entry["repo"], "archived": True}]
    fact = {"kind": "release", "repo": entry["repo"], "tag": entry["tag"].format(v=line["version"]), "absent": line.get("status") == "not_found"}
    moment = line.get("timestamp") or (f"{line['date']}T00:00:00Z" if line["date"] else None)
    counts = {key: line[key] for key in ("commits", "contributors", "new_contributors") if key in line}
    return [{**fact, "published": moment, "prerelease": "rc" in line["version"], **counts}] if moment or fact["absent"] else []


class Handler(BaseHTTPRequestHandler):
    known: list[dict[str, Any]] = facts()

    def do_GET(self) -> None:
        split = urlsplit(self.path)
        query = {key: values[0] for key, values in parse_qs(split.query).items()}
        status, headers, body = self.papers(query) if split.path == "/api/query" else self.github(split.path, query)
        headers |= {"ETag": f'"{hashlib.sha256(body).hexdigest()[:32]}"', MADE[0]: MADE[1]}
        if self.headers.get("If-None-Match") == headers["ETag"]:
            status, body = 304, b""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def papers(self, query: dict[str, str]) -> Reply:
        asked = [i for i in query.get("id_list", "").split(",") if i]
        form = {"Content-Type": "application/atom+xml; charset=utf-8"}
        for wrong in asked:
            if not re.fullmatch(r"(\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?/\d{7})(v\d+)?", wrong):
                at, what = f"http://arxiv.org/api/errors#incorrect_id_format_for_{wrong}", f"incorrect id format for {wrong}"
                entry = f"<entry><id>{escape(at)}</id><title>Error</title><summary>{escape(what)}</summary></entry>"
                return 400, form, feed([entry])
        wanted = {re.sub(r"v\d+$", "", i) for i in asked}
        about = {f["id"]: f for f in self.known if f["kind"] == "arxiv" and f["id"] in wanted}
        found = [paper(f) for f in about.values() if not f.get("absent")]
        silent = len(wanted - set(about))
        return 200, form, feed(found[::-1][: int(query.get("max_results", 10))], len(found) + silent)

    def github(self, path: str, query: dict[str, str]) -> Reply:
        found = re.fullmatch(r"/repos/([^/]+/[^/]+)(/.*)?", path)
        items = [f for f in self.known if found and f.get("repo", "").lower() == found.group(1).lower()]
        if not found or not items:
            return SILENT
        repo, tail = items[0]["repo"], found.group(2) or ""
        listed = sorted((f for f in items if f["kind"] == "release" and not f.get("absent")), key=lambda f: str(f["published"]), reverse=True)
        if not tail:
            archived = any(f.get("archived") for f in items)
            return answer(200, {"full_name": repo, "archived": archived, "stargazers_count": None, "license": None})
        if tail == "/releases":
            size, page = int(query.get("per_page", 30)), int(query.get("page", 1))
            status, headers, body = answer(200, [release(f) for f in listed[(page - 1) * size : page * size]])
            if len(listed) > page * size:
                place = f"http://{self.headers['Host']}{path}?per_page={size}&page={page + 1}"
                headers["Link"] = f'<{place}>; rel="next"'
            return status, headers, body
        if tail == "/releases/latest":
            listed = [f for f in listed if not f.get("prerelease") and not f.get("draft")]
        elif tag := re.fullmatch(r"/(?:releases|git/ref)/tags/(.+)", tail):
            asked = [f for f in items if f.get("tag") == unquote(tag.group(1))]
            listed = [f for f in asked if not f.get("absent") and tail.startswith("/releases")]
            if not asked:
                return SILENT
        else:
            return SILENT
        return answer(200, release(listed[0])) if listed else answer(404, {"message": "Not Found"})


def feed(entries: list[str], total: int = 1) -> bytes:
    spaces = 'xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"'
    head = f"<opensearch:totalResults>{total}</opensearch:totalResults>"
    return f"<?xml version='1.0' encoding='UTF-8'?>\n<feed {spaces}>{head}{''.join(entries)}</feed>\n".encode()


def paper(fact: dict[str, Any]) -> str:
    fields = {"title": fact["title"], "published": fact.get("published"), "updated": fact.get("updated")}
    texts = {**fields, "summary": fact.get("abstract") or "", "arxiv:comment": fact.get("comment")}
    body = "".join(f"<{name}>{escape(text)}</{name}>" for name, text in texts.items() if text is not None)
    people = "".join(f"<author><name>{escape(name)}</name></author>" for name in fact.get("authors", []))
    return f"<entry><id>http://arxiv.org/abs/{fact['id']}v{fact.get('version', 1)}</id>{body}{people}</entry>"


def release(fact: dict[str, Any]) -> dict[str, Any]:
    body = ""
    if "commits" in fact:
        body = f"{fact['commits']} commits from {fact.get('contributors', 0)} contributors"
        body += f" ({fact['new_contributors']} new)" if "new_contributors" in fact else ""
    return {
        "tag_name": fact["tag"],
        "name": fact["tag"],
        "published_at": fact["published"],
        "created_at": fact["published"],
        "prerelease": fact.get("prerelease", False),
        "draft": fact.get("draft", False),
        "body": body,
    }


def answer(status: int, value: Any) -> Reply:
    return status, {"Content-Type": "application/json; charset=utf-8"}, json.dumps(value).encode()


SILENT = answer(400, {"message": "the facts say nothing of this"})


@contextmanager
def replica(port: int = 0) -> Iterator[str]:
    """The address of a running replica."""
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8010)
    parser.add_argument("--facts", type=Path, default=FACTS)
    options = parser.parse_args()
    Handler.known = facts(options.facts)
    print(f"http://127.0.0.1:{options.port}", flush=True)
    ThreadingHTTPServer(("127.0.0.1", options.port), Handler).serve_forever()


if __name__ == "__main__":
    main()
