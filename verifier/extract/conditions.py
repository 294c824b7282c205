"""The test conditions of each claim: its block's words, its table, what stands above it, the document's setup.

Nearest scope wins: clause, row, column head, block row, caption, bullet, paragraph, heading, command, front matter.
"""

from __future__ import annotations

import re
from collections import Counter

from verifier.extract.scopes import SUBJECTS, Part, Scope, Spread, Voice, condition, resolve, scope, stated
from verifier.extract.statements import Mention, Statements, within
from verifier.extract.tables import Tables
from verifier.lexicon import Lexicon, Name
from verifier.models import Block, Cell, Condition, Document, Origin

LABELLED = re.compile(
    r"(?=[硬软环配设条数测模在图表HGSECMWebtmrw<^>*_TF\s])(?:(?:硬件|软件|环境|配置|设置|条件|数据集|测试规模|模型|Hardware|GPUs?|Setup|Environment|Config(?:uration)?s?|Models?|Software|Workload|Settings?)\**\s?\**[:：]"
    r"|\b(?:experiments?|benchmarks?|tests?|evaluations?|measurements?|runs?)\s+(?:\w+\s+)?(?:use[sd]?|ran|runs?|were|was|are|is)\b"
    r"|\bwe (?:use|used|ran|run|benchmark\w*|evaluat\w+|test\w*|measur\w+|sweep|swept)\b|测试(?:使用|采用|基于)"
    r"|在[^。\n]{1,60}(?:上|下)[^。\n]{0,30}(?:测试|评测|实测|运行|测得|压测)|<su[bp]>|(?:^|[>*_])\s?(?:Table|Figure|图|表)\s?\d)",
    re.I,
)
SETTING = re.compile(
    r"\s*[•*·-]?\s*\**(?:(?:测试|实验|评测|压测|基准|推理|软?硬件)(?:平台|环境|条件|配置|设置|硬件)|平台|环境|配置|硬件)\**(?:均)?(?:为|是|采用|使用|[:：])"
    r"|\s*[•*·-]?\s*\**(?:test ?bed|(?:test |hardware |software )?(?:setup|platform|environment|configuration)|hardware)\**\s?(?:[:=]|is\b|was\b)",
    re.I,
)
TOLD = re.compile(
    r"(?=[ebtmr])\b(?:experiments?|benchmark\w*|tests?|tested|evaluat\w+|measur\w+|results?|runs?|ran)\b[^.\n]{0,80}\b(?:on|with|using|under|at)\b",
    re.I,
)
CAPTION = re.compile(r"\s*(?:<(?:su[bp]|p|em|div|small|caption)\b|[*_]{0,2}(?:Table|Figure|图|表|注|Note|测试|Setup|Config)|[>*_†]|\\\*)", re.I)
NUMBERED = re.compile(r"\s*(?:<\w+[^>]*>\s*)*[*_]{0,3}(?:Table|Figure|图|表)\s?\d", re.I)
LEAD = re.compile(r"[:：]\**\s*$")
FIELD = re.compile(r"(?:title|summary|description|subtitle)\s*:\s*(.+)")
ORIGINS: dict[str, Origin] = {"bullet": "bullet", "heading": "heading", "row": "row", "code": "command", "front_matter": "front_matter"}
SERVES = ("--model", "serve ", "--tensor", "-tp ", "--dtype", "--kv-cache", "--max-concurrency", "-len ", "bench")
EVERYWHERE = re.compile(
    r"\b(?:all|every)\s+(?:\w+\s+){0,2}(?:experiment|benchmark|result|test|measurement|run|evaluation|number|figure)s?\b|throughout this"
    r"|(?:所有|全部|以下)(?:实验|测试|结果|数据|评测|数字)|均[在为用基]",
    re.I,
)
METHOD = re.compile(r"\b(?:setup|environment|methodology|hardware|configuration|experimental details)\b|环境|实验设置|测试方法|测试配置", re.I)
INVENTORY = re.compile(r"(?:硬件|显卡|Hardware|GPU)\**\s?\**[:：]", re.I)
PROSE = frozenset(("paragraph", "bullet", "front_matter"))
OF_A_PART = frozenset(("accelerator_form_factor", "accelerator_memory"))
UNTESTED = frozenset(("item", "commit", "contributor", "star", "point", "user", "parameter", "version", "date", "gpu"))
LOCAL = frozenset(("workload", "kernel", "shape", "tokens", "requests", "input_tokens", "output_tokens", "batch_size", "concurrency", "as_of"))
PARALLEL = ("tensor_parallel", "pipeline_parallel", "expert_parallel", "data_parallel")
DOMINANT, MAIN, ENOUGH = 0.8, 0.6, 4
REACH = 80  # blocks that are looked back on


