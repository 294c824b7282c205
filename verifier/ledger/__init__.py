"""Events, their fold into records, the database that numbers them, the mirror that git keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verifier.ledger.store import Ledger

__all__ = ["SCHEMA", "Ledger"]

SCHEMA = 5  # of the database's tables


def __getattr__(name: str) -> Any:
    """Load the database's library only when a ledger is wanted."""
    if name == "Ledger":
        from verifier.ledger.store import Ledger

        return Ledger
    raise AttributeError(name)
