"""List, explain, test and try the rules."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.commands import _common as common
from verifier.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verifier.ledger.usage import Usage
    from verifier.models import Finding
    from verifier.rules import Rule

EXAMPLE = "verify rules explain derived-ratio --lang zh"
WRITTEN = (".md", ".markdown", ".txt")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("list", "explain", "test", "coverage", "try", "new", "pages"), help="what to do")
    parser.add_argument("id", nargs="*", help="rules by id or slug (explain, test); RULE PATH… (try); PATH… (coverage); kind (new)")
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="language of the page")
    common.formats(parser)


def handle(options: argparse.Namespace) -> common.Result:
    from verifier import pipeline

    if options.format == "json" and options.action in ("new", "pages"):
        raise UsageError(f"rules {options.action}: prints a text that has no JSON form; leave --format out")
    rules, errors = pipeline.rules(common.settings())
    said = ACTIONS[options.action](rules, options)
    return (ExitCode.USAGE, f"{said[1]}; rule error: {errors[0]}") if errors else said


def _chosen(rules: list[Rule], wanted: Sequence[str]) -> list[Rule]:
    """The rules that are named, by any name they have or had; all where none is."""
    known = {name: rule for rule in reversed(rules) for name in rule.names}
    if unknown := next((name for name in wanted if name not in known), None):
        raise UsageError(f"no rule {unknown!r}; `verify rules list` shows them")
    asked = {known[name].id for name in wanted}
    return [rule for rule in rules if not wanted or rule.id in asked]


def _files(paths: Sequence[str]) -> list[str]:
    """Files as named; of a folder its Markdown and text."""
    out: list[str] = []
    for name in paths:
        path = Path(name)
        out += [str(f) for f in sorted(path.rglob("*")) if f.suffix in WRITTEN and f.is_file()] if path.is_dir() else [name]
    if not out:
        raise UsageError(f"{', '.join(paths) or 'no path given'}: no Markdown or text there")
    return out


def _coverage(rules: list[Rule], options: argparse.Namespace) -> common.Result:
    """How often each rule spoke over files; a rule that never did is dead or misspelled."""
    files = _files(options.id)
    due = [rule for rule in rules if not rule.retired]
    counts = {rule.id: Counter[str]() for rule in due}
    for path in files:
        for found in _judged(due, path):
            counts[found.rule][found.verdict] += 1
    silent = [rule for rule, verdicts in counts.items() if not verdicts]
    if options.format == "json":
        common.show([{"rule": rule, **dict(sorted(verdicts.items()))} for rule, verdicts in counts.items()])
    for rule, verdicts in counts.items() if options.format == "text" else ():
        print(f"{rule:10} " + (", ".join(f"{n} {v}" for v, n in sorted(verdicts.items())) or "never"))
    return ExitCode.CLEAN, f"{len(due) - len(silent)} of {len(due)} rules spoke over {len(files)} files"


def _try(rules: list[Rule], options: argparse.Namespace) -> common.Result:
    """What a rule finds in an archive, and what its earlier version found there: `+` now only, `-` before only."""
    if len(options.id) < 2:
        raise UsageError("rules try: give a rule (or a rule file) and the files to try it on, such as `verify rules try CNT001 inbox/`")
    name, *paths = options.id
    chosen = _from_file(Path(name)) if name.endswith((".yaml", ".yml")) else _chosen(rules, [name])
    files, earlier = _files(paths), [e for rule in chosen if (e := _earlier(rule, rules)) is not None]
    now, before = (_failing(some, files) for some in (chosen, earlier))
    rows = [(" " if key in before else "+" if earlier else " ", f) for key, f in now.items()]
    rows += [("-", f) for key, f in before.items() if key not in now]
    if options.format == "json":
        common.show([{"change": mark.strip() or None, "finding": f} for mark, f in rows])
    for mark, f in rows if options.format == "text" else ():
        place = f"{f.locations[0].document}:{f.locations[0].line}"
        print(f"{mark} {place}: {f.message_zh if options.lang == 'zh' else f.message}")
    against = (
        f"; against version {earlier[0].version}: {sum(m == '+' for m, _ in rows)} more, {sum(m == '-' for m, _ in rows)} fewer" if earlier else ""
    )
    return ExitCode.CLEAN, f"{', '.join(r.id for r in chosen)} would report {len(now)} findings in {len(files)} files{against}"


def _from_file(path: Path) -> list[Rule]:
    from verifier.rules import load_file

    if not path.is_file():
        raise UsageError(f"{path}: no such rule file")
    return load_file(path)


def _earlier(rule: Rule, rules: list[Rule]) -> Rule | None:
    """The version that a rule replaces: the loaded one of a rule file, the shipped one of the group's own, the committed one of an edited."""
    from verifier.lexicon import rules_dir
    from verifier.rules import load, same

    loaded = next((r for r in rules if set(r.names) & set(rule.names)), None)
    shipped = next((r for r in load([rules_dir()])[0] if set(r.names) & set(rule.names)), None)
    return next((r for r in (loaded, shipped, _committed(rule)) if r is not None and not same(r, rule)), None)


