"""The sections of a weekly report, in the order in which a coordinator asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from verifier.reports import _charts as charts
from verifier.reports._blocks import Block, Cards, Cell, Level, Page, Paste, Picture, Section, Table, Text, Tile
from verifier.reports._cards import MARKS, card, record_link, title
from verifier.reports._history import Record
from verifier.reports._period import Period
from verifier.reports._tables import LEVELS, Rows
from verifier.reports._words import Say, words

CARDS, SHORT, LONG = 12, 15, 200  # entries of a list before it ends with "and N more"
WORDED = {"state": "w_", "was": "w_", "resolution": "r_", "event": "e_", "what": "t_", "answer": "a_"}
EMPTY = {"on": "nobody", "source": "no_source", "topic": "no_topic"}


class Layout:
    """One report in one language; `base` leads from where it is written to the root."""

    def __init__(self, tables: Mapping[str, Rows], records: Mapping[str, Record], period: Period, lang: str, base: str, topic: str | None):
        self.tables, self.records, self.period, self.lang, self.base, self.topic = tables, records, period, lang, base, topic
        self.say: Say = words(lang)

    def page(self) -> Page:
        say, days = self.say, self.say("period", first=self.period.first, last=self.period.last)
        scope = say("topic_only", topic=self.topic) if self.topic else say("every_topic")
        made: list[tuple[str, Callable[[], list[Block]]]] = [
            ("s_open", self._dangerous), ("s_changed", self._changed), ("s_late", self._late), ("s_today", self._today), ("s_trouble", self._trouble),
            ("s_tool", self._tool), ("s_coverage", self._coverage), ("s_table", self._paste),
        ]  # fmt: skip
        sections = tuple(Section(name[2:], say(name), tuple(blocks()) or (Text(say("none")),)) for name, blocks in made)
        return Page(self.lang, f"{say('title')} {self.period.name}", self.period.name, f"{days} · {scope}", self._lede(), self._tiles(),
                    (say("now"), say("before"), say("change")), sections, say("made_by"))  # fmt: skip

    # ------------------------------------------------------------ the answer in two lines

    def _total(self, what: str) -> dict[str, Any]:
        return next(row for row in self.tables["totals"] if row["what"] == what)

    def _lede(self) -> tuple[str, ...]:
        say, total = self.say, self._total("open")
        if not total["now"] and not total["before"]:
            return (say("nothing_open"),)
        by = total["now"] - total["before"]
        trend = say("more_than", n=by) if by > 0 else say("fewer_than", n=-by) if by < 0 else say("as_before")
        lines = [say("lede", n=total["now"], trend=trend, **{level: self._total(level)["now"] for level in LEVELS})]
        lines.append(say("lede_due", overdue=self._total("overdue")["now"], proposed=self._total("proposed")["now"]))
        if worst := self.tables["open"][:1]:
            lines.append(say("lede_worst", number=worst[0]["number"], title=self._title(worst[0])))
        if not any(row["before"] for row in (*self.tables["totals"], *self.tables["changes"], *self.tables["tool"])):
            lines.append(say("first_period"))
        return tuple(lines)

    def _tiles(self) -> tuple[Tile, ...]:
        """What is open by level, what is due, what came and went; more of it is worse, save for what can be or was settled."""
        changes = {row["event"]: row for row in self.tables["changes"]}
        rows = [(self.say(row["what"]), row, 1 if row["what"] != "proposed" else 0) for row in self.tables["totals"]]
        rows += [(self.say(f"e_{name}"), changes[name], worse) for name, worse in (("open", 1), ("resolve", -1))]
        tiles = []
        for label, row, worse in rows:
            by = row["now"] - row["before"]
            tone = "same" if not by or not worse else "worse" if by * worse > 0 else "better"
            tiles.append(Tile(label, row["now"], row["before"], f"{'+' if by > 0 else '−' if by < 0 else '±'}{abs(by)}", tone))
        return tuple(tiles)

    # ------------------------------------------------------------ sections

    def _dangerous(self) -> list[Block]:
        live = self.tables["open"]
        if not live:
            return [Text(self.say("nothing_open"))]
        cards = tuple(card(self.records[row["number"]], row["age"], self.say, self.lang, self.base) for row in live[:CARDS])
        heads, rows = ("age", *LEVELS, "now", "before"), self.tables["ageing"]
        return [
            self._picture(charts.ageing(rows, self.say), self._table("c_ageing", rows, heads)),
            self._picture(charts.series(self.tables["series"], self.say), self._table("c_series", self.tables["series"][6::7], ("day", *LEVELS))),
            Cards(cards, self._more(len(live), CARDS, "--open")),
        ]

    def _changed(self) -> list[Block]:
        weeks = self.tables["weeks"]
        blocks: list[Block] = [
            self._table("c_changes", self.tables["changes"], ("event", "now", "before")),
            self._picture(charts.weeks(weeks, self.say), self._table("c_weeks", weeks, ("week", "opened", "reopened", "settled"))),
        ]
        told = (("opened", ("number", "content", "level", "day")), ("settled", ("number", "content", "resolution", "by", "day")),
                ("reopened", ("number", "content", "level", "reason", "day")), ("severity", ("number", "content", "was", "level", "reason", "day")))  # fmt: skip
        return blocks + [self._table(f"c_{name}", self.tables[name], heads, SHORT, "") for name, heads in told if self.tables[name]]

    def _late(self) -> list[Block]:
        told = (("overdue", ("number", "content", "level", "recheck_by", "days", "on"), "--overdue"), ("stuck", ("number", "content", "level", "state", "since", "days", "on"), "--open"),
                ("owners", ("on", "open", "high", "overdue", "oldest"), "--open"))  # fmt: skip
        return [self._table(f"c_{name}", self.tables[name], heads, SHORT, flag) for name, heads, flag in told if self.tables[name]]

    def _today(self) -> list[Block]:
        proposed, arrived = self.tables["proposed"], self.tables["evidence"]
        blocks: list[Block] = []
        if proposed:
            blocks.append(self._table("c_proposed", proposed, ("number", "content", "resolution", "reason", "evidence"), SHORT, "--proposed"))
            blocks.append(Text(self.say("to_accept", numbers=" ".join(row["number"] for row in proposed[:SHORT]))))
        if arrived:
            blocks.append(self._table("c_evidence", arrived, ("number", "content", "reason", "evidence", "day"), SHORT, "--open"))
        return blocks

    def _trouble(self) -> list[Block]:
        blocks: list[Block] = []
        if matrix := self.tables["matrix"]:
            heads = tuple(matrix[0])
            blocks.append(self._picture(charts.matrix(matrix, self.say), self._table("c_matrix", matrix, heads), wide=True))
        shared = ("open", "before", "opened", "dismissed")
        for name, heads in (("rules", ("rule", "kind", *shared)), ("topics", ("topic", *shared[:3])), ("sources", ("source", *shared[:3]))):
            if rows := self.tables[name]:
                blocks.append(self._table(f"c_{name}", rows, heads, SHORT, ""))
        return blocks

    def _tool(self) -> list[Block]:
        blocks: list[Block] = [self._table("c_tool", self.tables["tool"], ("what", "now", "before"))]
        if self.tables["kinds"]:
            verdicts = ("pass", "fail", "undecided", "error", "not_applicable")
            made = self._table("c_kinds", self.tables["kinds"], ("kind", *verdicts))
            blocks.append(made._replace(heads=(self.say("kind"), *(self.say(f"t_{v}") for v in verdicts)), folded=True))
        if self.tables["silent"]:
            blocks.append(self._table("c_silent", self.tables["silent"], ("citation", "documents"), SHORT, "")._replace(folded=True))
        return blocks

    def _coverage(self) -> list[Block]:
        if rows := self.tables.get("coverage"):
            heads = ("author", "topic", "expected", "came", "late", "missing", "gap", "missed_days")
            blocks: list[Block] = [self._table("c_coverage", rows, heads)]
        else:
            blocks = [Text(self.say("no_schedule"))]
        if agreed := self.tables.get("agreement"):
            blocks.append(self._table("c_agreement", agreed, ("day", "content", "value", "author", "answer"), SHORT, ""))
        return blocks

    def _paste(self) -> list[Block]:
        rows = self.tables["open"]
        if not rows:
            return []
        heads = ("number", "content", "level", "age", "owner", "documents", "recheck_by")
        lines = [f"{r['number']} {r['mark'] or MARKS[r['level']]} {self._title(r)} {words('zh')(r['level'])}" for r in rows[:LONG]]
        return [self._table("c_table", rows, heads, LONG, "--open"), Paste(self.say("c_paste"), "\n".join(["编号 内容 风险等级", *lines]))]

    # ------------------------------------------------------------ rows as cells

    def _picture(self, svg: str, table: Table, wide: bool = False) -> Picture:
        return Picture(svg, table._replace(folded=True), wide)

    def _more(self, count: int, most: int, flag: str) -> str:
        return self.say("more", n=count - most, command=f"verify d list {flag}".strip()) if count > most else ""

    def _table(self, caption: str, rows: Sequence[Mapping[str, Any]], heads: Sequence[str], most: int = LONG, flag: str = "") -> Table:
        cells = tuple(tuple(self._cell(head, row) for head in heads) for row in rows[:most])
        return Table(self.say(caption), tuple(self.say(h) for h in heads), cells, self._more(len(rows), most, flag))

    def _title(self, row: Mapping[str, Any]) -> str:
        record = self.records.get(str(row.get("number")))
        return title(record, self.lang) if record else str(row.get("title") or row.get("content") or "")

    def _cell(self, head: str, row: Mapping[str, Any]) -> Cell:
        value = row.get(head)
        if head == "number":
            return record_link(str(value), self.base)
        if head == "content":
            return self._title(row)
        if head == "level" or (head == "was" and value in LEVELS):
            return Level(self.say(str(value)), str(value))
        if isinstance(value, list):
            shown = "、".join(map(str, value[:3])) if self.lang == "zh" else ", ".join(map(str, value[:3]))
            return shown + (f" +{len(value) - 3}" if len(value) > 3 else "")
        if isinstance(value, int):
            return value
        if not value:
            return self.say(EMPTY[head]) if head in EMPTY else "–"
        return self.say(f"{WORDED[head]}{value}").removeprefix(WORDED[head]) if head in WORDED else " ".join(str(value).split())
