"""The fields of a briefing, recovered from its lines."""

from __future__ import annotations

import re
from typing import Any

from verifier.models import Carried, Declared, Increment, Severity, Structure

ARXIV = re.compile(r"(\d\d(?<![\d.]\d\d)(?:0[1-9]|1[0-2])\.\d{4,5})(?:v\d+)?(?![\d.]*\d)")
URL = re.compile(r"https?://[^\s）)】>\"'，。；]+")
MARK = re.compile(r"[⚠⚬]+(?:\s*[⚠⚬]+)*")
LEVELS: dict[int, Severity] = {1: "low", 2: "medium", 3: "high"}
WORDS: dict[str, Severity] = {"低": "low", "中": "medium", "高": "high"}
NAMES = {
    "source": ("来源", "Source"),
    "url": ("来源链接", "URL", "Link"),
    "arxiv": ("arXiv 号", "arXiv"),
    "points": ("要点", "Key points", "Points"),
    "thesis": ("核心论点", "Thesis", "Core claim"),
    "credibility": ("可信度", "Credibility"),
    "anchor_to": ("建议归入章节", "建议归入节", "Suggested sections", "Suggested section"),
    "problem": ("问题", "Problem"),
    "impact": ("影响", "Impact"),
    "suggestion": ("建议", "Suggestion"),
}
KEYS = {written: key for key, names in NAMES.items() for written in names}
FIELD = re.compile(rf"\s*+(?:[•*+-]\s+)?\**+({'|'.join(sorted(KEYS, key=len, reverse=True))})\**\s*[：:]\**\s*(.*)")
HEAD = re.compile(r"(?:#+\s*)?\**D(\d+)\**\s*[：:]\**\s*(.+)")
ROW = re.compile(r"\s*+\|?\s*+D(\d+)\s*\|?\s*([⚠⚬ ]*)\s*\|?\s*(.+?)\s*\|?\s*([低中高])?\s*\|?\s*$")
CARRIED = re.compile(r"D(\d+)\s*[-–~—]\s*D?(\d+)(?=[^\n]{0,40}沿用)|沿用[^\n]{0,10}?D(\d+)\s*[-–~—]\s*D?(\d+)")
INCREMENT = re.compile(r"(?:#+\s*)?(?:增量|Increment)\s*(\d+)\s*[：:]?\s*(?=[：:【（(]|(?<=[：:])|(?<=[：:]\s))(.+)")
WRITTEN = re.compile(r"(20\d\d-\d\d-\d\d)[ T]+(\d{1,2}):(\d\d)(?:\s*(CST|UTC|GMT|BJT|北京时间))?")
OFFSETS = {"CST": "+08:00", "BJT": "+08:00", "北京时间": "+08:00", "UTC": "+00:00", "GMT": "+00:00"}  # CST is China's in these texts
SECTION = re.compile(r"(?:#+\s*)?[一二三四五六七八九十]+、")
TITLED = re.compile(r"(#{1,6})\s")
POINT = re.compile(r"\s*[•*+-]\s+\S")
RUN_ON = re.compile(r"(?:^|\s)-\s(?=\S)")
BEGINS = re.compile(r"\s*+(?:[•*+#>|-]|\d{1,2}[.)、]\s|\**[^\s：:。，,]{1,14}\**[：:]|```)")  # a line that begins something of its own
LONGEST = 4000  # characters of a line that may hold fields
TOP = {"executor": "执行体|实例|执笔|Executor|Written by", "window": "窗口定义|窗口期|时间窗口|Window", "base_document": "底本|基线活文档|Base document",
       "written": "生成时间|Generated"}  # fmt: skip
ANY = "|".join((*TOP.values(), "重大棒位背景"))


def severity(mark: str | None) -> Severity | None:
    """⚠ are counted (1 low, 2 medium, 3 and more high); ⚬ are padding."""
    return LEVELS.get(min(3, mark.count("⚠"))) if mark else None


def structure(text: str, path: str) -> Structure:
    """What the briefing says of itself; empty fields where it says nothing."""
    lines = [line[:LONGEST] for line in text.split("\n")]
    entries = _Entries()
    carried: list[Carried] = []
    warnings: list[dict[str, Any]] = []
    for number, line in enumerate(lines, 1):
        entries.take(number, line)
        for c in CARRIED.finditer(line) if "沿用" in line else ():
            first, last = (int(n) for n in c.groups() if n)
            if first <= last and not any((k.first, k.last) == (first, last) for k in carried):
                carried.append(Carried(first=first, last=last, line=number, text=c[0]))
        if re.match(r"\s*(?:警示|⚠)", line):
            warnings.append({"line": number, "text": line.strip(), "priority": (re.search(r"P[12]", line) or [None])[0]})
    head = lines[0] if lines else ""
    name = DATE.search(head) or DATE.search(path) or next((d for line in lines[:8] if (d := DATE.search(line))), None)
    said = _top(lines[:8])
    executor, places = said["executor"][0], {key: line for key, (value, line) in said.items() if value}
    return Structure(
        executor=executor, author=re.split(r"\s*[·|｜（(]", executor)[0][:80].strip() or None if executor else None,
        written=_written(executor) or _written(said["written"][0]), topic=_topic(lines), date=name[0] if name else None, window=said["window"][0],
        base_document=said["base_document"][0], lines=places, increments=tuple(Increment(**i) for i in entries.increments),
        warnings=tuple(warnings), discrepancies=tuple(Declared(**d) for d in entries.declared.values()), carried=tuple(carried),
        arxiv_ids=tuple(dict.fromkeys(m[1] for m in ARXIV.finditer(text))), urls=tuple(dict.fromkeys(URL.findall(text))),
        audited_sources=tuple(dict.fromkeys(re.findall(r"(?:^|\n)\s*(?:[•|-]\s*)?(inbox/[^\s（(|]+)", text))),
    )  # fmt: skip


