"""Contradictions across the corpus: a group-by on comparison keys, bucket by bucket, never pairs of claims."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from typing import Any

from verifier.compare import decide, keys
from verifier.models import Claim, Finding, Location, to_json
from verifier.rules import Rule
from verifier.scan._parts import Job
from verifier.scan._store import CONTRADICTIONS, KEYS, Store

VALUES, TOLD = 8, 4  # of one key the smallest and the largest so many values are held against each other; of each value so many documents are named


def contradict(job: Job, bucket: int) -> dict[str, Any]:
    """Write the contradictions of one bucket; the numbers of them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    store = Store(job.out)
    names = store.names(KEYS)
    suspects = _suspects(store, names, bucket)
    found = [finding for told in _groups(store, names, bucket, suspects) for finding in _judged(told)] if len(suspects) else []
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
            told = values.setdefault((tuple(map(float, claim.numbers)), claim.unit, claim.bound or ""), [])
            told.append(claim)
            told.sort(key=lambda c: (c.document, c.start))
            del told[TOLD:]
            if len(values) > 2 * VALUES:
                del values[sorted(values)[VALUES]]
    for full in sorted(groups):
        yield full, [groups[full][value] for value in sorted(groups[full])]


def _judged(group: tuple[str, list[list[Claim]]]) -> Iterator[tuple[Finding, Claim]]:
    """One finding for a key whose values exclude each other."""
    full, told = group
    apart: dict[int, str] = {}
    for i, ours in enumerate(told):
        for j in range(i + 1, len(told)):
            one, two = ours[0], told[j][0]
            shared = [key for key in keys(one) if key in keys(two)]
            answer = decide(one, two)
            if answer.answer == "different" and shared[:1] == [full]:
                apart.setdefault(i, answer.working)
                apart.setdefault(j, answer.working)
    if not apart:
        return
    places = [claim for i in sorted(apart) for claim in told[i]]
    first = places[0]
    stated = bool(first.conditions)
    about = " ".join(x for x in (first.subject, first.metric, first.statistic) if x)
    values = " / ".join(f"{told[i][0].text} ({told[i][0].document}:{told[i][0].line})" for i in sorted(apart))
    lacking = "" if stated else "; no test condition is stated, so it is not said that they mean one thing"
    about_all = f"{first.metric}|{full}"
    yield Finding(
        rule=RULE.id, rule_version=RULE.version, kind=RULE.kind, verdict="fail" if stated else "undecided", severity=RULE.severity,
        locations=tuple(Location(document=c.document, line=c.line, end_line=c.end_line, text=c.text) for c in places),
        claims=tuple(c.id for c in places),
        message=f"{about} is told with values that exclude each other: {values}{lacking}",
        message_zh=f"{about} 在不同文档中数值互斥：{values}{'' if stated else '；未说明测试条件'}",
        working=tuple(f"{name}: {c.value}" for name, c in sorted(first.conditions.items())) + tuple(dict.fromkeys(apart.values())),
        fix=RULE.fix, cause=f"{RULE.id}|{first.subject}|{about_all}", fingerprint=hashlib.sha256(f"{RULE.id}|{about_all}".encode()).hexdigest()[:16],
    ), first  # fmt: skip


RULE = Rule(
    id="CORPUS001", slug="told-otherwise-elsewhere", kind="contradiction", severity="high", opens="discrepancy", version="1",
    title={"en": "one quantity, two values in two documents", "zh": "同一数值在两份文档中不一致"},
    why="Whoever reads one of the documents relies on a figure that the other denies.",
    fix="Look up the source of each; correct the one that is wrong, or state the condition that differs.",
    when=lambda claim: True,
)  # fmt: skip
