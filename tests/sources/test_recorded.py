"""The real client against cassettes.

`make record` records from the services themselves. With VERIFY_CASSETTES=replica the same requests are answered by
tests/replica; such a cassette says in each answer (header X-Made-From) that it was made from facts, not recorded.
The tests hold for both.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.replica.server import MADE, replica
from verifier.models import Look
from verifier.settings import Settings
from verifier.sources import EvidenceStore, fetch

CASSETTES = Path(__file__).parent.parent / "cassettes"
LIVE = {"export.arxiv.org": "/api/query", "api.github.com": ""}


class ToReplica(httpx.HTTPTransport):
    """Sends each request to the replica, whatever service it was meant for."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = httpx.URL(address)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        kept = [(k, v) for k, v in request.headers.items() if k.lower() != "host"]
        url = request.url.copy_with(scheme="http", host=self.address.host, port=self.address.port)
        return super().handle_request(httpx.Request("GET", url, headers=kept))


def under_its_own_name(request: Any) -> Any:
    """Cassettes name the service also where the replica answered."""
    url = httpx.URL(request.uri)
    if url.host == "127.0.0.1":
        host = "export.arxiv.org" if url.path == "/api/query" else "api.github.com"
        request.uri = str(url.copy_with(scheme="https", host=host, port=None))
    return request


@pytest.fixture(scope="module")
def vcr_config() -> dict[str, Any]:
    return {
        "filter_headers": ["authorization", "cookie", "user-agent", "host"],
        "before_record_request": under_its_own_name,
        "decode_compressed_response": True,
    }


@pytest.fixture(scope="module")
def vcr_cassette_dir() -> str:
    return str(CASSETTES)


@pytest.fixture
def transport() -> Iterator[httpx.BaseTransport | None]:
    if os.environ.get("VERIFY_CASSETTES") != "replica":
        yield None
        return
    with replica() as address:
        yield ToReplica(address)


def look_up(root: Path, transport: httpx.BaseTransport | None, *citations: str) -> list[Look]:
    store, settings = EvidenceStore(root), Settings(root=root)
    return fetch(citations, store, settings=settings, budget=60, now=lambda: datetime.now(UTC), transport=transport)


@pytest.mark.vcr
def test_papers(tmp_path: Path, transport: httpx.BaseTransport | None) -> None:
    wanted = ("arxiv:2609.23130", "arxiv:2509.99999", "arxiv:2504.11320")
    first, absent, other = look_up(tmp_path, transport, *wanted)
    assert first.facts["title"].startswith("From Inference Engine to Inference Control Plane")
    assert first.facts["published"] == "2026-09-19T16:58:20Z"
    assert (absent.outcome, absent.status) == ("absent", 200)
    assert other.facts["version"] >= 4
    assert "Ruicheng Ao" in other.facts["authors"]


@pytest.mark.vcr
def test_releases(tmp_path: Path, transport: httpx.BaseTransport | None) -> None:
    repo = "github:vllm-project/vllm"
    wanted = (f"{repo}@latest", f"{repo}@v0.3.3", f"{repo}@v99.0.0", repo)
    newest, tagged, absent, whole = look_up(tmp_path, transport, *wanted)
    assert {"0.28.0", "0.20.0"} <= {r["version"] for r in newest.facts["releases"]}
    assert tagged.facts["published"].startswith(("2024-03-01", "2024-03-02"))
    assert absent.outcome == "absent"
    assert whole.facts["repository"] == "vllm-project/vllm"


def test_cassettes_say_where_they_come_from_and_hold_no_secret() -> None:
    for path in CASSETTES.glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        assert "uthorization" not in text
        made = text.lower().count(MADE[0].lower())
        assert made in (0, text.count("- request:")), f"{path.name}: some answers made from facts, some recorded"


def test_the_replica_itself(tmp_path: Path) -> None:
    with replica() as address:
        settings = Settings(root=tmp_path, arxiv_url=f"{address}/api/query", github_url=address)
        wanted = ["arxiv:2609.23130", "github:sgl-project/sglang@v1.2.1", "github:huggingface/text-generation-inference"]
        looks = fetch(wanted, EvidenceStore(tmp_path), settings=settings, budget=30, now=lambda: datetime.now(UTC))
        assert [look.outcome for look in looks] == ["found", "absent", "found"]
        assert looks[2].facts["archived"] is True
