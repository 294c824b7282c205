"""Flags in, exit code out. `verify gate` is commands/gate.py; only the command named is loaded."""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import traceback
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from verifier import outlet
from verifier.errors import ExitCode, UsageError, VerifyError
from verifier.family import member, members
from verifier.kept import Patterns

WORDS = {
    ExitCode.CLEAN: "nothing stands against it",
    ExitCode.AGAINST: "something stands against it",
    ExitCode.USAGE: "usage, configuration or rule error",
    ExitCode.UNCHECKED: "could not be checked",
    ExitCode.BUG: "a bug in verify",
}
FAMILY = "verifier.commands"


class Parser(argparse.ArgumentParser):
    """argparse that raises, so that usage errors have one shape and honour --format json."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise UsageError(f"{f'{self.prog}: '.removeprefix('verify: ').removeprefix('verify ')}{message}; `{self.prog} --help` shows what it takes")


class Command(Parser):
    """Takes its words before, between and behind its flags."""

    _within = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self._within:
            return super().parse_known_args(args, namespace)
        self._within = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._within = False


def parser(words: Sequence[str]) -> Parser:
    """The parser with the commands named in `words`, or with all of them."""
    top = Parser(prog="verify", description="Find what is wrong, or cannot be relied on, in the numbers of a briefing.",
                 epilog="example: verify run briefing.md --draft", allow_abbrev=False)  # fmt: skip
    top.add_argument("--version", action="version", version=f"verify {_version()}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Command)
    for word in words:
        module = member(FAMILY, word)
        summary = (module.__doc__ or "").strip().splitlines()[0]
        command = commands.add_parser(word, help=summary, description=summary, epilog=f"example: {module.EXAMPLE}", allow_abbrev=False)
        module.arguments(command)
        command.set_defaults(handle=module.handle)
    return top


def _version() -> str:
    from verifier import __version__

    return __version__


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; errors become one sentence on standard error, or JSON where JSON was asked for."""
    args = list(sys.argv[1:] if argv is None else argv)
    patterns = Patterns() if argv is None else None  # only a process of its own may change how `re` compiles
    if patterns:
        outlet.install()
        patterns.install()
        gc.set_threshold(100_000, 20, 20)  # a short command makes little that only the collector can free
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for them reads every installed package
    wants_json = "--format=json" in args or ("--format", "json") in pairwise(args)
    try:
        known = list(members(FAMILY))
        named = [a for a in args[:1] if a in known]
        code = _invoke(args, named or known)
    except VerifyError as error:
        code = error.code
        _complain(str(error), code, wants_json)
    except KeyboardInterrupt:
        code = ExitCode.UNCHECKED
        _complain("interrupted; what was written so far is kept", code, wants_json)
    except OSError as error:
        code = ExitCode.USAGE
        place = f"{error.filename}: " if error.filename else ""
        _complain(f"{place}{error.strerror or error}; make it usable or name another place; what was recorded is kept", code, wants_json)
    except Exception:  # the last wall: a crash must never look like a finding
        traceback.print_exc()
        code = ExitCode.BUG
        _complain("a bug in verify; please report it with the lines above", code, wants_json)
    finally:
        if patterns:
            patterns.keep()
    return int(code)


def _invoke(args: Sequence[str], words: Sequence[str]) -> ExitCode:
    try:
        options = parser(words).parse_args(args)
    except UsageError:
        if dashed := next((a for a in args if a.startswith("-") and os.path.isfile(a)), None):
            raise UsageError(f"{dashed}: begins with a dash, so it was read as a flag; write ./{dashed}") from None
        raise
    code, sentence = options.handle(options)
    outlet.close()
    print(f"verify {options.command}: {sentence or WORDS[code]} (exit {int(code)})", file=sys.stderr)
    return ExitCode(code)


def _complain(message: str, code: ExitCode, as_json: bool) -> None:
    line = " ".join(message.split())
    if as_json:
        print(json.dumps({"error": line, "code": int(code), "means": WORDS[code]}, ensure_ascii=False))
    print(f"verify: {line} (exit {int(code)}: {WORDS[code]})", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
