"""One part: its documents through the stages, its tables written, its marker last."""

from __future__ import annotations

import io
import time
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier import pipeline
from verifier.errors import VerifyError
from verifier.models import Claim, Finding, to_json
from verifier.rules.contradiction import keyed, of_corpus
from verifier.scan._keys import rows_by_bucket
from verifier.scan._parts import Job, Part
from verifier.scan._store import CLAIMS, DOCUMENTS, DONE, FINDINGS, KEYS, Store
from verifier.settings import load

if TYPE_CHECKING:
    from verifier.rules import Rule

ENDED = "reading it ended the process"


@lru_cache(maxsize=1)
def _rules(root: Path, signature: str) -> list[Rule]:
    return pipeline.rules(load(root))[0]


def corpus_rules(job: Job) -> list[Rule]:
    """The rules that judge all documents together."""
    return of_corpus(_rules(job.root, job.signature))


def _texts(part: Part, largest: int) -> Iterator[tuple[str, bytes | str]]:
    """(name, bytes) of each document; a text says why there are none."""
    import fsspec

    if part.table:
        yield from _rows(part)
        return
    for file in part.files:
        if file.size > largest:
            yield file.name, f"{file.size:,} bytes are more than {largest:,}; --largest sets the limit"
            continue
        try:
            with fsspec.open(file.url, "rb") as handle:
                yield file.name, handle.read(largest + 1)
        except Exception as error:  # whatever a file system raises: this document fails, the others go on
            yield file.name, f"cannot be read ({type(error).__name__}: {error})"


def _rows(part: Part) -> Iterator[tuple[str, bytes | str]]:
    import fsspec
    import pyarrow.parquet as pq

    table = part.table
    assert table
    at = 0
    columns = [table.text, *([table.named] if table.named else [])]
    with fsspec.open(table.file.url) as handle:
        for batch in pq.ParquetFile(handle).iter_batches(batch_size=table.stop - table.start, row_groups=[table.group], columns=columns):
            for number, row in enumerate(batch.to_pylist() if at + batch.num_rows > table.start else (), at):
                if table.start <= number < table.stop:
                    text = row[table.text]
                    name = f"{table.file.name}#{row[table.named] if table.named else f'{table.group}.{number}'}"
                    yield name, text.encode(errors="replace") if isinstance(text, str) else text if isinstance(text, bytes) else "holds no text"
            at += batch.num_rows
            if at >= table.stop:
                return


def work(job: Job, part: Part) -> dict[str, Any]:
    """Do one part, or give its numbers again where it is done. Tables appear whole, and the marker after them."""
    store = Store(job.out)
    done = store.get_json(f"{DONE}/{part.id}")
    if done and done["signature"] == part.signature and not part.deadly:
        return {**done, "again": True}
    started = time.perf_counter()
    all_claims: list[Claim] = []
    all_findings: list[Finding] = []
    documents: list[dict[str, Any]] = []
    keyed_claims: list[tuple[str, Claim]] = []
    together = corpus_rules(job)
    for number, (name, data) in enumerate(_texts(part, job.largest)):
        claims: list[Claim] = []
        findings: list[Finding] = []
        error = data if isinstance(data, str) else ENDED if number in part.deadly else None
        if error is None:
            assert isinstance(data, bytes)
            try:
                claims, findings = judge(job, name, data)
            except VerifyError as refused:
                error = str(refused).removeprefix(f"{name}: ")
            except Exception as crash:  # a document must not cost the others their turn
                error = f"{type(crash).__name__}: {crash}"
        documents.append({"document": name, "bytes": len(data), "claims": len(claims), "findings": len(findings), "error": error})
        all_claims += claims
        all_findings += findings
        keyed_claims += keyed(together, claims)
    store.put(CLAIMS, part.id, _parquet("claims", [_claim(c) for c in all_claims]))
    store.put(FINDINGS, part.id, _parquet("findings", [_finding(f) for f in all_findings]))
    store.put(DOCUMENTS, part.id, _parquet("documents", documents))
    store.put(KEYS, part.id, rows_by_bucket(keyed_claims))
    counts = Counter(f.severity for f in all_findings if f.verdict == "fail" and not f.suppressed)
    failed = [{"document": d["document"], "error": d["error"]} for d in documents if d["error"]]
    made = {"signature": part.signature, "documents": len(documents), "claims": len(all_claims), "findings": len(all_findings),
            "fails": dict(sorted(counts.items())), "failed": failed}  # fmt: skip
    store.put_json(f"{DONE}/{part.id}", made)
    return {**made, "again": False, "seconds": time.perf_counter() - started}


def judge(job: Job, name: str, data: bytes) -> tuple[list[Claim], list[Finding]]:
    """The claims and findings of one document, as `verify run --offline` has them."""
    claims, findings = pipeline.judge(_rules(job.root, job.signature), data, name, job.root, job.as_of, job.day)
    return claims, [f for f in findings if f.verdict not in pipeline.PASSED]


def probe(job: Job, part: Part, number: int) -> None:
    """Read one document of a part, to see whether the process outlives it."""
    for at, (name, data) in enumerate(_texts(part, job.largest)):
        if at == number and isinstance(data, bytes):
            try:
                judge(job, name, data)
            except Exception:
                return


def _claim(claim: Claim) -> dict[str, Any]:
    low, high = (claim.interval[0].low, claim.interval[-1].high) if claim.interval else (None, None)
    plain = ("document", "line", "id", "text", "form", "unit", "direction", "bound", "subject", "metric", "statistic", "baseline", "scope")
    return {**{name: getattr(claim, name) for name in plain}, "low": low, "high": high, "body": to_json(claim)}


def _finding(finding: Finding) -> dict[str, Any]:
    plain = ("rule", "kind", "verdict", "severity", "message", "message_zh", "cause", "fingerprint", "note")
    place = finding.locations[0]
    return {"document": place.document, "line": place.line, **{name: getattr(finding, name) for name in plain}, "body": to_json(finding)}


def _parquet(name: str, rows: list[dict[str, Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    text, whole, real = pa.string(), pa.int64(), pa.float64()
    kinds = {"line": whole, "bytes": whole, "claims": whole, "findings": whole, "low": real, "high": real, "note": pa.bool_()}
    columns = {
        "claims": "document line id text form unit direction bound subject metric statistic baseline scope low high body",
        "findings": "document line rule kind verdict severity message message_zh cause fingerprint note body",
        "documents": "document bytes claims findings error",
    }[name].split()
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, pa.schema([(c, kinds.get(c, text)) for c in columns])), out, compression="zstd")
    return out.getvalue()
