"""Block an anchoring that rests on an open D-record or an unchecked claim."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.commands import _common as common
from verifier.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from verifier.gate import GateItem

EXAMPLE = "verify gate organized/llm-infra.md --diff HEAD"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="FILE", help="living documents about to be anchored; - reads standard input")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--staged", action="store_true", help="only what the staged change adds or alters")
    which.add_argument("--diff", metavar="REF", help="only what was added or altered since REF")
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="language of the reasons")
    common.clock(parser)
    common.formats(parser)


def handle(options: argparse.Namespace) -> common.Result:
    from verifier import pipeline
    from verifier.evaluate import evaluate
    from verifier.extract import extract
    from verifier.gate import changed_lines, judge
    from verifier.ledger import Ledger
    from verifier.read import read
    from verifier.sources import EvidenceStore, citations

    config = common.need_root(common.settings())
    as_of = common.today(config, options.as_of)
    stdin = common.stdin_for(options.paths)
    rules, errors = pipeline.rules(config)
    if errors:
        raise UsageError(str(errors[0]))
    store = EvidenceStore(config.root)
    results = []
    with Ledger.open(config.root, config.ledger_url, config.series) as ledger:
        records = ledger.list()
        for path in options.paths:
            document = read(*pipeline.source(path, config.root, stdin))
            claims = extract(document)
            changed = changed_lines(Path(path), options.diff, options.staged) if options.diff or options.staged else None
            findings = evaluate(rules, document, claims, store.as_of(citations(document, claims), as_of), as_of)
            verified = ledger.find_claims(claims)
            results.append((path, judge(document, claims, records, verified, findings, config, as_of, changed)))
    if options.format == "json":
        common.show([{"document": path, "code": int(r.code), "items": [_plain(i) for i in r.items]} for path, r in results])
    else:
        for path, result in results:
            for item in result.items:
                _print(path, item, options.lang)
    code = max((r.code for _, r in results), key=lambda c: (ExitCode.CLEAN, ExitCode.UNCHECKED, ExitCode.AGAINST).index(c))
    items = [i for _, r in results for i in r.items]
    blocked = sum(i.answer == "block" for i in items)
    unchecked = sum(i.answer == "could_not_check" for i in items)
    return code, f"{len(items)} claims judged, {blocked} blocked, {unchecked} could not be checked"


def _plain(item: GateItem) -> dict[str, object]:
    claim = item.claim
    return {"line": claim.line, "text": claim.text, "claim": claim.id, "answer": item.answer, "discrepancy": item.discrepancy,
            "reason": item.reason, "reason_zh": item.reason_zh, "clears": item.clears}  # fmt: skip


def _print(path: str, item: GateItem, lang: str) -> None:
    if item.answer == "pass":
        return
    print(f"{path}:{item.claim.line}: {item.answer}: {item.claim.text}")
    print(f"    {item.reason_zh if lang == 'zh' else item.reason}")
    if item.clears:
        print(f"    {'解除' if lang == 'zh' else 'clears'}: {item.clears}")
