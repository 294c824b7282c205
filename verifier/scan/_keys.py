"""Claims by comparison key: each part leaves a table with one row group for each bucket of keys, so that a bucket is read alone."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable
from typing import Any

from verifier.models import Claim, to_json

BUCKETS = 16


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
