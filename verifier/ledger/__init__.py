"""Events, their fold into records, the database that numbers them, the mirror that git keeps."""

from __future__ import annotations

from verifier.ledger.store import Ledger

__all__ = ["Ledger"]