DATE = re.compile(r"20\d\d-\d\d-\d\d")


class _Entries:
    """The increments and D entries of a briefing, line by line; a field goes on in the lines right below it that begin nothing."""

    def __init__(self) -> None:
        self.increments: list[dict[str, Any]] = []
        self.declared: dict[int, dict[str, Any]] = {}
        self._current: dict[str, Any] | None = None
        self._level = 0
        self._open = ("", 0)  # the field that may go on, and the line it has reached
        self._listing = False

    def take(self, number: int, line: str) -> None:
        if SECTION.match(line):
            self._current = None
        if ("增量" in line or "Increment" in line) and (found := INCREMENT.match(line)):
            self._begin({"number": found[1], "title": found[2].strip(), "points": []}, number, line)
            self.increments.append(self._current or {})
        elif "D" in line and (found := HEAD.match(line)):
            mark = MARK.search(found[2])
            title = re.sub(r"[（(]\s*[⚠⚬][^（）()]*[）)]\s*$", "", found[2]).strip()
            self._begin({"number": int(found[1]), "title": title, "mark": mark[0] if mark else None}, number, line)
            if self._current is not None:
                self._current["severity"] = severity(self._current["mark"])
                self.declared.setdefault(self._current["number"], self._current)
        elif (titled := TITLED.match(line)) and len(titled[1]) <= self._level:
            self._current = None
        elif self._current is None or not self._within(self._current, number, line):
            self._row(number, line)

    def _begin(self, entry: dict[str, Any], number: int, line: str) -> None:
        titled = TITLED.match(line)
        self._level = len(titled[1]) if titled else 0
        self._current = {**entry, "line": number, "end_line": number, "lines": {}}
        self._open, self._listing = ("", 0), False

    def _within(self, entry: dict[str, Any], number: int, line: str) -> bool:
        """Takes in a field, a point or the rest of either; false where the line is none of them."""
        key, reached = self._open
        if found := FIELD.match(line):
            if KEYS[found[1]] == "source" and "source" in entry:  # a part without a heading of its own begins
                self._current = None
                return True
            self._field(entry, KEYS[found[1]], found[2].strip().removesuffix("**"), number)
        elif "points" in entry and POINT.match(line):
            entry["points"].append(line.strip("•*+- ").strip())
            self._open, self._listing = ("points", number), False
        elif key and reached == number - 1 and line.strip() and not BEGINS.match(line):
            held = entry[key]
            rest = line.strip() if isinstance(held, str) else _joined(held.pop(), line.strip())
            entry[key] = _joined(held, rest) if isinstance(held, str) else [*held, rest]
            self._open = key, number
        elif self._listing and line.strip():
            entry["points"].extend(_items(line))
            self._listing = False
            return False
        else:
            return False
        entry["end_line"] = number
        return True

    def _field(self, entry: dict[str, Any], key: str, value: str, number: int) -> None:
        self._open, self._listing = ("", 0), key == "points" and "points" in entry and not value
        if key == "arxiv":
            entry["arxiv"] = tuple(m[1] for m in ARXIV.finditer(value))
        elif key == "points":
            if value and "points" in entry:
                entry["points"].extend(_items(value))
                self._open = "points", number
        elif key not in (Increment.model_fields if "points" in entry else Declared.model_fields) or key in entry:
            return
        else:
            entry[key] = value
            self._open = key, number
        entry["lines"].setdefault(key, number)

    def _row(self, number: int, line: str) -> None:
        """A row of the D table."""
        if "⚠" in line and (found := ROW.match(line)):
            entry = self.declared.setdefault(
                int(found[1]), {"number": int(found[1]), "title": found[3], "line": number, "end_line": number, "mark": found[2].strip() or None}
            )
            if found[4]:
                entry["severity"] = WORDS[found[4]]


def _items(line: str) -> list[str]:
    """The items of a list that was run together with ` - `; else the line."""
    cut = RUN_ON.split(line.strip())
    return [item.strip() for item in cut[1:]] if len(cut) > 1 else [line.strip()]


def _joined(above: str, below: str) -> str:
    """Two lines of one sentence; Chinese takes no blank between them."""
    return f"{above}{'' if above[-1:] > '⺀' or below[:1] > '⺀' else ' '}{below}".strip()


def _top(lines: list[str]) -> dict[str, tuple[str | None, int]]:
    """{field: (value, line)} of what stands before the first chapter."""
    out: dict[str, tuple[str | None, int]] = {}
    for key, words in TOP.items():
        named = re.compile(rf"(?:{words})\**\s*[：:]\**\s*(.+?)(?=\s++[*•-]*\s?\**(?:{ANY})\**\s*[：:]|$)")
        out[key] = next(((found[1].strip(), n) for n, line in enumerate(lines, 1) if (found := named.search(line))), (None, 0))
    return out


def _written(said: str | None) -> str | None:
    """When it was written, to the minute, as ISO; with the offset from UTC where the text names its zone."""
    found = WRITTEN.search(said or "")
    return f"{found[1]}T{int(found[2]):02d}:{found[3]}{OFFSETS.get(found[4] or '', '')}" if found else None


def _topic(lines: list[str]) -> str | None:
    return re.split(r"[·（(]", lines[0].lstrip("# "), maxsplit=1)[0].strip() or None if lines else None
