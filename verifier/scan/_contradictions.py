"""Contradictions across the corpus: a group-by on comparison keys, bucket by bucket, never pairs of claims."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from verifier.models import Claim, to_json
from verifier.rules.contradiction import excluding, value
from verifier.scan._parts import Job
from verifier.scan._store import CONTRADICTIONS, KEYS, Store
from verifier.scan._work import corpus_rules

VALUES, TOLD = 8, 4  # of one key the smallest and the largest so many values are held against each other; of each value so many documents are named


def contradict(job: Job, bucket: int) -> dict[str, Any]:
    """Write the contradictions of one bucket; the numbers of them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    store = Store(job.out)
    names = store.names(KEYS)
    suspects = _suspects(store, names, bucket)
    rules = corpus_rules(job)
    groups = _groups(store, names, bucket, suspects) if len(suspects) else ()
    found = [finding for key, told in groups for rule in rules for finding in excluding(rule, key, told)]
    columns = [(n, pa.string()) for n in ("verdict", "severity", "subject", "metric", "message", "message_zh", "fingerprint", "body")]
    rows = [{**{n: getattr(f, n, None) for n, _ in columns}, "subject": c.subject, "metric": c.metric, "body": to_json(f)} for f, c in found]
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, pa.schema(columns)), out, compression="zstd")
    store.put(CONTRADICTIONS, f"bucket-{bucket:02}", out.getvalue())
    return {"fail": sum(f.verdict == "fail" for f, _ in found), "undecided": sum(f.verdict == "undecided" for f, _ in found)}


def _suspects(store: Store, names: list[str], bucket: int) -> Any:
    """Keys that were told with more than one value; only two numbers a claim are held in memory."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    tables = []
    for name in names:
        with store.fs.open(store.where(KEYS, name)) as handle:
            tables.append(pq.ParquetFile(handle).read_row_group(bucket, columns=["key", "value"]))
    if not tables:
        return pa.array([], pa.uint64())
    counted = pa.concat_tables(tables).group_by("key").aggregate([("value", "count_distinct")])
    return counted.filter(pc.greater(counted["value_count_distinct"], 1))["key"].combine_chunks()


def _groups(store: Store, names: list[str], bucket: int, suspects: Any) -> Iterator[tuple[str, list[list[Claim]]]]:
    """(key, claims by value) of each suspect, in order of key: the smallest and largest values, a few documents each."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    groups: dict[str, dict[tuple[Any, ...], list[Claim]]] = {}
    for name in names:
        with store.fs.open(store.where(KEYS, name)) as handle:
            table = pq.ParquetFile(handle).read_row_group(bucket)
        for row in table.filter(pc.is_in(table["key"], value_set=suspects)).to_pylist():
            claim = Claim.model_validate_json(row["body"])
            values = groups.setdefault(row["full"], {})
            told = values.setdefault(value(claim), [])
            told.append(claim)
            told.sort(key=lambda c: (c.document, c.start))
            del told[TOLD:]
            if len(values) > 2 * VALUES:
                del values[sorted(values)[VALUES]]
    for full in sorted(groups):
        yield full, [groups[full][value] for value in sorted(groups[full])]