def _committed(rule: Rule) -> Rule | None:
    """The rule as git last had it."""
    import subprocess
    import tempfile

    from verifier.errors import RuleError
    from verifier.rules import load_file

    path = Path(rule.place.rpartition(":")[0]).resolve()
    try:
        asked = ["git", "-C", str(path.parent), "show", f"HEAD:./{path.name}"]
        done = subprocess.run(asked, capture_output=True, timeout=10, check=True)
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / path.name
            copy.write_bytes(done.stdout)
            return next((r for r in load_file(copy) if set(r.names) & set(rule.names)), None)
    except (OSError, subprocess.SubprocessError, RuleError):
        return None


def _failing(rules: list[Rule], files: list[str]) -> dict[tuple[str, str], Finding]:
    found = [f for path in files for f in _judged(rules, path)] if rules else []
    return {(f.locations[0].document, f.fingerprint): f for f in found if f.verdict == "fail"}


def _judged(rules: list[Rule], path: str) -> list[Finding]:
    from verifier import pipeline

    root = common.settings().root
    return pipeline.judge(rules, *pipeline.source(path, root), root)[1]


def _new(rules: list[Rule], options: argparse.Namespace) -> common.Result:
    """Print a rule file to start from."""
    from verifier.family import members
    from verifier.rules import template

    kind = options.id[0] if options.id else "bounds"
    if kind not in members("verifier.rules"):
        raise UsageError(f"no kind {kind!r}; known: {', '.join(members('verifier.rules'))}")
    print(template(next(rule for rule in rules if rule.kind == kind)))
    return ExitCode.CLEAN, "save it as rules/NAME.yaml beside verify.toml, then `verify rules test`"


def _pages(rules: list[Rule], options: argparse.Namespace) -> common.Result:
    """Print every rule's page as one document (docs/rules.md)."""
    from verifier.rules import pages

    print(pages(rules), end="")
    return ExitCode.CLEAN, f"{len(rules)} pages"


def _row(rule: Rule) -> dict[str, str]:
    return {"id": rule.id, "slug": rule.slug, "kind": rule.kind, "severity": rule.severity, "opens": rule.opens,
            "version": rule.version, "title": rule.title["en"], "title_zh": rule.title["zh"], "retired": rule.retired}  # fmt: skip


def _usage() -> dict[str, Usage] | None:
    """What the ledger knows of each rule's findings; None where there is no ledger."""
    config = common.settings()
    if not config.found:
        return None
    from verifier.ledger import Ledger
    from verifier.ledger.usage import usage

    with Ledger.open(config.root, config.ledger_url, config.series) as ledger:
        return usage(ledger.records())


def _list(rules: list[Rule], options: argparse.Namespace) -> common.Result:
    known = _usage()
    told = [(rule, known.get(rule.first) if known is not None else None) for rule in _chosen(rules, options.id)]
    if options.format == "json":
        common.show([{**_row(rule), **(found._asdict() if found else {})} for rule, found in told])
    for rule, found in told if options.format == "text" else ():
        title = rule.title["zh" if options.lang == "zh" else "en"]
        seen = f" [{found.findings} findings, {found.dismissed} dismissed, {found.live} of {found.records} records live]" if found else ""
        print(f"{rule.id:10} {rule.kind:17} {'retired' if rule.retired else rule.severity:7} {title}{seen}")
    return ExitCode.CLEAN, f"{len(told)} rules"


def _explain(rules: list[Rule], options: argparse.Namespace) -> common.Result:
    from verifier.rules import explain

    if not options.id:
        raise UsageError("rules explain: which rule? `verify rules list` shows them")
    chosen = _chosen(rules, options.id)
    if options.format == "json":
        common.show([{**_row(r), "why": r.why, "fix": r.fix, "refs": list(r.refs), "page": explain(r, options.lang)} for r in chosen])
    else:
        print("\n\n".join(explain(rule, options.lang) for rule in chosen))
    return ExitCode.CLEAN, "explained"


def _test(rules: list[Rule], options: argparse.Namespace) -> common.Result:
    """Each in-file test, expected against got and why: all of the rules that are named, else those that go wrong."""
    from verifier.rules import run_tests

    chosen = _chosen(rules, options.id)
    results = [result for rule in chosen for result in run_tests(rule)]
    bad = [r for r in results if not r.ok]
    if options.format == "json":
        common.show([{"rule": r.rule, "expected": r.expected, "got": r.got, "ok": r.ok, "why": r.why} for r in results])
    for r in (results if options.id else bad) if options.format == "text" else ():
        print(f"{'ok ' if r.ok else 'BAD'} {r.rule}: expected {r.expected}, got {r.got}: {r.why}")
    return (ExitCode.AGAINST if bad else ExitCode.CLEAN), f"{len(results)} tests of {len(chosen)} rules, {len(bad)} failing"


ACTIONS = {"list": _list, "explain": _explain, "test": _test, "coverage": _coverage, "try": _try, "new": _new, "pages": _pages}
