"""Claims by comparison key: each part leaves a table with one row group for each bucket of keys, so that a bucket is read alone."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable
from typing import Any

from verifier.compare import keys
from verifier.models import Claim, to_json

BUCKETS = 16
COMPARED = frozenset(("value", "ratio", "delta", "change", "range"))  # versions and dates follow each other, they do not disagree
MOVING = frozenset(("stars", "commits", "contributors", "users", "calls"))  # these grow: two values are two days


def keyed(claims: Iterable[Claim]) -> list[tuple[str, Claim]]:
    """(key, claim) of one document's claims. A document with several values for one key does not say which it means: that key is left out."""
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        if claim.form in COMPARED and claim.scope == "world" and (claim.metric not in MOVING or "as_of" in claim.conditions):
            for key in keys(claim):
                found.setdefault(key, []).append(claim)
    return [(key, told[0]) for key, told in found.items() if len({(c.numbers, c.bound) for c in told}) == 1]


def _number(text: str) -> int:
    return int(hashlib.blake2b(text.encode(), digest_size=8).hexdigest(), 16)


def schema() -> Any:
    import pyarrow as pa

    return pa.schema([("key", pa.uint64()), ("value", pa.uint64()), ("full", pa.string()), ("body", pa.string())])


def rows_by_bucket(found: Iterable[tuple[str, Claim]]) -> bytes:
    """A Parquet file with `BUCKETS` row groups."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    buckets: list[list[dict[str, Any]]] = [[] for _ in range(BUCKETS)]
    for full, claim in found:
        key = _number(full)
        value = _number(json.dumps([claim.numbers, claim.unit, claim.bound]))
        buckets[key % BUCKETS].append({"key": key, "value": value, "full": full, "body": to_json(claim)})
    out = io.BytesIO()
    with pq.ParquetWriter(out, schema(), compression="zstd") as writer:
        for rows in buckets:
            writer.write_table(pa.Table.from_pylist(rows, schema()))
    return out.getvalue()
