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
FIELD = re.compile(r"\s*(?:•\s*)?(来源链接|来源|URL|arXiv 号|要点|核心论点|可信度|建议归入章节|建议归入节|问题|影响|建议)\s*[：:]\s*(.*)")
HEAD = re.compile(r"(?:#+\s*)?D(\d+)\s*[：:]\s*(.+)")
ROW = re.compile(r"\s*+\|?\s*+D(\d+)\s*\|?\s*([⚠⚬ ]*)\s*\|?\s*(.+?)\s*\|?\s*([低中高])?\s*\|?\s*$")
CARRIED = re.compile(r"D(\d+)\s*[-–~—]\s*D?(\d+)(?=[^\n]{0,40}沿用)|沿用[^\n]{0,10}?D(\d+)\s*[-–~—]\s*D?(\d+)")
INCREMENT = re.compile(r"(?:#+\s*)?(?:增量|Increment)\s*(\d+)\s*[：:]?\s*(?=[：:【（(]|(?<=[：:])|(?<=[：:]\s))(.+)")
WRITTEN = re.compile(r"(20\d\d-\d\d-\d\d)[ T]+(\d{1,2}):(\d\d)(?:\s*(CST|UTC|GMT|BJT|北京时间))?")
OFFSETS = {"CST": "+08:00", "BJT": "+08:00", "北京时间": "+08:00", "UTC": "+00:00", "GMT": "+00:00"}  # CST is China's in these texts
LONGEST = 4000  # characters of a line that may hold fields
SECTION = re.compile(r"(?:#+\s*)?[一二三四五六七八九十]+、")


def severity(mark: str | None) -> Severity | None:
    """⚠ are counted (1 low, 2 medium, 3 and more high); ⚬ are padding."""
    return LEVELS.get(min(3, mark.count("⚠"))) if mark else None


def structure(text: str, path: str) -> Structure:
    """What the briefing says of itself; empty fields where it says nothing."""
    lines = [line[:LONGEST] for line in text.split("\n")]
    top = "\n".join(lines[:8])
    increments: list[dict[str, Any]] = []
    declared: dict[int, dict[str, Any]] = {}
    carried: list[Carried] = []
    warnings: list[dict[str, Any]] = []
    current: dict[str, Any] | None = None
    for number, line in enumerate(lines, 1):
        if SECTION.match(line):
            current = None
        if ("增量" in line or "Increment" in line) and (found := INCREMENT.match(line)):
            current = {"number": found[1], "title": found[2].strip(), "line": number, "end_line": number, "points": []}
            increments.append(current)
        elif found := HEAD.match(line):
            mark = MARK.search(found[2])
            title = re.sub(r"[（(]\s*[⚠⚬][^（）()]*[）)]\s*$", "", found[2]).strip()
            current = {"number": int(found[1]), "title": title, "line": number, "end_line": number, "mark": mark[0] if mark else None}
            current["severity"] = severity(current["mark"])
            declared.setdefault(current["number"], current)
        elif current is not None and (found := FIELD.match(line)):
            if found[1] == "来源" and "source" in current:  # a part without a heading of its own begins
                current = None
                continue
            _field(current, found[1], found[2].strip())
            current["end_line"] = number
        elif current is not None and line.strip().startswith("•") and "points" in current:
            current["points"].append(line.strip("• ").strip())
            current["end_line"] = number
        elif "⚠" in line and (found := ROW.match(line)):
            entry = declared.setdefault(
                int(found[1]), {"number": int(found[1]), "title": found[3], "line": number, "end_line": number, "mark": found[2].strip() or None}
            )
            if found[4]:
                entry["severity"] = WORDS[found[4]]
        for c in CARRIED.finditer(line) if "沿用" in line else ():
            first, last = (int(n) for n in c.groups() if n)
            if first <= last and not any((k.first, k.last) == (first, last) for k in carried):
                carried.append(Carried(first=first, last=last, line=number, text=c[0]))
        if re.match(r"\s*(?:警示|⚠)", line):
            warnings.append({"line": number, "text": line.strip(), "priority": (re.search(r"P[12]", line) or [None])[0]})
    name = re.search(r"20\d\d-\d\d-\d\d", lines[0] if lines else "") or re.search(r"20\d\d-\d\d-\d\d", path) or re.search(r"20\d\d-\d\d-\d\d", top)
    executor = _after(top, "执行体")
    return Structure(
        executor=executor, author=re.split(r"\s*[·|｜（(]", executor)[0][:80].strip() or None if executor else None, written=_written(executor), topic=_topic(lines), date=name[0] if name else None, window=_after(top, "窗口定义"),
        base_document=_after(top, "底本"), increments=tuple(Increment(**i) for i in increments),
        warnings=tuple(warnings), discrepancies=tuple(Declared(**d) for d in declared.values()), carried=tuple(carried),
        arxiv_ids=tuple(dict.fromkeys(m[1] for m in ARXIV.finditer(text))), urls=tuple(dict.fromkeys(URL.findall(text))),
        audited_sources=tuple(dict.fromkeys(re.findall(r"(?:^|\n)\s*(?:[•|-]\s*)?(inbox/[^\s（(|]+)", text))),
    )  # fmt: skip


def _field(entry: dict[str, Any], name: str, value: str) -> None:
    key = {"来源": "source", "URL": "url", "核心论点": "thesis", "可信度": "credibility", "建议归入章节": "anchor_to", "建议归入节": "anchor_to", "来源链接": "url",
           "问题": "problem", "影响": "impact", "建议": "suggestion"}.get(name)  # fmt: skip
    if name == "arXiv 号":
        entry["arxiv"] = tuple(m[1] for m in ARXIV.finditer(value))
    elif key and key in (Increment.model_fields if "points" in entry else Declared.model_fields):
        entry.setdefault(key, value)


def _after(top: str, word: str) -> str | None:
    found = re.search(word + r"\s*[：:]\s*(.+?)(?=\s++(?:窗口定义|底本|重大棒位背景|执行体)\s*[：:]|\n|$)", top)
    return found[1].strip() if found else None


def _written(executor: str | None) -> str | None:
    """When it was written, to the minute, as ISO; with the offset from UTC where the text names its zone."""
    found = WRITTEN.search(executor or "")
    return f"{found[1]}T{int(found[2]):02d}:{found[3]}{OFFSETS.get(found[4] or '', '')}" if found else None


def _topic(lines: list[str]) -> str | None:
    return re.split(r"[·（(]", lines[0].lstrip("# "), maxsplit=1)[0].strip() or None if lines else None
