"""List, explain, test and try the rules."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING

from verifier.commands import _common as common
from verifier.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from verifier.models import Finding
    from verifier.rules import Rule

EXAMPLE = "verify rules explain derived-ratio --lang zh"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("list", "explain", "test", "coverage", "try", "new", "pages"), help="what to do")
    parser.add_argument("id", nargs="*", help="rules by id or slug (explain, test); RULE FILE… (try); FILE… (coverage); kind (new)")
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="language of the page")
    common.formats(parser)


def handle(options: argparse.Namespace) -> common.Result:
    from verifier import pipeline

    rules, errors = pipeline.rules(common.settings())
    if options.action in FILED:
        said = FILED[options.action](rules, options)
        return (ExitCode.USAGE, f"{said[1]}; rule error: {errors[0]}") if errors else said
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


def _coverage(rules: list[Rule], options: argparse.Namespace) -> common.Result:
    """How often each rule spoke over files; a rule that never did is dead or misspelled."""
    counts = {rule.id: Counter[str]() for rule in rules}
    for path in options.id:
        for rule, verdict in ((f.rule, f.verdict) for f in _judged(rules, path)):
            counts[rule][verdict] += 1
    silent = [rule for rule, verdicts in counts.items() if not verdicts]
    if options.format == "json":
        common.show([{"rule": rule, **dict(sorted(verdicts.items()))} for rule, verdicts in counts.items()])
    for rule, verdicts in counts.items() if options.format == "text" else ():
        print(f"{rule:10} " + (", ".join(f"{n} {v}" for v, n in sorted(verdicts.items())) or "never"))
    return ExitCode.CLEAN, f"{len(rules) - len(silent)} of {len(rules)} rules spoke over {len(options.id)} files"


def _try(rules: list[Rule], options: argparse.Namespace) -> common.Result:
    """What one rule finds in files, before it is let loose on a ledger."""
    if len(options.id) < 2:
        raise UsageError("rules try: give a rule and the files to try it on, such as `verify rules try CNT001 inbox/*.md`")
    name, *paths = options.id
    chosen = [r for r in rules if name in (r.id, r.slug)]
    if not chosen:
        raise UsageError(f"no rule {name!r}; `verify rules list` shows them")
    found = [f for path in paths for f in _judged(chosen, path) if f.verdict == "fail"]
    if options.format == "json":
        common.show(found)
    for f in found if options.format == "text" else ():
        print(f"{f.locations[0].document}:{f.locations[0].line}: {f.message_zh if options.lang == 'zh' else f.message}")
    return ExitCode.CLEAN, f"{chosen[0].id} would report {len(found)} findings in {len(paths)} files"


def _judged(rules: list[Rule], path: str) -> list[Finding]:
    from verifier import pipeline
    from verifier.evaluate import evaluate
    from verifier.extract import extract
    from verifier.read import read
    from verifier.sources import EvidenceStore, citations

    config = common.settings()
    document = read(*pipeline.source(path, config.root))
    claims, judged = extract(document), pipeline.day(document, None)
    return evaluate(rules, document, claims, EvidenceStore(config.root).as_of(citations(document, claims), judged), judged)


def _new(rules: list[Rule], options: argparse.Namespace) -> common.Result:
    """Print a rule file to start from."""
    from verifier.family import members
    from verifier.rules import template

    kind = options.id[0] if options.id else "bounds"
    if kind not in members("verifier.rules"):
        raise UsageError(f"no kind {kind!r}; known: {', '.join(members('verifier.rules'))}")
    print(template(kind))
    return ExitCode.CLEAN, "save it as rules/NAME.yaml beside verify.toml, then `verify rules test`"


def _pages(rules: list[Rule], options: argparse.Namespace) -> common.Result:
    """Print every rule's page as one document (docs/rules.md)."""
    from verifier.rules import pages

    print(pages(rules), end="")
    return ExitCode.CLEAN, f"{len(rules)} pages"


FILED = {"coverage": _coverage, "try": _try, "new": _new, "pages": _pages}


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
