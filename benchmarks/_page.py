"""Results as a page: one table for each benchmark, with the machine, the versions and the commands."""

from __future__ import annotations

from typing import Any

from benchmarks._measure import Figure

HEAD = """# Benchmarks

Written by `make bench`; do not edit. Figures are ratios of two works that took turns in one run: the median of several rounds, with the
lowest and highest in brackets. A slower or busier machine slows both; the seconds, and what is on the clock, are those of this machine at that
hour, for orientation only. *Asked* is the goal that was set before anything was measured.

`make bench` measures everything, `make bench NAME=extraction` one part of it; `make bench-quick` holds a few of the ratios against
`benchmarks/limits.toml`. Every round is in `benchmarks/results`."""


def page(results: dict[str, dict[str, Any]]) -> str:
    """The page of all results, {name of the benchmark: its result}."""
    parts = [HEAD, *_machines(results)]
    for name, result in results.items():
        told = result["taken"]
        when = f"{told['day']}, {result['minutes']} min, commit {told['commit']}, load average {told['load']} at the start"
        parts += [f"## {result['title']}", result["about"], "\n".join(_table([Figure(**f) for f in result["figures"]]))]
        parts += [f"`python -m benchmarks {name}`: {when}."]
    return "\n\n".join(parts) + "\n"


def _machines(results: dict[str, dict[str, Any]]) -> list[str]:
    """One line, unless the results come from several machines."""
    told: dict[str, list[str]] = {}
    for name, result in results.items():
        m = result["machine"]
        libraries = ", ".join(f"{k} {v}" for k, v in m["libraries"].items() if v)
        line = f"{m['processor']}, {m['cores']} cores, {m['memory_gb']} GB, {m['system']}, {m['python']}; {libraries}."
        told.setdefault(line, []).append(name)
    return [f"{'Machine' if len(told) == 1 else 'Machine of ' + ', '.join(names)}: {line}" for line, names in told.items()]


def _table(figures: list[Figure]) -> list[str]:
    extra = list(dict.fromkeys(key for f in figures for key in f.more))
    asked = any(f.at_most is not None or f.at_least is not None for f in figures)
    heads = ["what", "against", "ratio", "seconds", "of the other", *(["asked", "reached"] if asked else []), *extra]
    rows = [[f.name, f.against, *_numbers(f), *(_asked(f) if asked else []), *(_said(f.more.get(key)) for key in extra)] for f in figures]
    return ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *("| " + " | ".join(row) + " |" for row in rows)]


def _numbers(f: Figure) -> list[str]:
    if not f.ratios:
        return ["–", "–", "–"]
    spread = f" ({short(min(f.ratios))}–{short(max(f.ratios))})" if len(f.ratios) > 1 else ""
    return [f"{short(f.ratio)}{spread}", short(f.seconds), short(f.yardstick)]


def _asked(f: Figure) -> list[str]:
    asked = f"≤ {short(f.at_most)}" if f.at_most is not None else f"≥ {short(f.at_least)}" if f.at_least is not None else ""
    return [asked, {None: "", True: "yes", False: "no"}[f.reached]]


def _said(value: Any) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, int | float) else str(value)


def short(number: float) -> str:
    """Three digits that count: 0.00213, 4.71, 118."""
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"
