"""A whole fetch: its token, its steps, its end when somebody stops it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources._tools import R, Script, go
from verifier.settings import Settings
from verifier.sources import EvidenceStore, _token

RELEASE = R(200, json={"tag_name": "v1", "published_at": "2026-08-26T00:00:00Z"})
WANTED = [f"github:a/b@v{n}" for n in range(3)]


@pytest.fixture
def gh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `gh` that says a token."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "gh"
    program.write_text('#!/bin/sh\n[ "$1 $2" = "auth token" ] && echo gho_fromTheProgram\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    for name in ("GITHUB_TOKEN", "GH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return program


def test_the_token_comes_from_the_environment_else_from_gh(gh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _token.token(_token.HOME) == "gho_fromTheProgram"
    assert _token.token("http://127.0.0.1:8010") is None  # gh's token is for GitHub itself
    monkeypatch.setenv("GH_TOKEN", "ghp_given")
    assert _token.token(_token.HOME) == "ghp_given"


def test_without_gh_or_with_a_gh_that_fails_there_is_no_token(gh: Path) -> None:
    gh.write_text("#!/bin/sh\necho gho_no; exit 1\n")
    assert _token.token(_token.HOME) is None
    gh.unlink()
    assert _token.token(_token.HOME) is None


def test_gh_is_not_asked_where_github_is_not(gh: Path, tmp_path: Path) -> None:
    gh.write_text(f"#!/bin/sh\ntouch {tmp_path}/asked\n")
    go(tmp_path, ["arxiv:2609.23130"], Script(R(503)))
    assert not (tmp_path / "asked").exists()


def test_a_token_never_goes_over_an_open_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "ghp_secret")
    script = Script(RELEASE)
    go(tmp_path, WANTED[:1], script, settings=Settings(root=tmp_path, github_url="http://github.example"))
    assert "authorization" not in script.requests[0].headers


def test_each_step_says_how_many_are_done(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    go(tmp_path, WANTED, Script(RELEASE), step=lambda done, of: steps.append((done, of)))
    assert steps == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_stopped_by_the_keyboard_it_keeps_what_was_fetched(tmp_path: Path) -> None:
    def stopped(request: object) -> R:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        go(tmp_path, WANTED, Script(RELEASE, stopped))
    store = EvidenceStore(tmp_path)
    assert [len(store.looks(citation)) for citation in WANTED] == [1, 0, 0]


def test_one_malformed_address_of_github_does_not_lose_the_others(tmp_path: Path) -> None:
    looks = go(tmp_path, ["github:../..", "github:a/..@v1", "nowhere:1", WANTED[0]], Script(RELEASE))
    assert [look.outcome for look in looks] == ["failed", "failed", "failed", "found"]
