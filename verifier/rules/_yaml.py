"""A YAML file as nodes that know their lines; kept between processes under the file's digest."""

from __future__ import annotations

import hashlib
from datetime import date
from pathlib import Path
from typing import Any, Literal, NamedTuple

from verifier import kept
from verifier.errors import RuleError


class Node(NamedTuple):
    """`value`: pairs of (key, its line, node) of a map, nodes of a list, else what is meant; `text`: it is a text and nothing else."""

    kind: Literal["map", "list", "value"]
    line: int
    value: Any
    text: bool = False


def parse(path: Path) -> Node | None:
    """The file's node; None for an empty one. Raises RuleError with the line."""
    data = path.read_bytes()
    name = f"nodes-{hashlib.sha256(data).hexdigest()[:16]}"
    if (found := kept.read(name)) is None:
        found = _composed(data, path)
        kept.write(name, found)
    return _node(found) if found else None


def plain(node: Node | None) -> Any:
    """What a node means, as data."""
    if node is None or node.kind == "value":
        return node and node.value
    if node.kind == "list":
        return [plain(n) for n in node.value]
    return {key: plain(n) for key, _, n in node.value}


def _node(made: tuple[Any, ...]) -> Node:
    kind, line, value, text = made
    if kind == "map":
        value = [(key, at, _node(n)) for key, at, n in value]
    elif kind == "list":
        value = [_node(n) for n in value]
    return Node(kind, line, value, text)


def _composed(data: bytes, path: Path) -> tuple[Any, ...]:
    import yaml
    from yaml.constructor import SafeConstructor

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    constructor = SafeConstructor()

    def made(node: Any) -> tuple[Any, ...]:
        line = node.start_mark.line + 1
        if isinstance(node, yaml.MappingNode):
            return "map", line, [(constructor.construct_object(k, deep=True), k.start_mark.line + 1, made(v)) for k, v in node.value], False
        if isinstance(node, yaml.SequenceNode):
            return "list", line, [made(n) for n in node.value], False
        value = constructor.construct_object(node, deep=True)
        return "value", line, str(value) if isinstance(value, date) else value, node.tag == "tag:yaml.org,2002:str"

    try:
        text = data.decode()
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, yaml.AliasEvent):
                raise RuleError(
                    f"{path}:{event.start_mark.line + 1 if event.start_mark else 1}: aliases (*name) are not allowed; write the value out"
                )
        node = yaml.compose(text, Loader=loader)
        return made(node) if node is not None else ()
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        raise RuleError(f"{path}:{mark.line + 1 if mark else 1}: not valid YAML: {getattr(error, 'problem', error)}") from None
