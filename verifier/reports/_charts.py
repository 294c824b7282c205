"""The pictures of a report, each from rows of `_tables`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from verifier.reports._svg import WIDTH, fitted, line, rect, svg, tag, text, ticks, width_of
from verifier.reports._tables import LEVELS, Rows
from verifier.reports._words import Say

TOP, LEFT, RIGHT = 26, 34, 10


def _legend(names: Sequence[tuple[str, str]], y: float = 12, x: float = 0) -> list[Markup]:
    out: list[Markup] = []
    for class_, word in names:
        out += [rect(x, y - 9, 10, 10, class_, 2), text(x + 14, y, word)]
        x += 14 + width_of(word) + 14
    return out


def _grid(most: float, height: float, left: float = LEFT) -> tuple[list[Markup], float]:
    """Horizontal lines with their numbers; and how many pixels one is high."""
    marks = ticks(most)
    scale = height / marks[-1]
    out: list[Markup] = []
    for n in marks:
        y = TOP + height - n * scale
        out += [line(left, y, WIDTH - RIGHT, y, "grid" if n else "axis"), text(left - 6, y + 4, str(n), "muted", "end")]
    return out, scale


def ageing(rows: Rows, say: Say, ident: str = "ageing") -> Markup:
    """A bar for each band of age, cut by level."""
    names = [(level, say(level)) for level in LEVELS]
    most = max([row["now"] for row in rows] + [1])
    left, step = 52, 30
    scale = (WIDTH - left - 40) / most
    inside: list[Markup] = _legend(names)
    for at, row in enumerate(rows):
        x, y = float(left), TOP + 6 + at * step
        inside.append(text(left - 8, y + 14, row["age"], "", "end"))
        for level in LEVELS:
            if row[level]:
                inside.append(rect(x, y, max(row[level] * scale - 1, 1), 18, level))
                x += row[level] * scale
        inside.append(text(x + 6, y + 14, str(row["now"]), "strong"))
    about = say("d_ageing", bands=", ".join(f"{row['age']}: {row['now']}" for row in rows), n=sum(row["now"] for row in rows))
    return svg(ident, say("c_ageing"), about, WIDTH, TOP + 6 + step * len(rows), inside)


def series(rows: Rows, say: Say, ident: str = "series") -> Markup:
    """Open records by day, the levels upon each other, high at the bottom."""
    height, totals = 120.0, [sum(row[level] for level in LEVELS) for row in rows]
    inside, scale = _grid(max([*totals, 1]), height)
    step = (WIDTH - LEFT - RIGHT) / max(len(rows) - 1, 1)
    below = [0] * len(rows)
    for level in LEVELS:
        above = [n + row[level] for n, row in zip(below, rows, strict=True)]
        edge = [(LEFT + i * step, TOP + height - n * scale) for i, n in enumerate(above)]
        back = [(LEFT + i * step, TOP + height - n * scale) for i, n in enumerate(below)][::-1]
        if any(row[level] for row in rows):
            inside.append(tag("polygon", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in edge + back), class_=level))
        below = above
    last = len(rows) - 1
    for at in (0, last // 3, 2 * last // 3, last):
        anchor = "start" if at == 0 else "end" if at == last else "middle"
        inside.append(text(LEFT + at * step, TOP + height + 16, rows[at]["day"][5:], "muted", anchor))
    inside = _legend([(level, say(level)) for level in LEVELS]) + inside
    about = say("d_series", n=totals[0], first=rows[0]["day"], m=totals[-1], last=rows[-1]["day"])
    return svg(ident, say("c_series"), about, WIDTH, TOP + height + 22, inside)


def weeks(rows: Rows, say: Say, ident: str = "weeks") -> Markup:
    """What came beside what was settled, week by week."""
    height = 120.0
    came = [row["opened"] + row["reopened"] for row in rows]
    inside, scale = _grid(max([*came, *(row["settled"] for row in rows), 1]), height)
    step = (WIDTH - LEFT - RIGHT) / len(rows)
    for at, (row, n) in enumerate(zip(rows, came, strict=True)):
        x = LEFT + at * step + step * 0.14
        for offset, count, class_ in ((0.0, n, "came"), (step * 0.36, row["settled"], "gone")):
            if count:
                inside.append(rect(x + offset, TOP + height - count * scale, step * 0.34, count * scale, class_))
        if at % 3 == len(rows) % 3 - 1 or at == len(rows) - 1 or len(rows) % 3 == 0 and at % 3 == 2:
            inside.append(text(x + step * 0.35, TOP + height + 16, row["week"][5:], "muted", "middle"))
    inside = _legend([("came", f"{say('opened')} + {say('reopened')}"), ("gone", say("settled"))]) + inside
    about = say("d_weeks", opened=sum(came), settled=sum(row["settled"] for row in rows))
    return svg(ident, say("c_weeks"), about, WIDTH, TOP + height + 22, inside)


def matrix(rows: Rows, say: Say, ident: str = "matrix") -> Markup:
    """A square for each source and kind, darker where more is open, its number in it."""
    kinds = [k for k in rows[0] if k != "source"]
    left, step, side, top = 190, 44, 24, 92
    most = max(row[kind] for row in rows for kind in kinds) or 1
    inside: list[Markup] = []
    for at, kind in enumerate(kinds):
        x = left + at * step + step / 2
        inside.append(tag("text", kind, x=x, y=float(top - 10), transform=f"rotate(-38 {x:g} {top - 10})"))
    for down, row in enumerate(rows):
        y = top + down * (side + 4)
        inside.append(text(left - 10, y + 16, fitted(row["source"] or say("no_source"), left - 14), "", "end"))
        for at, kind in enumerate(kinds):
            n = row[kind]
            shade = 0 if not n else 1 + min(4, int(4 * (n - 1) / max(most - 1, 1)))
            inside.append(rect(left + at * step, y, step - 4, side, f"heat{shade}", 3))
            if n:
                inside.append(text(left + at * step + step / 2 - 2, y + 16, str(n), "on-heat", "middle"))
    n, source, kind = max((row[kind], row["source"], kind) for row in rows for kind in kinds)
    about = say("d_matrix", source=source or say("no_source"), kind=kind, n=n)
    return svg(ident, say("c_matrix"), about, left + step * len(kinds) + 60, top + len(rows) * (side + 4) + 4, inside)


def dots(values: Sequence[Mapping[str, Any]], say: Say, ident: str) -> Markup:
    """Conflicting values on one scale: a dot each, the bar what its rounding allows, its conditions beside it."""
    low, high = min(v["low"] for v in values), max(v["high"] for v in values)
    span = (high - low) or abs(high) or 1.0
    left, right, step = 12, WIDTH - 12, 44
    scale = (right - left - 24) / span

    def x(n: float) -> float:
        return float(left + 12 + (n - low) * scale)

    inside: list[Markup] = []
    for at, value in enumerate(values):
        y = 14 + at * step
        inside += [text(left, y, fitted(f"{value['text']}  {value['place']}", right - left), "strong"), line(left, y + 12, right, y + 12, "grid"),
                   rect(x(value["low"]), y + 8, max((value["high"] - value["low"]) * scale, 2), 8, "span", 4)]  # fmt: skip
        inside += [tag("circle", cx=x(n), cy=float(y + 12), r=4.5, class_="dot") for n in value["numbers"]]
        inside.append(text(left, y + 28, fitted(value["conditions"] or "–", right - left), "muted"))
    return svg(ident, say("c_values"), say("d_values", n=len(values)), WIDTH, step * len(values) + 4, inside)
