"""Which D-records a statement rests on, and what their state asks of its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Literal

from verifier.gate._matching import KINDS_OF_LOAD
from verifier.gate._statements import TOKEN, Statement, marks, plain
from verifier.models import LIVE, SEVERITIES, Discrepancy
from verifier.settings import Policy

Answer = Literal["pass", "pass_with_caveat", "could_not_check", "block"]
OPEN = re.compile(r"待核|待查|待定|未核|未决|存疑|未结|open|pending|unverified|unsettled|to be (?:checked|verified)", re.I)
UNIT_WORDS = {"tok", "token", "tokens", "req", "qps", "rps", "tps", "ttft", "tpot", "itl"}
PART = re.compile(r"[a-z]{1,2}\d+[a-z]?")  # H100, P99, TP4: what something runs on, not what it is
MARKED = re.compile(r"(?<![A-Za-z\d.])(\d+(?:\.\d+)*)\s*(%|％|×|倍|[xX](?![A-Za-z\d]))?")
QUOTED = re.compile(r" 第 \d+ 行「(.+?)」：")
DAY = re.compile(r"20\d\d-\d\d(?:-\d\d)?|20\d\d-?Q[1-4]", re.I)


@dataclass(frozen=True)
class Reason:
    """One ground of an answer: what it is called, said in both languages, its record, what would clear it."""

    answer: Answer
    code: str
    said: str
    said_zh: str
    record: str | None = None
    state: str | None = None
    severity: str | None = None
    age: int | None = None
    clears: str | None = None
    working: tuple[str, ...] = ()


class Records:
    """The records of the ledger as of a day; `full` fetches one with its events."""

    def __init__(self, records: Iterable[Discrepancy], full: Callable[[str], Discrepancy], as_of: date, series: str):
        self._known = {r.number: r for r in records}
        self._full, self._as_of, self.series = full, as_of, series
        # what people wrote speaks for itself; an entry of the program's own has its claims
        self._telling = [(r, _telling(r)) for r in self._known.values() if (r.title or r.problem) and not (r.claims and r.title_zh)]
        self._by_claim: dict[str, list[str]] = {}
        for r in self._known.values():
            for claim in r.claims:
                self._by_claim.setdefault(claim, []).append(r.number)

    def of(self, statement: Statement, kin: Sequence[Statement]) -> list[str]:
        """The records that the statement names, that its verified and earlier forms (`kin`) carry, or that speak of its number."""
        found = list(marks(statement.text, self.series))
        for other in kin:
            found += self._by_claim.get(other.claim.id, ())
            found += marks(other.text, self.series)
        found += [r.number for r, telling in self._telling if r.state not in ("void", "unknown", "reserved") and _speaks(telling, statement)]
        return list(dict.fromkeys(found))

    def asks(self, number: str, text: str, policy: Policy, seen: tuple[str, ...] = ()) -> Reason | None:
        """What a record has against a text that rests on it; None where nothing."""
        shown = number in marks(text, self.series)
        record = self._known.get(number)
        if "~" in number:
            return Reason("block", "provisional-number", f"{number} is a provisional number", f"{number} 是临时编号", number,
                          clears="verify ledger assign, where the numbers are handed out")  # fmt: skip
        if record is None or record.state == "reserved":
            return Reason("could_not_check", "unknown-record", f"{number} is in no ledger here", f"账本中没有 {number}", number,
                          clears=f"verify d import, or name the record that {number} stands for") if shown else None  # fmt: skip
        if record.state == "unknown":
            return None
        if record.state == "void":
            return self._reason("block", "void-record", record, "is void", "已作废", f"take {number} out of the text") if shown else None
        if record.state in LIVE:
            return self._live(record, text, policy)
        return self._settled(record, text, policy, shown, seen)

    def shows(self, number: str, text: str, policy: Policy) -> bool:
        """Whether a text says visibly that a record is not settled."""
        if number not in marks(text, self.series):
            return False
        return plain(policy.caveat_for(number)) in plain(text) if policy.caveat else OPEN.search(text) is not None

    def corrected_to(self, statement: Statement, numbers: Sequence[str]) -> str | None:
        """The record among these whose correction states this very number."""
        for number in numbers:
            record = self._known.get(number)
            if record and record.resolution == "corrected":
                data = _resolution(self._full(number))
                if statement.number in plain(f"{data.get('correction') or ''} {data.get('reason') or ''} {data.get('evidence') or ''}"):
                    return number
        return None

    def live(self, number: str) -> Discrepancy | None:
        record = self._known.get(number)
        return record if record and record.state in LIVE else None

    def resolved(self, number: str) -> bool:
        return number in self._known and self._known[number].state == "resolved"

    def _age(self, record: Discrepancy) -> int | None:
        return (self._as_of - date.fromisoformat(record.opened)).days if record.opened else None

    def _reason(self, answer: Answer, code: str, record: Discrepancy, said: str, zh: str, clears: str | None = None) -> Reason:
        return Reason(answer, code, f"{record.number} {said}: {record.title}", f"{record.number} {zh}：{record.title}", record.number, record.state,
                      record.severity, self._age(record), clears)  # fmt: skip

    def _live(self, record: Discrepancy, text: str, policy: Policy) -> Reason:
        n = record.number
        settle = f'verify d resolve {n} --resolution confirmed --reason "…" --evidence URL'
        due = date.fromisoformat(record.recheck_by) + timedelta(days=policy.grace_days) if record.recheck_by else None
        if due and due < self._as_of:
            look = f"look again and settle it ({settle}), or verify d wait {n} --waiting-on WHOM --recheck-by DAY"
            return self._reason(
                "block", "overdue-recheck", record, f"is overdue since {record.recheck_by}", f"复核已过期（{record.recheck_by}）", look
            )
        if SEVERITIES.index(record.severity or "low") >= SEVERITIES.index(policy.block_from):
            return self._reason("block", "open-record", record, f"is {record.state} at {record.severity}", f"未结（{record.severity}）", settle)
        if self.shows(n, text, policy):
            return self._reason("pass_with_caveat", "shown-record", record, f"is {record.state} and the text says so", "未结，文中已注明")
        add = f"write {policy.caveat_for(n)} beside it, or {settle}"
        return self._reason("block", "hidden-record", record, f"is {record.state} and the text does not say so", "未结而文中未注明", add)

    def _settled(self, record: Discrepancy, text: str, policy: Policy, shown: bool, seen: tuple[str, ...]) -> Reason | None:
        data = _resolution(self._full(record.number))
        how = record.resolution
        if how in ("superseded", "duplicate") and (target := data.get("target")):
            if shown and target not in marks(text, self.series):
                put = f"put {target} in the place of {record.number}"
                return self._reason("block", "superseded-record", record, f"is {how} by {target}", f"已由 {target} 取代", put)
            return self.asks(target, text, policy, (*seen, record.number)) if target not in seen else None
        if how == "not_comparable" and not names(text, condition := str(data.get("condition") or "")):
            say = f"name the condition that differs ({condition})"
            return self._reason("block", "not-comparable", record, f"says not comparable ({condition}), which the text does not name",
                                f"裁定不可比（{condition}），文中未注明", say)  # fmt: skip
        if how in ("refuted", "source_withdrawn"):
            return self._reason("block", "refuted-record", record, f"was resolved as {how}", "已被证伪" if how == "refuted" else "来源已撤回",
                                f"take the claim out, or verify d reopen {record.number} --reason … --evidence …")  # fmt: skip
        if how == "corrected" and (wrong := _uncorrected(record, data, text)):
            return self._reason("block", "uncorrected", record, f"was corrected, but {wrong} still stands here", f"已更正，但此处仍写 {wrong}",
                                f"write what it was corrected to: {data.get('correction') or data.get('reason')}")  # fmt: skip
        if how == "accepted" and str(data.get("until", "9999")) < self._as_of.isoformat():
            again = f"verify d reopen {record.number} --reason …"
            return self._reason("block", "overdue-recheck", record, f"was accepted until {data['until']}", f"接受期至 {data['until']} 已过", again)
        return None


def _resolution(record: Discrepancy) -> dict[str, Any]:
    """What was said when a record was last resolved."""
    return next((e.data | {"reason": e.reason} for e in reversed(record.events) if e.event == "resolve"), {})


def _telling(record: Discrepancy) -> tuple[set[str], set[str]]:
    """(numbers, names) that single out what a record is about, from its title and problem."""
    text = f"{record.title} {record.problem or ''}"
    tokens = {t.rstrip(".,-").casefold() for t in TOKEN.findall(re.sub(r"(?<=\d),(?=\d{3})", "", DAY.sub(" ", text)))}
    names = {t for t in tokens if t[0].isalpha() and len(t) > 2 and not PART.fullmatch(t)} - UNIT_WORDS
    quoted = QUOTED.search(record.problem or "") if record.title_zh else None  # of the program's own entry, not what its working names beside it
    return _numbers(quoted[1] if quoted else text), names


def _numbers(text: str) -> set[str]:
    """The numbers that tell a claim from others: three digits or a point by themselves, fewer with a percent or times sign; versions whole."""
    found = set()
    for number, mark in MARKED.findall(DAY.sub(" ", text).replace(",", "")):
        if "." in number or len(number) > 2:
            found.add(number)
        elif mark:
            found.add(number + ("%" if mark in "%％" else "×"))
    return found


def _speaks(telling: tuple[set[str], set[str]], statement: Statement) -> bool:
    """Whether a record speaks of this very number: of one that is telling by itself, or of one with its subject."""
    numbers, names = telling
    if isinstance(statement.claim.numbers[0], str):
        return str(statement.claim.numbers[0]) in numbers and (statement.claim.subject or "").casefold() in names
    said = _numbers(statement.claim.text) & numbers
    return bool(said and names & statement.tokens) or not names and any(len(n.replace(".", "").strip("0")) > 2 for n in said)


def names(text: str, condition: str) -> bool:
    """Whether a text names a differing condition: one of its words, or its kind of load."""
    wanted = re.split(r"[:：/,，;；]| against | vs\.? | 对 | 与 ", condition)
    wanted = [w.strip() for w in wanted if w.strip()]
    kinds = [p for p in KINDS_OF_LOAD.values() if p.search(condition)]
    folded = plain(text)
    return any(plain(w) in folded for w in wanted) or any(p.search(text) for p in kinds) or not wanted


def _uncorrected(record: Discrepancy, data: dict[str, Any], text: str) -> str | None:
    """What the record corrected and the text still says."""
    right = f"{data.get('correction') or ''} {data.get('reason') or ''}"
    wrong = set(DAY.findall(f"{record.title} {record.problem or ''}")) - set(DAY.findall(right))
    if any(day in text for day in DAY.findall(right)):
        return None
    return next((w for w in sorted(wrong) if w in text), None)
