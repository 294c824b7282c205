"""Bring a database of an earlier program up to date; one of a later program is refused.

The log, the counter and the claims are kept and have not changed since schema 1; a change to them becomes a step here.
Every other table is dropped and made anew from the log.
"""

from __future__ import annotations

import sqlalchemy as sa

from verifier.errors import LedgerError
from verifier.ledger import SCHEMA
from verifier.ledger.tables import FOLDS, INFO, META, MIRRORS, OPERATIONS, STAMPS, put


def found(db: sa.Connection) -> int:
    """The database's schema; 0 where there is none yet. Raises LedgerError for a newer one."""
    there = sa.inspect(db).has_table(INFO.name)
    schema = int(db.scalar(sa.select(INFO.c.value).where(INFO.c.name == "schema")) or 0) if there else 0
    if schema > SCHEMA:
        raise LedgerError(f"the ledger has schema {schema}, this program knows {SCHEMA}; use a newer verify")
    return schema


def migrate(db: sa.Connection) -> int:
    """Make the tables as this program needs them; returns the schema from before, whose folds must be made anew."""
    before = found(db)
    if before == SCHEMA:
        return before
    META.drop_all(db, tables=[*FOLDS, MIRRORS, STAMPS])
    META.create_all(db)
    db.execute(sa.text(OPERATIONS))
    put(db, INFO, {"name": "schema", "value": str(SCHEMA)})
    return before
