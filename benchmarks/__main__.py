"""Measure, keep the results, write the page.

python -m benchmarks [NAME …]          measure (all unless named), into benchmarks/results and docs/benchmarks.md
python -m benchmarks --quick [NAME …]  hold a few ratios against benchmarks/limits.toml; exit 1 where one is exceeded
python -m benchmarks --page            only write the page anew
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import _guard
from benchmarks._machine import machine, taken
from benchmarks._measure import Figure
from benchmarks._page import page, short
from benchmarks._processes import BUILD, ROOT
from verifier.family import member, members

FAMILY = "benchmarks.measures"
RESULTS, PAGE = Path(__file__).parent / "results", ROOT / "docs" / "benchmarks.md"


def main(words: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("names", nargs="*", metavar="NAME", help=", ".join(members(FAMILY)))
    options.add_argument("--quick", action="store_true", help="hold ratios against the limits")
    options.add_argument("--page", action="store_true", help="write the page from the results that are there")
    given = options.parse_args(words)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    os.environ["VERIFY_CACHE"] = str(BUILD / "cache")
    for name in given.names:
        if name not in members(FAMILY):
            options.error(f"there is no benchmark {name!r}; known: {', '.join(members(FAMILY))}")
    if given.quick:
        return guard(given.names)
    for name in () if given.page else given.names or members(FAMILY):
        measure(name)
    PAGE.write_text(page(kept()), encoding="utf-8")
    print(f"written: {PAGE.relative_to(ROOT)}, {RESULTS.relative_to(ROOT)}/*.json")
    return 0


def measure(name: str) -> None:
    """Measure one benchmark; each figure is told and kept as it comes, so that what was measured survives an interruption."""
    measured = member(FAMILY, name)
    print(f"{name}: {measured.TITLE}", flush=True)
    made = {"title": measured.TITLE, "about": measured.ABOUT, "machine": machine(), "taken": taken(), "minutes": 0.0, "figures": []}
    started = time.perf_counter()
    for figure in _told(measured.measure(quick=False)):
        made["figures"].append(asdict(figure))
        made["minutes"] = round((time.perf_counter() - started) / 60, 1)
        keep(name, made)


def _told(figures: Iterable[Figure]) -> Iterable[Figure]:
    for f in figures:
        more = "  ".join(f"{k} {v}" for k, v in f.more.items() if v is not None)
        ratio = f"{short(f.ratio)} × {f.against} ({short(min(f.ratios))}–{short(max(f.ratios))})" if f.ratios else "not measured"
        print(
            f"  {f.name}: {ratio}{'' if f.reached is None else '; reached' if f.reached else '; NOT reached'}{'; ' + more if more else ''}",
            flush=True,
        )
        yield f


def keep(name: str, made: dict[str, Any]) -> None:
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def kept() -> dict[str, dict[str, Any]]:
    """Results of the benchmarks that there are, in order of name."""
    found = {name: RESULTS / f"{name}.json" for name in members(FAMILY)}
    return {name: json.loads(path.read_text(encoding="utf-8")) for name, path in found.items() if path.exists()}


def guard(names: list[str]) -> int:
    """Say each ratio beside its limit; 1 where one is exceeded."""
    started, over = time.perf_counter(), 0
    for name, limits in _guard.limits().items():
        if names and name not in names:
            continue
        for judged in _guard.judge(lambda name=name: member(FAMILY, name).measure(quick=True), limits):
            over += judged.exceeds
            said = f"REGRESSION: exceeded each of {judged.tries} times; {judged.limit.why}" if judged.exceeds else "ok"
            print(f"{name}: {judged.name}: {short(judged.ratio)}, limit {short(judged.limit.at_most)}: {said}", flush=True)
    print(f"bench-quick: {f'{over} slower than allowed' if over else 'nothing slower than allowed'} ({time.perf_counter() - started:.0f} s)")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
