"""YAML -> rules, with the line of every mistake; a broken file reports itself and the others still load."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

from verifier.errors import RuleError
from verifier.family import members
from verifier.models import Claim, Severity
from verifier.rules._base import Rule
from verifier.rules._yaml import Node, parse, plain

FIELDS = ("id", "slug", "kind", "severity", "opens", "version", "title", "why", "fix", "refs", "when", "tests", "was", "retired", "zh")
REQUIRED = ("id", "slug", "kind", "severity", "opens", "version", "title", "why", "fix", "tests")
CLAIM = set(Claim.model_fields) - {"from_"} | {"from"}
CONDITIONS = frozenset((
    "accelerator", "accelerator_form_factor", "accelerator_count", "accelerator_memory", "accelerator_interconnect", "number_of_nodes",
    "tensor_parallel", "pipeline_parallel", "data_parallel", "expert_parallel", "precision", "kv_precision",
    "model", "engine", "engine_version", "input_tokens", "output_tokens", "batch_size",
    "concurrency", "workload", "as_of",
))  # fmt: skip
ORDER = {"gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le}


def load(dirs: Sequence[Path]) -> tuple[list[Rule], list[RuleError]]:
    """Rules of all packs in `dirs` (a later folder replaces a rule by its id or by a name that it had) and one error for each broken file."""
    rules: dict[str, Rule] = {}
    errors: list[RuleError] = []
    for folder in dirs:
        before = frozenset(rules)
        for path in sorted(folder.glob("*.yaml")):
            try:
                for rule in load_file(path):
                    for name in before & set(rule.was):  # a group's own rule, by another name
                        rules.pop(name, None)
                    rules[rule.id] = rule
            except RuleError as error:
                errors.append(error)
    taken = [(rule, name) for rule in rules.values() for name in rule.was if name in rules]
    errors += [RuleError(f"{rule.place}: {rule.id} was {name}, but another rule has that id; an id is never given twice") for rule, name in taken]
    return list(rules.values()), errors


def load_file(path: Path) -> list[Rule]:
    """The rules of one file. Raises RuleError with the line of its first mistake."""
    node = parse(path)
    if node is None or node.kind != "map" or "rules" not in (top := _map(node, path)):
        raise RuleError(f"{path}:1: needs `schema: verify-rules/1` and a list `rules`")
    if plain(top.get("schema")) != "verify-rules/1":
        raise RuleError(f"{path}:1: schema must be verify-rules/1")
    listed = top["rules"]
    if listed.kind != "list":
        raise RuleError(f"{path}:{listed.line}: `rules` must be a list")
    return [_rule(item, path) for item in listed.value]


def same(one: Rule, other: Rule) -> bool:
    """Whether two rules are of one version with the same examples and settings; conditions count through the version."""
    return (one.version, one.spec, one.tests, one.severity, one.opens) == (other.version, other.spec, other.tests, other.severity, other.opens)


def _map(node: Node, path: Path) -> dict[str, Node]:
    if node.kind != "map":
        raise RuleError(f"{path}:{node.line}: expected `key: value` pairs here")
    out: dict[str, Node] = {}
    for key, line, value in node.value:
        if str(key) in out:
            raise RuleError(f"{path}:{line}: {key!r} stands twice")
        out[str(key)] = value
    return out


def _rule(node: Node, path: Path) -> Rule:
    items = _map(node, path)
    at = f"{path}:{node.line}"
    if missing := [f for f in REQUIRED if f not in items]:
        raise RuleError(f"{at}: missing {', '.join(missing)}")
    kind = items["kind"].value
    known = members("verifier.rules")
    if kind not in known:
        raise RuleError(f"{path}:{items['kind'].line}: unknown kind {kind!r}; known: {', '.join(known)}")
    for key, value in items.items():
        if key not in FIELDS and key != kind:
            raise RuleError(f"{path}:{value.line}: unknown key {key!r}; known: {', '.join(FIELDS)}, {kind}")
        if key in ("id", "slug", "version") and not value.text:
            raise RuleError(f"{path}:{value.line}: {key} must be text; put {value.value!r} in quotes")
    data = {key: plain(value) for key, value in items.items()}
    if data["severity"] not in get_args(Severity) or data["opens"] not in ("discrepancy", "note"):
        raise RuleError(f"{at}: severity is low, medium or high; opens is discrepancy or note")
    if not isinstance(data["title"], dict) or not {"en", "zh"} <= set(data["title"]):
        raise RuleError(f"{at}: title needs en and zh")
    verdicts = [t.get("expect") for t in data["tests"] or () if isinstance(t, dict)]
    if "fail" not in verdicts or not {"pass", "not_applicable"} & set(verdicts):
        raise RuleError(f"{at}: tests need at least one `expect: fail` and one `expect: pass` or `not_applicable`")
    was = data.get("was") or []
    if not isinstance(was, list) or not all(isinstance(name, str) for name in was):
        raise RuleError(f"{at}: was is a list of the ids that the rule had before, the oldest first")
    chinese = data.get("zh") or {}
    if not isinstance(chinese, dict) or not set(chinese) <= {"why", "fix"}:
        raise RuleError(f"{at}: zh holds why and fix")
    when = _when(items["when"], path) if "when" in items else lambda claim: True
    return Rule(id=data["id"], slug=data["slug"], kind=kind, severity=data["severity"], opens=data["opens"], version=data["version"], title=data["title"],
                why=str(data["why"]).strip(), fix=str(data["fix"]).strip(), refs=tuple(data.get("refs") or ()), when=when,
                spec=data.get(kind) or {}, tests=tuple(data["tests"]), place=at, was=tuple(was),
                retired=str(data.get("retired") or "").strip(), zh=chinese)  # fmt: skip


def _when(node: Node, path: Path) -> Callable[[Claim], bool]:
    """Compile `when`: every entry must hold; `any`, `all` take lists, `not` takes a condition."""
    parts: list[Callable[[Claim], bool]] = []
    for key, value in _map(node, path).items():
        line = f"{path}:{value.line}"
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
                near = get_close_matches(name, CLAIM, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(CLAIM))}"
                raise RuleError(f"{line}: a claim has no field {name!r}; {hint}")
            if condition and name != "conditions" or name == "conditions" and condition not in CONDITIONS:
                near = get_close_matches(condition, CONDITIONS, 1)
                hint = f"did you mean {near[0]!r}?" if near and name == "conditions" else f"conditions are {', '.join(sorted(CONDITIONS))}"
                raise RuleError(f"{line}: no condition {key!r}; {hint}")
            parts.append(_predicate(name, condition, value, line, path))
    return _every(parts)


def _every(parts: list[Callable[[Any], bool]]) -> Callable[[Any], bool]:
    """All of them; asked of every claim by every rule, so without a generator where one or two are all there is."""
    if len(parts) == 1:
        return parts[0]
    if len(parts) == 2:
        first, second = parts
        return lambda value: first(value) and second(value)
    return lambda value: all(part(value) for part in parts)


def _value(claim: Claim, name: str, condition: str) -> Any:
    value = getattr(claim, "from_" if name == "from" else name)
    if name == "conditions" and condition:
        found = claim.conditions.get(condition)
        return found.value if found else None
    return value


def _predicate(name: str, condition: str, node: Node, line: str, path: Path) -> Callable[[Claim], bool]:
    if node.kind != "map":
        wanted = plain(node)
        return lambda c: _value(c, name, condition) == wanted
    tests: list[Callable[[Any], bool]] = []
    for op, raw in _map(node, path).items():
        want = plain(raw)
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
    test = _every(tests)
    if not condition and name != "from":
        read = operator.attrgetter(name)
        return lambda c: test(read(c))
    return lambda c: test(_value(c, name, condition))
