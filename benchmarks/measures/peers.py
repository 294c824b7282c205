"""Other readers of quantities, on the same texts in the same run."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks._measure import Figure, of
from benchmarks._peers import NotInstalled, Peer
from benchmarks._processes import ROOT
from benchmarks._scores import score
from benchmarks._texts import documents, text
from verifier.family import member, members

TITLE = "Extraction beside peers"
ABOUT = (
    "Every reader has a process and an environment of its own (under build/) and reads the same briefings of about 2 KB, one by one, which suits peers "
    "that slow down on longer texts; then one longer text as a whole. The ratio is its processor time to ours. "
    "Score: the labelled briefings of tests/gold, which were written for this project, so they flatter it; numbers found, numbers with unit, and "
    "those with form, direction and bound, in percent; precision is the share of its results that answer a label. "
    "Peers do not claim to find most of what is asked here: no factor, change or bound."
)
FAMILY, OURS = "benchmarks.peers", "verifier"
SHARED = ROOT.parent / "shared"  # labels and a scorer by others, where they lie beside the project


def measure(quick: bool) -> Iterator[Figure]:
    texts, long = documents(12 if quick else 40), [text(10_000 if quick else 50_000)]
    with ExitStack() as running:
        ours = running.enter_context(Peer(OURS, member(FAMILY, OURS)))
        for name in (OURS, *(n for n in members(FAMILY) if n != OURS)):
            try:
                peer = ours if name == OURS else running.enter_context(Peer(name, member(FAMILY, name)))
            except NotInstalled as error:
                yield Figure(name, more={"why not": str(error)})
                continue
            yield _beside(peer, ours, f"{len(texts)} briefings", texts, 3, {**_scored(peer), **_others(peer)})
            if peer is not ours:
                yield _beside(peer, ours, f"one text of {len(long[0].encode()) // 1000} KB", long, 1 if quick else 3, {})


def _beside(peer: Peer, ours: Peer, what: str, texts: list[str], rounds: int, more: dict[str, Any]) -> Figure:
    """In turns, after a turn that fills caches. Speed and memory beside the ratio."""
    taken = []
    for _ in range(rounds + 1):
        seconds, peak = peer.seconds(texts)
        taken.append((seconds, ours.seconds(texts)[0] if peer is not ours else seconds))
    figure = of(f"{peer.name.replace('_', '-')} {peer.version()}: {what}", OURS, taken[1:])
    size = sum(len(t.encode()) for t in texts)
    return replace(figure, more={"KB/s": round(size / 1000 / figure.seconds), "peak MB": round(peak), **more})


def _scored(peer: Peer) -> dict[str, Any]:
    got = score(peer.claims)
    return {"numbers %": got.numbers, "with unit %": got.units, "with form %": got.whole, "precision %": got.precision}


def _others(peer: Peer) -> dict[str, Any]:
    """What the scorer beside the project says of all its documents: tier 1, numbers with unit and the whole, in percent."""
    scorer, labels = SHARED / "tools" / "score.py", SHARED / "gold" / "claims"
    if not scorer.exists():
        return {}
    with TemporaryDirectory() as folder:
        for path in labels.glob("*.jsonl"):
            words = next(p for name in ("briefings", "corpus") for p in (SHARED / name).glob(f"{path.stem}.*")).read_text(encoding="utf-8")
            (Path(folder) / path.name).write_text("".join(json.dumps(c, ensure_ascii=False) + "\n" for c in peer.claims(words)), encoding="utf-8")
        said = subprocess.run((sys.executable, str(scorer), str(labels), folder), capture_output=True, text=True, check=True).stdout
    total = said.splitlines()[-1].split()
    return {"labels by others: with unit %": float(total[3]), "labels by others: with form %": float(total[4])}
