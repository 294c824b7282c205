"""List, explain and test the rules."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from verifier.commands import _common as common
from verifier.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from verifier.rules import Rule

EXAMPLE = "verify rules explain derived-ratio --lang zh"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("list", "explain", "test"), help="what to do")
    parser.add_argument("id", nargs="*", help="rules by id or slug (explain and test)")
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="language of the page")
    common.formats(parser)


def handle(options: argparse.Namespace) -> common.Result:
    from verifier import pipeline

    rules, errors = pipeline.rules(common.settings())
    chosen = [r for r in rules if not options.id or r.id in options.id or r.slug in options.id]
    known = {name for r in rules for name in (r.id, r.slug)}
    if unknown := [i for i in options.id if i not in known]:
        raise UsageError(f"no rule {unknown[0]!r}; `verify rules list` shows them")
    if options.action == "explain" and not options.id:
        raise UsageError("rules explain: which rule? `verify rules list` shows them")
    said = {"list": _list, "explain": _explain, "test": _test}[options.action](chosen, options)
    if errors:
        return ExitCode.USAGE, f"{said[1]}; rule error: {errors[0]}"
    return said


def _row(rule: Rule) -> dict[str, str]:
    return {"id": rule.id, "slug": rule.slug, "kind": rule.kind, "severity": rule.severity, "opens": rule.opens,
            "version": rule.version, "title": rule.title["en"], "title_zh": rule.title["zh"]}  # fmt: skip


def _list(rules: list[Rule], options: argparse.Namespace) -> common.Result:
    rows = [_row(rule) for rule in rules]
    if options.format == "json":
        common.show(rows)
    for row in rows if options.format == "text" else ():
        print(f"{row['id']:10} {row['kind']:17} {row['severity']:7} {row['title_zh' if options.lang == 'zh' else 'title']}")
    return ExitCode.CLEAN, f"{len(rows)} rules"


def _explain(rules: list[Rule], options: argparse.Namespace) -> common.Result:
    from verifier.rules import explain

    if options.format == "json":
        common.show([{**_row(r), "why": r.why, "fix": r.fix, "refs": list(r.refs), "page": explain(r, options.lang)} for r in rules])
    else:
        print("\n\n".join(explain(rule, options.lang) for rule in rules))
    return ExitCode.CLEAN, "explained"


def _test(rules: list[Rule], options: argparse.Namespace) -> common.Result:
    from verifier.rules import run_tests

    results = [result for rule in rules for result in run_tests(rule)]
    bad = [r for r in results if not r.ok]
    if options.format == "json":
        common.show([{"rule": r.rule, "expected": r.expected, "got": r.got, "ok": r.ok, "why": r.why} for r in results])
    for r in bad if options.format == "text" else ():
        print(f"{r.rule}: expected {r.expected}, got {r.got}: {r.why}")
    return (ExitCode.AGAINST if bad else ExitCode.CLEAN), f"{len(results)} tests of {len(rules)} rules, {len(bad)} failing"
