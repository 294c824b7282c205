"""A record in full: what the documents say with what is wrong marked, what rests on it, what would settle it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from verifier.ledger.numbers import file_of
from verifier.reports._blocks import Card, Level, Link, Picture, Quote, Table
from verifier.reports._charts import dots
from verifier.reports._history import Record
from verifier.reports._words import Say

MARKS = {"low": "⚠⚬⚬", "medium": "⚠⚠⚬", "high": "⚠⚠⚠"}  # the levels as the authors mark them
QUOTES, VALUES = 3, 8


def title(record: Record, lang: str) -> str:
    return " ".join((record.title_zh if lang == "zh" and record.title_zh else record.title).split())


def record_link(number: str, base: str) -> Link:
    return Link(number, f"{base}claims/ledger/{quote(file_of(number))}")


def place_link(document: str, line: int, base: str) -> Link:
    return Link(f"{document}:{line}", f"{base}{quote(document)}#L{line}")


def card(record: Record, age: int, say: Say, lang: str, base: str) -> Card:
    facts = [say("aged", n=age), say("n_claims", n=len(record.claims)), say("n_documents", n=len(record.documents))]
    facts += [f"{say('owner')} {record.owner}"] if record.owner else []
    facts += [f"{say('waiting_on')} {record.waiting_on}"] if record.waiting_on else []
    facts += [f"{say('recheck_by')} {record.recheck_by}"] if record.recheck_by else []
    notes = [(say(name), " ".join(value.split())) for name in ("impact", "suggestion") if (value := getattr(record, name))]
    return Card(record_link(record.number, base), Level(say(record.level), record.level), record.mark or MARKS[record.level], title(record, lang),
                tuple(facts), tuple(_quotes(record, base)), tuple(notes), values(record, say, base))  # fmt: skip


def _quotes(record: Record, base: str) -> Iterator[Quote]:
    """The first places that differ; a place with a mark tells more than an entry's own title."""
    places = [p for p in record.places if p.get("mark")] or list(record.places)
    seen: set[tuple[str, int]] = set()
    for place in places:
        where = (place["document"], place["line"])
        if where in seen:
            continue
        seen.add(where)
        text, (start, end) = place.get("text") or "", place.get("mark") or (0, 0)
        yield Quote(place_link(*where, base), text[:start], text[start:end], text[end:])
        if len(seen) == QUOTES:
            break


def values(record: Record, say: Say, base: str) -> Picture | None:
    """Numbers that stand against each other, where at least two differ."""
    told = [v for place in record.places if (v := _value(place))][:VALUES]
    if (
        record.kind not in ("contradiction", "drift")
        or len({(v["low"], v["high"], *v["numbers"]) for v in told}) < 2
        or len({v["unit"] for v in told}) > 1
    ):
        return None
    shared = set.intersection(*({*v["stated"].items()} for v in told))
    for v in told:
        v["conditions"] = " · ".join(f"{k} {c}" for k, c in v["stated"].items() if (k, c) not in shared)
    rows = tuple(
        (
            v["text"],
            f"{v['low']:g} … {v['high']:g}",
            " · ".join(f"{k} {c}" for k, c in v["stated"].items()) or "–",
            place_link(v["document"], v["line"], base),
        )
        for v in told
    )
    heads = tuple(say(h) for h in ("value", "interval", "conditions", "place"))
    return Picture(dots(told, say, f"values-{record.number}"), Table(say("c_values"), heads, rows, folded=True))


def _value(place: Mapping[str, Any]) -> dict[str, Any] | None:
    figures = place.get("figures") or {}
    numbers: Sequence[Any] = figures.get("numbers") or ()
    if not numbers or not all(isinstance(n, int | float) for n in numbers):
        return None
    ends = [end for pair in figures.get("interval") or () for end in pair] or list(numbers)
    return {"text": figures.get("text") or "", "numbers": numbers, "low": min(*ends, *numbers), "high": max(*ends, *numbers), "unit": figures.get("unit"),
            "stated": figures.get("conditions") or {}, "place": f"{place['document']}:{place['line']}", "document": place["document"], "line": place["line"]}  # fmt: skip
