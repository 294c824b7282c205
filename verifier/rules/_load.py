"""YAML -> rules, with the line of every mistake; a broken file reports itself and the others still load."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_args

import yaml
from yaml.constructor import SafeConstructor

from verifier.errors import RuleError
from verifier.family import members
from verifier.models import Claim, Severity
from verifier.rules._base import Rule

FIELDS = ("id", "slug", "kind", "severity", "opens", "version", "title", "why", "fix", "refs", "when", "tests")
REQUIRED = ("id", "slug", "kind", "severity", "opens", "version", "title", "why", "fix", "tests")
CLAIM = set(Claim.model_fields) - {"from_"} | {"from"}
CONSTRUCTOR = SafeConstructor()
Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
ORDER = {"gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le}


def load(dirs: Sequence[Path]) -> tuple[list[Rule], list[RuleError]]:
    """Rules of all packs in `dirs` (a later folder replaces a rule by id) and one error for each broken file."""
    rules: dict[str, Rule] = {}
    errors: list[RuleError] = []
    for folder in dirs:
        for path in sorted(folder.glob("*.yaml")):
            try:
                for rule in _file(path):
                    rules[rule.id] = rule
            except RuleError as error:
                errors.append(error)
    return list(rules.values()), errors


def _file(path: Path) -> list[Rule]:
    try:
        text = path.read_text(encoding="utf-8")
        for event in yaml.parse(text, Loader=Loader):
            if isinstance(event, yaml.AliasEvent):
                raise RuleError(f"{path}:{_line(event)}: aliases (*name) are not allowed; write the value out")
        node = yaml.compose(text, Loader=Loader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        raise RuleError(f"{path}:{mark.line + 1 if mark else 1}: not valid YAML: {getattr(error, 'problem', error)}") from None
    if not isinstance(node, yaml.MappingNode) or "rules" not in (top := _map(node, path)):
        raise RuleError(f"{path}:1: needs `schema: verify-rules/1` and a list `rules`")
    if _plain(top.get("schema")) != "verify-rules/1":
        raise RuleError(f"{path}:1: schema must be verify-rules/1")
    listed = top["rules"]
    if not isinstance(listed, yaml.SequenceNode):
        raise RuleError(f"{path}:{listed.start_mark.line + 1}: `rules` must be a list")
    return [_rule(item, path) for item in listed.value]


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _plain(node: Any) -> Any:
    return None if node is None else CONSTRUCTOR.construct_object(node, deep=True)


def _map(node: Any, path: Path) -> dict[str, Any]:
    if not isinstance(node, yaml.MappingNode):
        raise RuleError(f"{path}:{node.start_mark.line + 1}: expected `key: value` pairs here")
    out: dict[str, Any] = {}
    for key, value in node.value:
        if key.value in out:
            raise RuleError(f"{path}:{key.start_mark.line + 1}: {key.value!r} stands twice")
        out[key.value] = value
    return out


def _rule(node: Any, path: Path) -> Rule:
    items = _map(node, path)
    at = f"{path}:{node.start_mark.line + 1}"
    if missing := [f for f in REQUIRED if f not in items]:
        raise RuleError(f"{at}: missing {', '.join(missing)}")
    kind = items["kind"].value
    known = members("verifier.rules")
    if kind not in known:
        raise RuleError(f"{path}:{items['kind'].start_mark.line + 1}: unknown kind {kind!r}; known: {', '.join(known)}")
    for key, value in items.items():
        if key not in FIELDS and key != kind:
            raise RuleError(f"{path}:{value.start_mark.line + 1}: unknown key {key!r}; known: {', '.join(FIELDS)}, {kind}")
        if key in ("id", "slug", "version") and value.tag != "tag:yaml.org,2002:str":
            raise RuleError(f"{path}:{value.start_mark.line + 1}: {key} must be text; put {value.value!r} in quotes")
    data = {key: _plain(value) for key, value in items.items()}
    if data["severity"] not in get_args(Severity) or data["opens"] not in ("discrepancy", "note"):
        raise RuleError(f"{at}: severity is low, medium or high; opens is discrepancy or note")
    if not isinstance(data["title"], dict) or not {"en", "zh"} <= set(data["title"]):
        raise RuleError(f"{at}: title needs en and zh")
    verdicts = [t.get("expect") for t in data["tests"] or () if isinstance(t, dict)]
    if "fail" not in verdicts or not {"pass", "not_applicable"} & set(verdicts):
        raise RuleError(f"{at}: tests need at least one `expect: fail` and one `expect: pass` or `not_applicable`")
    when = _when(items["when"], path) if "when" in items else lambda claim: True
    return Rule(id=data["id"], slug=data["slug"], kind=kind, severity=data["severity"], opens=data["opens"], version=data["version"], title=data["title"],
                why=str(data["why"]).strip(), fix=str(data["fix"]).strip(), refs=tuple(data.get("refs") or ()), when=when,
                spec=data.get(kind) or {}, tests=tuple(data["tests"]), place=at)  # fmt: skip


def _when(node: Any, path: Path) -> Callable[[Claim], bool]:
    """Compile `when`: every entry must hold; `any`, `all` take lists, `not` takes a condition."""
    parts: list[Callable[[Claim], bool]] = []
    for key, value in _map(node, path).items():
        line = f"{path}:{value.start_mark.line + 1}"
        if key in ("any", "all"):
            inner = [_when(n, path) for n in value.value]
            test = any if key == "any" else all
            parts.append(lambda c, inner=inner, test=test: test(f(c) for f in inner))  # type: ignore[misc]
        elif key == "not":
            denied = _when(value, path)
            parts.append(lambda c, denied=denied: not denied(c))  # type: ignore[misc]
        else:
            name, _, condition = key.partition(".")
            if name not in CLAIM:
                raise RuleError(f"{line}: a claim has no field {name!r}; known: {', '.join(sorted(CLAIM))}")
            parts.append(_predicate(name, condition, value, line, path))
    return lambda claim: all(part(claim) for part in parts)


def _value(claim: Claim, name: str, condition: str) -> Any:
    value = getattr(claim, "from_" if name == "from" else name)
    if name == "conditions" and condition:
        found = claim.conditions.get(condition)
        return found.value if found else None
    return value


def _predicate(name: str, condition: str, node: Any, line: str, path: Path) -> Callable[[Claim], bool]:
    if not isinstance(node, yaml.MappingNode):
        wanted = _plain(node)
        return lambda c: _value(c, name, condition) == wanted
    tests: list[Callable[[Any], bool]] = []
    for op, raw in _map(node, path).items():
        want = _plain(raw)
        if op == "in" and isinstance(want, list):
            tests.append(lambda v, want=want: v in want)  # type: ignore[misc]
        elif op == "startswith":
            tests.append(lambda v, want=want: str(v or "").startswith(want))  # type: ignore[misc]
        elif op == "present":
            tests.append(lambda v, want=want: (v not in (None, "", ())) is want)  # type: ignore[misc]
        elif op in ORDER and isinstance(want, (int, float)):
            tests.append(lambda v, want=want, op=op: isinstance(v, (int, float)) and ORDER[op](v, want))  # type: ignore[misc]
        elif op in ("matches", "word"):
            if "\\b" in str(want):
                raise RuleError(f"{line}: \\b does not work beside Chinese; use `word: …` for a whole word")
            pattern = re.compile(str(want) if op == "matches" else rf"(?<![A-Za-z0-9]){re.escape(str(want))}(?![A-Za-z0-9])", re.I)
            tests.append(lambda v, pattern=pattern: pattern.search(str(v or "")) is not None)  # type: ignore[misc]
        else:
            raise RuleError(f"{line}: unknown test {op!r}; known: in, startswith, matches, word, gt, ge, lt, le, present")
    return lambda c: all(t(_value(c, name, condition)) for t in tests)
