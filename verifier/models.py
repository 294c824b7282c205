"""The types that cross the walls between rooms: frozen, versioned, JSON in and out.

`docs/schema/*.json` is generated from here. Readers tolerate added fields.
JSON is written with `to_json(x)`: aliases (`from`), None kept, keys in field order.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, SkipValidation

SCHEMA = "verify/1"

Form = Literal["value", "ratio", "delta", "change", "range", "version", "date"]
Direction = Literal["increase", "decrease"]
Bound = Literal["max", "min"]
Severity = Literal["low", "medium", "high"]
Verdict = Literal["pass", "fail", "undecided", "not_applicable", "error"]
State = Literal["reserved", "unknown", "open", "checking", "waiting", "resolved", "anchored", "void"]
Origin = Literal["clause", "row", "column", "block", "bullet", "paragraph", "heading", "caption", "command", "front_matter"]
LIVE: tuple[State, ...] = ("open", "checking", "waiting")  # a record that somebody still has to settle
SEVERITIES: tuple[Severity, ...] = ("low", "medium", "high")  # in rising order
BlockKind = Literal["heading", "paragraph", "bullet", "row", "code", "front_matter", "html"]


class Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True, serialize_by_alias=True, defer_build=True)


# ---------------------------------------------------------------- reading


class Cell(NamedTuple):
    """One table cell: `start`,`end` in characters of the file; `head` its column head, from the top row down.

    `carried` is the value above where the cell is blank or a ditto mark; whether it holds is for the reader to say.
    """

    start: int
    end: int
    text: str
    head: str = ""
    column: int = 0
    carried: str = ""


class Block(NamedTuple):
    """A stretch of text that hangs together: a paragraph, bullet, heading, table row.

    `start`,`end` are characters from 0 in the file, `line`,`end_line` count from 1;
    `text == document.text[start:end]`. `section` is the path of headings above, outermost first.
    A row has its `table`'s number and `caption`, the `group` that a row above it opened, and `head` where it names columns.
    """

    kind: BlockKind
    start: int
    end: int
    line: int
    end_line: int
    text: str
    level: int = 0
    section: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()
    table: int | None = None
    caption: str = ""
    group: str = ""
    head: bool = False


class Increment(Model):
    """增量: one new item of a briefing with its fields, as written; `lines` says where each stands."""

    number: str
    title: str
    line: int
    end_line: int
    source: str | None = None
    url: str | None = None
    arxiv: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    thesis: str | None = None
    credibility: str | None = None
    anchor_to: str | None = None
    lines: dict[str, int] = {}


class Declared(Model):
    """A D entry that a document writes itself (heading or row of its D table)."""

    number: int
    title: str
    line: int
    end_line: int
    mark: str | None = None
    severity: Severity | None = None
    problem: str | None = None
    impact: str | None = None
    suggestion: str | None = None
    lines: dict[str, int] = {}


class Carried(Model):
    """`D1-D187 沿用`: numbers carried over without text."""

    first: int
    last: int
    line: int
    text: str


class Structure(Model):
    """A briefing's fields as data; empty where the document has none."""

    executor: str | None = None
    author: str | None = None
    written: str | None = None
    topic: str | None = None
    date: str | None = None
    window: str | None = None
    base_document: str | None = None
    increments: tuple[Increment, ...] = ()
    warnings: tuple[dict[str, Any], ...] = ()
    discrepancies: tuple[Declared, ...] = ()
    carried: tuple[Carried, ...] = ()
    arxiv_ids: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    audited_sources: tuple[str, ...] = ()
    lines: dict[str, int] = {}


class Document(Model):
    """A file as read: its text, its blocks in order, its fields."""

    path: str
    text: str
    blocks: Annotated[tuple[Block, ...], SkipValidation]
    structure: Structure = Structure()
    warnings: tuple[str, ...] = ()

    @cached_property
    def line_starts(self) -> list[int]:
        """Where each line begins."""
        starts, find = [0], self.text.find
        while (at := find("\n", starts[-1]) + 1) > 0:
            starts.append(at)
        return starts

    def place(self, at: int) -> tuple[int, int]:
        """(line, column) of a character, both from 1."""
        line = bisect_right(self.line_starts, at)
        return line, at - self.line_starts[line - 1] + 1


# ---------------------------------------------------------------- claims


class Number(Model):
    """Every numeral of a text with its class, also those set aside.

    `kind`: quantity, or what it was set aside as: version, date, time, id, url, section, list_marker,
    reference, discrepancy, name_part, star_rating, file, hash, markup, shape, ordinal.
    A two-ended quantity has `low` and `high` as written, and in `value` the middle between them where both are stated.
    """

    start: int
    end: int
    text: str
    kind: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str | None = None


class Interval(Model):
    """What the rounding of a printed number allows, in the number's own unit."""

    low: float
    high: float


class Condition(Model):
    """A test condition, where it was found and on which line."""

    value: str
    origin: Origin = Field(alias="from")
    line: int


class Source(Model):
    kind: Literal["arxiv", "github", "url", "file"]
    id: str
    version: str | None = None
    section: str | None = None
    author: str | None = None


