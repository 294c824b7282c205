"""What stands around a number: its metric, subject and baseline, and the conditions that headings and tables give."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Any

from verifier.extract.conditions import Context
from verifier.lexicon import Name
from verifier.models import Block, Cell, Number

MEASURE = {
    "token/s": "throughput", "token/s/gpu": "throughput", "request/s": "throughput", "star": "stars",
    "parameter": "parameters", "ms": "latency", "us": "latency", "ns": "latency", "s": "latency", "GB/s": "bandwidth",
    "TB/s": "bandwidth", "GFLOPS": "flops", "TFLOPS": "flops", "PFLOPS": "flops", "bit": "quantization_bits",
    "commit": "commits", "contributor": "contributors", "call": "calls", "call/day": "calls", "x": "speedup",
    "GB": "memory", "GiB": "memory", "MB": "memory", "MiB": "memory", "token": "context_length", "day": "latency",
    "min": "latency", "h": "latency",
}  # fmt: skip
SEGMENT = re.compile(r"[；;。，、！？：:（(）)]|(?<!\d),|\s[+/·=]\s|[.!?]\s|——|\|")
LATIN = re.compile(r"[A-Za-z][\w./\-]*(?: [A-Z][\w./\-]*)*(?: ?[\u4e00-\u9fff]{2,6}(?=[ \d~约近]|$))?")
DULL = re.compile(
    r"(?:P\d+|TTFT|TPOT|ITL|QPS|RPS|GPU|KV|TP|EP|DP|PP|BS|arXiv|mean|avg|up|to|by|from|about|and|or|the|at|of|in|with|for"
    r"|is|was|a|an|on|over|than|only|vs|Cache hit|cache hit|token|tokens)\b",
    re.I,
)
OTHER = r"(?:kv[ -])?[A-Za-z][\w.+\-=]*(?: [A-Z\d][\w.\-]*)*"
AGAINST = re.compile(
    rf"(?:\bv\.?s\.?|versus|\bover|\bagainst|\bthan|compared (?:to|with)|relative to|相较?于?|对比|优于|比)\s*"
    rf"(?:the |a |an )?\**({OTHER})",
    re.I,
)
AFTER_X = re.compile(r"x ((?:A|H|B)\d{2,3}) ")
VALUE = re.compile(r"[~≈]?(\d[\d,]*(?:\.\d+)?)")
DURATION = re.compile(r"\d\s?(?:ms|s|µs|us|秒)(?![A-Za-z])|时间")
TIMED = re.compile(r"(?:ms|s|us|µs|秒|avg)\b|时间|latency|TTFT|TPOT|time", re.I)


class Surroundings:
    """One number's clause, cell and context."""

    def __init__(self, block: Block, names: list[Name], left: int, start: int, first: Number, last: Number,
                 cell: Cell | None, context: Context):  # fmt: skip
        self.text, self.block, self.first, self.last, self.cell, self.context = block.text, block, first, last, cell, context
        here = bisect_left(names, left, key=lambda n: n.start)
        there = bisect_left(names, last.end + 24, key=lambda n: n.start)
        self.names, self.left, self.start = names[here:there], left, start
        self.earlier = names[max(0, here - 12) : there]
        head = block.text[max(left, first.start - 70) : first.start]
        cuts = [m.end() for m in SEGMENT.finditer(head)]
        self.segment = first.start - len(head) + (cuts[-1] if cuts else 0)

    def metric(self, unit: str, form: str) -> str | None:
        """From the segment, the clause, the column and row heads; else what the unit measures; else the heading."""
        if unit in ("star", "parameter", "commit", "contributor"):
            return MEASURE[unit]
        if self.cell is not None:
            for head in (self.cell.head, self.block.cells[0].text):
                if (found := self.context.column_metric(head)) and found != "speedup":
                    return found
            if unit in ("x", "percent") and self.context.metric not in (None, "speedup"):
                return self.context.metric
            if unit in ("x", "percent") and DURATION.search(self.text):
                return "latency"
        metrics = [n for n in self.names if n.kind == "metric" and n.canonical != "version"]
        near = [n for n in metrics if self.segment <= n.start and n.end <= self.first.start]
        after = [n for n in metrics if self.last.end <= n.start <= self.last.end + 16]
        after = [n for n in after if not SEGMENT.search(self.text[self.last.end : n.start])]
        for group in (near[-1:], after[:1], [n for n in metrics if n.end <= self.first.start][-1:]):
            if group and (group[0].canonical != "memory" or unit[-1:] in "Bxt"):
                return group[0].canonical
        if unit.startswith("USD"):
            return "cost_saving" if re.search(r"省|sav", self.text[self.segment : self.first.start]) else "price"
        if unit in MEASURE:
            return MEASURE[unit]
        if form == "delta" and re.search(r"投机|加速|faster|快", self.text[self.segment : self.last.end + 8]):
            return "speedup"
        return None

    def subject(self) -> str | None:
        """The last name of the segment; else the nearest engine, model or project before."""
        piece = self.text[self.segment : self.start].rstrip(" *~约近$")
        taken = [(n.start, n.end) for n in self.names if n.kind in ("metric", "accelerator")]
        for found in reversed(list(LATIN.finditer(piece))):
            at = self.segment + found.start()
            if DULL.match(found[0]) or any(a <= at < b for a, b in taken) or len(found[0]) < 3:
                continue
            prose = re.search(r"[A-Za-z][,*]* $", self.text[max(0, at - 4) : at])
            if prose and found[0].islower() and found[0].isalpha() and not any(n.start == at for n in self.names):
                continue  # amid English words a plain lower-case one is no name; alone (`nanochat 57k`) it is
            return found[0].rstrip("./-")
        before = [n for n in self.earlier if n.kind in ("engine", "model", "project") and n.end <= self.first.start]
        return before[-1].canonical if before else None

    def baseline(self, clause: str, fields: dict[str, Any]) -> str | None:
        """What is written after `vs`, `than`, 比; in a table the column that the arithmetic points to."""
        if fields["form"] not in ("ratio", "delta", "value", "range") or fields["unit"] not in ("x", "percent"):
            return None
        if self.cell is not None:
            if against := AGAINST.search(self.cell.head):
                return against[1]
            if found := self._column(fields):
                return found
        against = AGAINST.search(clause) or AFTER_X.search(clause)
        return against[1] if against else None

    def _column(self, fields: dict[str, Any]) -> str | None:
        others = []
        for cell in self.block.cells[1:12]:
            if cell is not self.cell and (value := VALUE.match(cell.text.strip("*"))) and "%" not in cell.text:
                others.append((float(value[1].replace(",", "")), cell))
        want = fields.get("value")
        if not isinstance(want, float) or len(others) < 2:
            return None
        (a, one), (b, two) = others[-2:] if len(others) == 2 else others[:2]
        if not a or not b:
            return None
        timed = TIMED.search(one.text + one.head + self.block.cells[0].text) is not None or fields["metric"] == "latency"
        slower = "slower" in self.text[self.last.end : self.last.end + 10]
        if fields["unit"] == "x":
            larger = timed != slower
            return (one if (a > b) == larger else two).head
        share = abs(want) / 100
        for base, other, cell in ((a, b, one), (b, a, two)):
            if abs(abs(other - base) / base - share) <= 0.006:
                return cell.head
        return None
