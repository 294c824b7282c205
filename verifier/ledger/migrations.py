"""Bring a database of an earlier program up to date; one of a later program is refused."""

from __future__ import annotations

import sqlalchemy as sa

from verifier.errors import LedgerError
from verifier.ledger.tables import FOLDS, INFO, META, MIRRORS, OPERATIONS, STAMPS, put

SCHEMA = 3


# What changes the kept tables, by the schema that it leads from; the others are dropped and made from the log.
STEPS: dict[int, str] = {2: OPERATIONS}


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
    for schema in range(before, SCHEMA) if before else ():
        if step := STEPS.get(schema):
            db.execute(sa.text(step))
    META.drop_all(db, tables=[*FOLDS, MIRRORS, STAMPS])
    META.create_all(db)
    db.execute(sa.text(OPERATIONS))
    put(db, INFO, {"name": "schema", "value": str(SCHEMA)})
    return before