class Claim(Model):
    """A number that says something, bound to what it is about. DESIGN section 4 of the contract.

    Numbers are signed and in `unit`: `value`; `low`,`high` when two-ended; `from`,`to` for a change;
    versions and dates are strings. `intervals` has one interval for each number, in that order.
    """

    id: str
    document: str
    line: int
    end_line: int
    column: int
    start: int
    end: int
    text: str
    section: str = ""
    cell: tuple[str, str] | None = None
    first: str | None = None
    form: Form
    value: float | str | None = None
    low: float | None = None
    high: float | None = None
    from_: float | str | None = Field(default=None, alias="from")
    to: float | str | None = None
    interval: tuple[Interval, ...] = ()
    unit: str
    direction: Direction | None = None
    approx: bool = False
    bound: Bound | None = None
    hedge: str | None = None
    subject: str | None = None
    metric: str | None = None
    statistic: str | None = None
    baseline: str | None = None
    conditions: dict[str, Condition] = {}
    sources: tuple[Source, ...] = ()
    credibility: str | None = None
    anchor_to: str | None = None
    scope: Literal["world", "document"] = "world"

    @property
    def numbers(self) -> tuple[float | str, ...]:
        """The numbers that the form carries, in order."""
        pair = {"range": (self.low, self.high), "change": (self.from_, self.to)}.get(self.form, (self.value,))
        found = tuple(n for n in pair if n is not None)
        return found or tuple(n for n in (self.low, self.high) if n is not None)


# ---------------------------------------------------------------- findings


class Location(Model):
    document: str
    line: int
    end_line: int
    text: str


class Finding(Model):
    """What one rule says about one place. `note` is true where it opens no discrepancy; `…_zh` is for Chinese readers."""

    rule: str
    rule_version: str
    kind: str
    verdict: Verdict
    severity: Severity
    locations: tuple[Location, ...] = Field(min_length=1)
    claims: tuple[str, ...] = ()
    message: str
    message_zh: str
    working: tuple[str, ...] = ()
    working_zh: tuple[str, ...] = ()
    expected: str | None = None
    observed: str | None = None
    evidence: tuple[dict[str, Any], ...] = ()
    fix: str = ""
    fix_zh: str = ""
    cause: str
    fingerprint: str
    suppressed: str | None = None
    baseline: bool = False
    discrepancy: str | None = None
    note: bool = False


class Look(Model):
    """One look at a citation. `citation` is `arxiv:2609.23130` or `github:owner/name@tag`.

    `outcome`: found; absent (the source answered and does not have it); failed (it did not answer).
    """

    citation: str
    url: str
    outcome: Literal["found", "absent", "failed"]
    status: int | None = None
    etag: str | None = None
    last_modified: str | None = None
    fetched_at: str
    not_after: str | None = None
    digest: str | None = None
    facts: dict[str, Any] = {}
    reason: str | None = None


# ---------------------------------------------------------------- ledger and run


class Event(Model):
    """One line of a record's history; `id` is the content's hash, `parents` what it follows."""

    id: str
    parents: tuple[str, ...] = ()
    number: str
    event: str
    at: str
    actor: str
    run: str | None = None
    reason: str | None = None
    op_id: str | None = None
    data: dict[str, Any] = {}


class Place(Model):
    """Where a document says what a record is about: `text` is the line, or a part of it, and `mark` what in it is meant.

    `figures` has the claim's numbers, intervals, unit and conditions where values stand against each other.
    """

    document: str
    line: int
    text: str = ""
    mark: tuple[int, int] | None = None
    figures: dict[str, Any] | None = None


class Discrepancy(Model):
    """The fold of a record's events. `proposed` is the transition that evidence suggests and nobody has made yet."""

    number: str
    title: str
    title_zh: str | None = None
    state: State
    resolution: str | None = None
    severity: Severity | None = None
    mark: str | None = None
    kind: str | None = None
    cause: str | None = None
    findings: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    topic: str | None = None
    proposed: dict[str, Any] | None = None
    opened: str | None = None
    recheck_by: str | None = None
    owner: str | None = None
    waiting_on: str | None = None
    problem: str | None = None
    impact: str | None = None
    suggestion: str | None = None
    places: tuple[Place, ...] = ()
    events: tuple[Event, ...] = ()


class Recorded(Model):
    number: str
    what: Literal["opened", "seen_again", "carried", "imported", "conflict"]
    title: str = ""
    warning: str | None = None


class Counts(Model):
    claims: int
    verdicts: dict[str, dict[str, int]] = {}


class Run(Model):
    """What `verify run --format json` prints: one object a file."""

    schema_: str = Field(default=SCHEMA, alias="schema")
    run: str
    document: str
    as_of: str
    recorded: bool
    counts: Counts
    set_aside: dict[str, int] = {}
    findings: tuple[Finding, ...] = ()
    discrepancies: tuple[Recorded, ...] = ()
    warnings: tuple[str, ...] = ()


PUBLISHED: dict[str, type[Model]] = {
    "claim": Claim,
    "number": Number,
    "finding": Finding,
    "look": Look,
    "event": Event,
    "discrepancy": Discrepancy,
    "run": Run,
    "structure": Structure,
}


def to_json(item: Model) -> str:
    """One line of JSON, aliases as published."""
    return item.model_dump_json(by_alias=True)
