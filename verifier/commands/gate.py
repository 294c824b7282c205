"""Block an anchoring that rests on an open D-record or an unchecked claim."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.commands import _common as common
from verifier.errors import ExitCode, UsageError
from verifier.family import member, members
from verifier.settings import Settings, matches

if TYPE_CHECKING:
    from verifier.gate import Item, Result
    from verifier.ledger import Ledger
    from verifier.models import Document

EXAMPLE = "verify gate organized/llm-infra.md --diff HEAD"
ENDS = {
    "en": {
        ExitCode.CLEAN: "it may be anchored", ExitCode.AGAINST: "blocked: it may not be anchored",
        ExitCode.UNCHECKED: "could not be checked: it may not be anchored yet",
    },
    "zh": {ExitCode.CLEAN: "可以锚定", ExitCode.AGAINST: "拦下：不可锚定", ExitCode.UNCHECKED: "无法核对：暂不可锚定"},
}  # fmt: skip


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="FILE", help="living documents about to be anchored; - reads standard input")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--staged", action="store_true", help="only what the staged change adds or alters (without FILE: of all living documents)")
    which.add_argument("--diff", metavar="REF", help="only what was added or altered since REF (without FILE: of all living documents)")
    which.add_argument("--text", metavar="TEXT", help="judge this text; - reads it from standard input")
    parser.add_argument("--record", action="store_true", help="where it passes, write the anchor event")
    parser.add_argument("--write-baseline", action="store_true", help="accept what stands against it now; an existing baseline only shrinks")
    parser.add_argument("--explain", action="store_true", help="show also what passes, and on what grounds")
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="language of the reasons")
    common.acting(parser)
    common.clock(parser)
    common.formats(parser, "text", *sorted(set(members("verifier.formats")) - {"text"}))


def handle(options: argparse.Namespace) -> common.Result:
    from verifier import pipeline
    from verifier.gate import Gate

    config = common.need_root(common.settings())
    if options.record and options.write_baseline:
        raise UsageError("gate: --record and --write-baseline do not go together")
    if options.text is not None and (options.paths or options.record or options.write_baseline):
        raise UsageError("gate: --text judges a text by itself; leave FILE, --record and --write-baseline out")
    targets = list(_targets(options, config))
    as_of = common.today(config, options.as_of)
    rules, errors = pipeline.rules(config)
    if errors:
        raise UsageError(str(errors[0]))
    with common.looked_at(config) as ledger:
        gate = Gate(config, ledger, rules, as_of)
        results = [gate.judge(new, old, changes_only=options.text is not None or options.staged or bool(options.diff)) for new, old in targets]
        code = max((r.code for r in results), key=(ExitCode.CLEAN, ExitCode.UNCHECKED, ExitCode.AGAINST).index, default=ExitCode.CLEAN)
        done = ""
        if options.write_baseline:
            done, code = "; " + "; ".join(gate.write_baseline(r) for r in results), ExitCode.CLEAN
        elif options.record:
            with _opened(config) as writable:
                recorded = [gate.record(r, writable, common.actor(options.actor), common.moment()) for r in results if r.code == ExitCode.CLEAN]
            done = f"; {sum(recorded)} claims recorded as anchored" if recorded else "; nothing recorded"
    return code, _print(results, options, code) + done


def _opened(config: Settings) -> Ledger:
    from verifier.ledger import Ledger

    return Ledger.open(config.root, config.ledger_url, config.series)


def _targets(options: argparse.Namespace, config: Settings) -> list[tuple[Document, Document | None]]:
    """(what to judge, what it was before) for each document."""
    from verifier.gate import committed
    from verifier.pipeline import named, source
    from verifier.read import read, read_text

    if options.text is not None:
        text = sys.stdin.read() if options.text == "-" else options.text
        if not text.strip():
            raise UsageError("gate: --text is empty; nothing to judge")
        return [(read_text(text, "-"), None)]
    changes = options.staged or options.diff is not None
    paths = options.paths or (_changed(config, options.diff) if changes else [])
    if not paths and not changes:
        raise UsageError("gate: which document? name a FILE, or give --staged, --diff REF or --text")
    stdin = common.stdin_for(paths)
    found: list[tuple[Document, Document | None]] = []
    for path in paths:
        if not changes or path == "-":
            found.append((common.document(*source(path, config.root, stdin)), None))
            continue
        staged = committed(Path(path), ":") if options.staged else None
        data, name = (staged, named(Path(path), config.root)) if staged is not None else source(path, config.root)
        before = committed(Path(path), options.diff or "HEAD")
        found.append((common.document(data, name), read(before, name) if before and before.strip() else None))
    return found


def _changed(config: Settings, ref: str | None) -> list[str]:
    """The living documents that a change touches: those of the policy, else every Markdown file."""
    import subprocess

    command = ["git", "diff", "--name-only", "-z", "--no-renames", "--diff-filter=d", *([ref] if ref else ["--cached"]), "--relative"]
    try:
        done = subprocess.run(command, cwd=config.root, capture_output=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError(f"gate: git could not be run ({error}); name the FILE") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace")
        why = "is in no git repository" if "--no-index" in said else f"git diff: {said.partition(chr(10))[0]}"
        raise UsageError(f"gate: {config.root}: {why}; name the FILE and leave --staged and --diff out")
    patterns = config.living or ("**/*.md",)
    names = [n for n in done.stdout.decode(errors="replace").split("\0") if n]
    return [str(config.root / n) for n in names if any(matches(n, p) for p in patterns)]


def _print(results: list[Result], options: argparse.Namespace, code: ExitCode) -> str:
    """Print the answers; returns the sum and the exit code in words."""
    from verifier.gate import as_run, page, plain, total

    items: list[Item] = [i for r in results for i in r.items]
    said = f"{total(items, sum(r.unchanged for r in results), options.lang)}; {ENDS[options.lang][code]}"
    if options.format == "json":
        common.show([{"document": r.document, "as_of": r.as_of, "code": int(r.code), "unchanged": r.unchanged, "rules": r.rules, "evidence": r.evidence,
                      "items": [plain(i) for i in r.items]} for r in results])  # fmt: skip
    elif options.format == "text":
        print("".join(page(r.document, r.items, options.lang, options.explain) for r in results), end="")
        print(f"{said} (exit {int(code)})")
    else:
        runs = [as_run(r.document, r.as_of, r.items) for r in results]
        print(member("verifier.formats", options.format).render(runs, lang=options.lang), end="")
    return said
