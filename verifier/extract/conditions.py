"""Test conditions that a stretch of text states: accelerator, parallelism, precision, model, batch, lengths."""

from __future__ import annotations

import re
from bisect import bisect_left as bisect

from verifier.lexicon import Lexicon, Name
from verifier.models import Block, Condition, Document, Origin

MODEL = re.compile(r"[\w.]{0,8}(?:-[A-Za-z0-9.]{1,12}){0,5}", re.ASCII)
VERSIONED = re.compile(r" v?(\d+\.\d+(?:\.\d+)*)(?![\d%]|\s?(?:[x×倍%]|tok))")
CONDITIONS = {
    "accelerator_count": re.compile(r"(?<![\d.])(\d{1,3})\s?[x×*]?\s?(?:NVIDIA |AMD )?(?:[ABHL]\d{2,3}|MI\d{3}|GPUs?)(?![0-9])"),
    "tensor_parallel": re.compile(r"(?:TP|tp|--tensor-parallel-size|tensor[- ]parallel(?:ism)?)\s*[=\- ]?\s*(\d+)"),
    "pipeline_parallel": re.compile(r"PP\s*=?\s*(\d+)"),
    "expert_parallel": re.compile(r"EP\s*=?\s*(\d+)"),
    "data_parallel": re.compile(r"DP\s*=?\s*(\d+)"),
    "batch_size": re.compile(r"(?:batch[ _]size|batch|BS|bs|批大小)\s*[=:为 ]?\s*(\d+(?:-\d+)?)"),
    "concurrency": re.compile(r"(?:concurrency|并发)\s*[=:为 ]?\s*(\d+)"),
    "precision": re.compile(r"(?<![A-Za-z0-9])(FP8|FP16|BF16|FP4|NVFP4|MXFP4|INT8|INT4|W4A16|W8A8|W4A8KV4)(?![A-Za-z0-9])", re.I),
    "accelerator_form_factor": re.compile(r"(?<![A-Za-z0-9])(SXM|PCIe|NVL|OAM)\d*(?![A-Za-z])"),
    "input_tokens": re.compile(r"(\d+)\s*in\s*/\s*\d+\s*out|ISL\s*[=:]?\s*(\d+)|ISL/OSL\s*(\d+)"),
    "output_tokens": re.compile(r"\d+\s*in\s*/\s*(\d+)\s*out|OSL\s*[=:]?\s*(\d+)"),
}


def conditions_in(block: Block, names: list[Name], start: int, end: int, origin: Origin) -> dict[str, Condition]:
    """What `block.text[start:end]` states, each with where it was found."""
    text = block.text[start:end]
    found: dict[str, Condition] = {}
    inside = names[bisect(names, start, key=lambda n: n.start) : bisect(names, end, key=lambda n: n.start)]
    for kind in ("accelerator", "engine", "model"):
        for name in inside:
            if name.kind == kind:
                full = MODEL.match(block.text, name.end) if kind == "model" else None
                value = name.canonical + (full[0] if full else "")
                found[kind] = Condition(value=value, origin=origin, line=block.line)
                release = VERSIONED.match(block.text, name.end) if kind == "engine" else None
                if release:
                    found["engine_version"] = Condition(value=release[1], origin=origin, line=block.line)
    for key, pattern in CONDITIONS.items():
        if match := pattern.search(text):
            found[key] = Condition(value=next(g for g in match.groups() if g), origin=origin, line=block.line)
    return found


class Context:
    """The conditions in force at a block: unique names of the document, headings, the table's head and row."""

    def __init__(self, document: Document, lexicon: Lexicon):
        self.conditions: dict[str, Condition] = {}
        self.metric: str | None = None
        self._lexicon = lexicon
        self._whole: dict[str, Condition] = {}
        self._sections: list[tuple[int, dict[str, Condition], str | None]] = []
        self._lead: dict[str, Condition] = {}
        self._lead_metric: str | None = None
        self._carried: dict[int, dict[str, Condition]] = {}
        self._table: int | None = None
        self.names: dict[int, list[Name]] = {}
        self._only(document)

    def _only(self, document: Document) -> None:
        """A document that names one engine, accelerator or model throughout is about that one."""
        first: dict[str, dict[str, int]] = {}
        releases: dict[str, dict[str, int]] = {}
        for block in document.blocks:
            self.names[block.start] = self._lexicon.names(block.text)
            for name in self.names[block.start]:
                if name.kind in ("engine", "accelerator", "model"):
                    first.setdefault(name.kind, {}).setdefault(name.canonical, block.line)
                    if name.kind == "engine" and (version := VERSIONED.match(block.text, name.end)):
                        releases.setdefault(name.canonical, {}).setdefault(version[1], block.line)
        for kind, lines in first.items():
            if len(lines) == 1:
                ((canonical, line),) = lines.items()
                self._whole[kind] = Condition(value=canonical, origin="paragraph", line=line)
                if kind == "engine" and len(found := releases.get(canonical, {})) == 1:
                    ((version_, at),) = found.items()
                    self._whole["engine_version"] = Condition(value=version_, origin="paragraph", line=at)

    def enter(self, block: Block, names: list[Name]) -> None:
        """Take in the next block."""
        own = conditions_in(block, names, 0, len(block.text), _origin(block))
        metric = next((n.canonical for n in names if n.kind == "metric" and n.canonical != "version"), None)
        if block.kind == "heading":
            self._sections = [s for s in self._sections if s[0] < block.level] + [(block.level, own, metric)]
            self._lead, self._lead_metric = {}, None
        if block.kind != "row":
            self._table = None
        row: dict[str, Condition] = {}
        if block.kind == "row":
            if block.table != self._table:
                self._table, self._carried = block.table, {}
            for cell in block.cells:
                at = (cell.start - block.start, cell.end - block.start)
                if cell.text in ("-", "", "同上", "〃"):
                    row.update(self._carried.get(cell.column, {}))
                else:
                    self._carried[cell.column] = conditions_in(block, names, *at, "row")
        above: dict[str, Condition] = {}
        for _, found, _ in self._sections:
            above.update(found)
        lead = self._lead if block.kind == "row" else {}
        self.conditions = {**self._whole, **above, **lead, **row, **own}
        self.metric = next((m for _, _, m in reversed(self._sections) if m), None)
        if block.kind == "row":
            self.metric = self._lead_metric or self.metric
        elif block.kind != "heading":
            self._lead, self._lead_metric = own, metric

    def column_metric(self, text: str) -> str | None:
        """The metric that a column or row head names."""
        return next((n.canonical for n in self._lexicon.names(text) if n.kind == "metric"), None)


ORIGINS: dict[str, Origin] = {"bullet": "bullet", "heading": "heading", "row": "row"}


def _origin(block: Block) -> Origin:
    return ORIGINS.get(block.kind, "paragraph")
