"""Whose turn it is at a source that answers one request at a time: a lease in the ledger's database, for all who share it."""

from __future__ import annotations

import uuid
from functools import cached_property
from pathlib import Path

import sqlalchemy as sa

from verifier.errors import LedgerError
from verifier.ledger.tables import engine

LEASE = 60.0  # seconds after which a holder counts as dead
_TABLE = sa.Table(
    "turns", sa.MetaData(), sa.Column("name", sa.String, primary_key=True), sa.Column("holder", sa.String, nullable=False),
    sa.Column("until", sa.Float, nullable=False), sa.Column("last", sa.Float, nullable=False),
)  # fmt: skip


class Turn:
    """A turn that one process holds; times are seconds of the caller's clock. The database is opened when first needed."""

    def __init__(self, root: Path, url: str | None, name: str):
        self._root, self._url, self._name, self._holder = root, url, name, uuid.uuid4().hex

    @cached_property
    def _writer(self) -> sa.Engine:
        made = engine(self._root, self._url).execution_options(writes=True)
        with made.begin() as db:
            db.execute(sa.schema.CreateTable(_TABLE, if_not_exists=True))
        return made

    def take(self, now: float) -> float | None:
        """Take the turn: when it was last given back, or None while another holds it. A lease far beyond its length is a wrong clock's.

        It may lie a little beyond: the clock was read before the database was free, and another took the turn meanwhile."""
        free = sa.or_(_TABLE.c.until <= now, _TABLE.c.until > now + 2 * LEASE)
        mine = sa.update(_TABLE).where(_TABLE.c.name == self._name, free).values(holder=self._holder, until=now + LEASE)
        try:
            with self._writer.begin() as db:
                if not db.execute(mine).rowcount:
                    if db.scalar(sa.select(_TABLE.c.name).where(_TABLE.c.name == self._name)):
                        return None
                    db.execute(sa.insert(_TABLE).values(name=self._name, holder=self._holder, until=now + LEASE, last=0.0))
                return float(db.scalar(sa.select(_TABLE.c.last).where(_TABLE.c.name == self._name)) or 0.0)
        except sa.exc.IntegrityError:
            return None  # another made the row at the same moment
        except sa.exc.DBAPIError as error:
            raise LedgerError(f"the ledger's database cannot say whose turn it is: {error.orig}") from None

    def give(self, now: float) -> None:
        """Give the turn back; a lease that cannot be given back runs out by itself."""
        mine = sa.update(_TABLE).where(_TABLE.c.name == self._name, _TABLE.c.holder == self._holder).values(until=0.0, last=now)
        try:
            with self._writer.begin() as db:
                db.execute(mine)
        except sa.exc.DBAPIError:
            return

    def close(self) -> None:
        if "_writer" in self.__dict__:
            self._writer.dispose()