class Context:
    """What holds where in a document. `enter` takes in the next block, `at` answers for a number in it."""

    def __init__(self, document: Document, lexicon: Lexicon):
        self.metric: str | None = None
        self.names: dict[int, list[Name]] = {b.start: lexicon.names(b.text) for b in document.blocks}
        self._lexicon = lexicon
        self._engines = {n.canonical for found in self.names.values() for n in found if n.kind == "engine"}
        serving = any(n.kind == "engine" and "role" not in lexicon.entry("engine", n.canonical) for found in self.names.values() for n in found)
        find = Statements(lexicon, document.text, (None,) if serving else (None, "language")).find
        self._blocks = document.blocks
        self._index = {b.start: i for i, b in enumerate(document.blocks)}
        self._mentions = {b.start: stated(b.text, find(b.text, self.names[b.start])) for b in document.blocks}
        self._tables = Tables(document.blocks, self._mentions)
        self._sections: list[tuple[int, Voice | None, str | None]] = []
        self._lead_metric: str | None = None
        self._voices: dict[tuple[Origin, int, bool], Voice] = {}
        stating = [b for b in document.blocks if self._mentions[b.start]]
        self._labelled = {b.start for b in stating if LABELLED.search(b.text)}
        self._setup = self._labelled | {b.start for b in stating if TOLD.search(b.text)}
        self._settings = {b.start for b in stating if b.kind == "bullet" and SETTING.match(b.text)}
        self._block = document.blocks[0] if document.blocks else None
        self._wide: list[Voice] | None = None
        self._answers: dict[tuple[object, ...], dict[str, Condition]] = {}  # by what is near, within one block
        self._spread: Spread | None = None
        self._whole = self._document()

    def enter(self, block: Block, names: list[Name]) -> None:
        """Take in the next block."""
        metric = next((n.canonical for n in names if n.kind == "metric" and n.canonical != "version"), None)
        self._block, self._wide, self._spread, self._answers = block, None, None, {}
        if block.kind == "heading":
            own = scope("heading", block.line, block.text, self._mentions[block.start])
            self._sections = [s for s in self._sections if s[0] < block.level] + [(block.level, Voice(own) if own and own.parts else None, metric)]
            self._lead_metric = None
        self.metric = next((m for _, _, m in reversed(self._sections) if m), None)
        if block.kind == "row":
            self.metric = self._lead_metric or self.metric
        elif block.kind != "heading":
            self._lead_metric = metric

    def at(self, start: int, end: int, cell: Cell | None = None, unit: str = "") -> dict[str, Condition]:
        """The conditions of the number at block.text[start:end]; what no test gives has only those said with it."""
        block = self._block
        if block is None:
            return {}
        if cell is not None:
            return self._resolved(block, self._tables.scopes(block, cell, start, end), unit)
        if self._spread is None:
            self._spread = Spread(ORIGINS.get(block.kind, "paragraph"), block.line, block.text, self._mentions[block.start])
        near = self._spread.around(start, end)
        key = (unit in UNTESTED, *map(id, near))  # the spread keeps them
        if key not in self._answers:
            self._answers[key] = self._resolved(block, near, unit)
        return self._answers[key]

    def _resolved(self, block: Block, near: list[Voice], unit: str) -> dict[str, Condition]:
        tested = unit not in UNTESTED
        if tested and self._wide is None:
            self._wide = [*self._above(block), *self._headings(block), *self._whole]
        wide = self._wide if tested and self._wide is not None else self._headings(block)
        return composed(resolve((*near, *wide)))

    def release(self, found: dict[str, Condition], subject: str | None, version: object, line: int) -> dict[str, Condition]:
        """A release's own claim: the version is the condition; one that names no engine is of none of those around it."""
        if subject in self._engines:
            own = {"engine": str(subject), "engine_version": str(version)}
            return {**found, **{n: condition(v, "clause", line) for n, v in own.items()}}
        return {n: c for n, c in found.items() if n not in ("engine", "engine_version")}

    def _above(self, block: Block) -> list[Voice]:
        """Captions, lead-ins and setup statements of the block's own section and those around it, nearest first."""
        found: list[Voice] = []
        place = self._index[block.start]
        if block.kind == "row":
            place = self._captions(found, block)
        lead, indent = block.kind == "bullet", _indent(block)
        for other in reversed(self._blocks[max(0, place - REACH) : place]):
            if other.kind == "heading" or other.section != block.section[: len(other.section)]:
                lead = False
            elif other.kind == "bullet":
                if lead and _indent(other) < indent:
                    self._add(found, "bullet", other)
                    indent = _indent(other)
                elif other.start in self._settings and _indent(other) <= indent and other.section == block.section:
                    self._add(found, "bullet", other)
            elif other.kind == "code":
                if any(flag in other.text for flag in SERVES):
                    self._add(found, "command", other)
            elif other.kind in ("paragraph", "html"):
                if other.start in self._setup or lead and LEAD.search(other.text):
                    beside = lead or not found and other is self._blocks[place - 1]
                    self._add(found, "paragraph", other, local=beside or other.start in self._labelled)
                lead = False
        return found

    def _captions(self, found: list[Voice], block: Block) -> int:
        """Adds what stands right above and right below the table; returns the index of what comes before both.

        A numbered caption (`Table 2: …`) below belongs to the next table where one follows.
        """
        first, last = self._tables.extent(block)
        above = self._blocks[first - 1] if first else None
        above = above if above and above.kind in ("paragraph", "html") else None
        below = self._blocks[last + 1] if last + 1 < len(self._blocks) else None
        if below and NUMBERED.match(below.text) and (above and NUMBERED.match(above.text) or self._kind(last + 2) == "row"):
            below = None
        if below and not CAPTION.match(below.text) and below.start not in self._setup:
            below = None
        for other in (above, below) if above and NUMBERED.match(above.text) else (below, above):
            if other and other.kind in ("paragraph", "html"):
                self._add(found, "caption", other)
        return first - (above is not None)

    def _kind(self, index: int) -> str:
        return self._blocks[index].kind if index < len(self._blocks) else ""

    def _add(self, found: list[Voice], origin: Origin, block: Block, local: bool = True) -> None:
        """`local`: also the load, which holds beside its statement only; what is told of a result is not the load of the next."""
        key = (origin, block.start, local)
        if key not in self._voices:
            made = scope(origin, block.line, block.text, self._mentions[block.start])
            made = made if local else _without(made)
            self._voices[key] = Voice(*([made] if made and made.parts else []))
        found.append(self._voices[key])

    def _headings(self, block: Block) -> list[Voice]:
        own = block.kind == "heading"  # its words are already around the figure
        return [voice for _, voice, _ in reversed(self._sections[:-1] if own else self._sections) if voice is not None]

    def _document(self) -> list[Voice]:
        """What the document says once for all: its title and front matter, its setup, its commands, its dominant names."""
        front: list[Scope | None] = []
        setups: list[Scope | None] = []
        commands: list[Scope | None] = []
        for block in self._blocks:
            mentions = self._mentions[block.start]
            if not mentions:
                continue
            if block.kind == "front_matter" and (field := FIELD.search(block.text)):
                front.append(scope("front_matter", block.line, block.text, within(mentions, field.start(1), len(block.text))))
            elif block.kind in ("paragraph", "html", "bullet") and block.start in self._setup:
                everywhere = EVERYWHERE.search(block.text) or block.section and METHOD.search(block.section[-1])
                kept = mentions if everywhere else [m for m in mentions if m.name not in LOCAL]
                setups.append(scope(ORIGINS.get(block.kind, "paragraph"), block.line, block.text, kept))
            elif block.kind == "code" and any(flag in block.text for flag in SERVES):
                commands.append(scope("command", block.line, block.text, [m for m in mentions if m.name not in LOCAL]))
        if self._digest():
            setups, commands = [], []
        title = next((b for b in self._blocks if b.kind == "heading" and b.level == 1), None)
        named = [scope("heading", title.line, title.text, self._mentions[title.start])] if title else []
        groups = [*([s] for s in named), *([_without(s)] for s in front), setups, self._dominant(), self._single(), commands]
        return [Voice(*made) for group in groups if (made := [s for s in group if s and s.parts])]

    def _digest(self) -> bool:
        """A document that tells of several engines is a collection: no setup in it holds for all of it."""
        engines = Counter(m.value for b in self._blocks for m in self._mentions[b.start] if m.name == "engine")
        return bool(engines) and engines.most_common(1)[0][1] < MAIN * engines.total()

    def _single(self) -> list[Scope | None]:
        """An inventory that names one part and no number of it means one, unless the document splits work over several."""
        every = [m for found in self._mentions.values() for m in found]
        if any(m.name == "accelerator_count" or m.name in PARALLEL and m.value != "1" for m in every):
            return []
        for block in self._blocks:
            parts = [m for m in self._mentions[block.start] if m.name == "accelerator"]
            if len(parts) == 1 and INVENTORY.search(block.text):
                return [Scope("paragraph", block.line, (Part((parts[0]._replace(name="accelerator_count", value="1"), parts[0])),))]
        return []

    def _dominant(self) -> list[Scope | None]:
        """Names that a document is about: the only one of its kind, or by far the most frequent."""
        counts: dict[str, Counter[str]] = {}
        first: dict[tuple[str, str], tuple[Block, Mention]] = {}
        for block in self._blocks:
            for mention in self._mentions[block.start]:
                if mention.name in (*SUBJECTS, "engine_version", "accelerator_form_factor", "scale"):
                    counts.setdefault(mention.name, Counter())[mention.value] += 1
                    first.setdefault((mention.name, mention.value), (block, mention))
        out: list[Scope | None] = []
        for name, seen in counts.items():
            (value, times), total = seen.most_common(1)[0], seen.total()
            if len(seen) == 1 or name in ("engine", "accelerator") and times >= ENOUGH and times >= DOMINANT * total:
                block, mention = first[name, value]
                beside = [m for m in self._mentions[block.start] if m.name == "accelerator"] if name == "accelerator_form_factor" else []
                out.append(Scope("paragraph", block.line, (Part((mention,), tuple(beside)),)))
        return out


def _indent(block: Block) -> int:
    return len(block.text) - len(block.text.lstrip())


def _without(made: Scope | None) -> Scope | None:
    """A summary names what is remarkable, not under which load every number was taken."""
    return made and made._replace(parts=tuple(Part(tuple(m for m in p.mentions if m.name not in LOCAL)) for p in made.parts))


def composed(found: dict[str, Condition]) -> dict[str, Condition]:
    """A workload is put together from what is run, on which shapes, and how much of it."""
    if "kernel" in found and found["kernel"].origin in PROSE:
        del found["kernel"]  # a text that mentions a kernel does not run it
    if "accelerator" not in found:
        found = {n: c for n, c in found.items() if n not in OF_A_PART or c.origin not in PROSE}
    pieces = [found.pop(name) for name in ("workload", "kernel", "shape", "tokens", "requests") if name in found]
    scale = found.pop("scale", None)
    if not pieces and scale:
        pieces = [scale]
    if pieces:
        value = ", ".join(dict.fromkeys(p.value for p in pieces))
        found["workload"] = condition(value, pieces[0].origin, pieces[0].line)
    if "kv_precision" in found and "precision" not in found:
        found["precision"] = found["kv_precision"]
    return found
