"""Records as a table for others: CSV, JSON lines, Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence

from verifier.errors import UsageError
from verifier.models import Discrepancy, to_json

COLUMNS = (
    "number", "title", "state", "resolution", "severity", "mark", "kind", "cause", "topic", "opened", "recheck_by", "owner", "waiting_on",
    "problem", "impact", "suggestion", "documents", "sources", "findings", "claims",
)  # fmt: skip
LISTS = ("documents", "sources", "findings", "claims")


def jsonl(records: Iterable[Discrepancy]) -> bytes:
    """One record a line, with its events: nothing is lost."""
    return "".join(to_json(record) + "\n" for record in records).encode()


def as_json(records: Iterable[Discrepancy]) -> bytes:
    """The same as one array."""
    return f"[{', '.join(map(to_json, records))}]\n".encode()


def as_csv(records: Iterable[Discrepancy]) -> bytes:
    """A row a record; lists are joined with "; ", and no cell can be taken for a formula."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for record in records:
        cells = ("; ".join(value) if isinstance(value := getattr(record, c), tuple) else value for c in COLUMNS)
        writer.writerow(f"'{cell}" if cell and cell[0] in "=+@\t\r" else cell for cell in cells)
    return out.getvalue().encode()


def parquet(records: Sequence[Discrepancy]) -> bytes:
    """A row a record, lists as lists. Raises UsageError without pyarrow."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise UsageError("ledger export --format parquet: pyarrow is not installed; pip install 'verifier[scan]', or take csv or jsonl") from None
    kinds = {c: pyarrow.list_(pyarrow.string()) if c in LISTS else pyarrow.string() for c in COLUMNS}
    table = {c: pyarrow.array([getattr(r, c) for r in records], kind) for c, kind in kinds.items()}
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.table(table), sink)
    return bytes(sink.getvalue().to_pybytes())


FORMATS: dict[str, Callable[[Sequence[Discrepancy]], bytes]] = {"csv": as_csv, "json": as_json, "jsonl": jsonl, "parquet": parquet}
