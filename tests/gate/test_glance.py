"""A glance at a ledger answers as the ledger does, and gives way where something is to be done first."""

from __future__ import annotations

import pytest

from verifier.errors import LedgerError
from verifier.ledger import Ledger
from verifier.ledger.glance import look
from verifier.models import Claim


@pytest.fixture
def told(room):
    room.verified("- SGLang 在 H200 SXM 上吞吐 2,610 tok/s\n")
    room.record("吞吐的口径", resolve={"resolution": "confirmed"})
    room.record("另一个口径", severity="low")
    with Ledger.open(room.folder):
        pass
    return room


def in_step(room):
    """Files that changed a moment ago are read again; then they are known."""
    import time

    time.sleep(0.2)
    with Ledger.open(room.folder):
        pass
    return look(room.folder, None, "D")


def test_it_answers_as_the_ledger_does(told):
    glance = in_step(told)
    assert glance is not None
    with glance, Ledger.open(told.folder) as ledger:
        assert glance.list() == ledger.list() and glance.dismissed() == ledger.dismissed()
        assert [glance.get(r.number) for r in ledger.list()] == [ledger.get(r.number) for r in ledger.list()]
        assert glance.verified("briefing.md") == ledger.verified("briefing.md")
        claims = [Claim.model_validate(c) for c in ledger.verified("briefing.md").values()]
        assert sorted(c.id for c in glance.find_claims(claims)) == sorted(c.id for c in ledger.find_claims(claims))
        with pytest.raises(LedgerError):
            glance.get("D999")


def test_it_gives_way_to_a_server_a_missing_database_and_a_changed_mirror(told):
    assert look(told.folder, "postgresql://x/y", "D") is None
    assert look(told.folder / "nowhere", None, "D") is None
    assert in_step(told) is not None
    path = next((told.folder / "claims" / "ledger").glob("D*.jsonl"))
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert look(told.folder, None, "D") is None


def test_it_writes_nothing(told):
    before = {p: p.read_bytes() for p in (told.folder / "claims").rglob("*.jsonl")}
    glance = in_step(told)
    with glance:
        glance.list()
    assert {p: p.read_bytes() for p in (told.folder / "claims").rglob("*.jsonl")} == before
