"""Write a worked example of each published type into docs/schema/examples, from a run over examples/ (`make docs`)."""

from __future__ import annotations

import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from verifier import pipeline
from verifier.extract.compose import numbers
from verifier.ledger import Ledger
from verifier.models import PUBLISHED, Model
from verifier.read.outline import outline
from verifier.settings import load
from verifier.sources import EvidenceStore, citations

HERE = Path(__file__).parent
WHEN = datetime(2026, 10, 2, 1, 0, tzinfo=UTC)


def worked() -> dict[str, Model]:
    """One instance of each type; the run is cut to its first findings, the structure as it is."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(shutil.copytree(HERE.parents[1] / "examples", Path(folder) / "examples"))
        settings = load(root)
        outcome = pipeline.run(str(root / "briefing.md"), settings=settings, actor="ann", now=WHEN)
        finding = next(f for f in outcome.run.findings if f.verdict == "fail" and f.discrepancy)
        looks = EvidenceStore(root).as_of(citations(outcome.document, outcome.claims), pipeline.day(outcome.document, None))
        with Ledger.open(root, None, settings.series) as ledger:
            record = ledger.get(str(finding.discrepancy))
        made: dict[str, Model] = {
            "claim": next(c for c in outcome.claims if c.id in finding.claims),
            "finding": finding,
            "discrepancy": record,
            "event": record.events[0],
            "look": next(look for found in looks.values() for look in found if look.outcome == "found"),
            "number": next(n for n in numbers(outcome.document.text) if "%" in n.text),
            "run": outcome.run.model_copy(update={"findings": outcome.run.findings[:2]}),
            "structure": outline(outcome.document),
        }
        return {name: made[name] for name in PUBLISHED}


def text(one: Model) -> str:
    return one.model_dump_json(by_alias=True, indent=2) + "\n"


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for name, one in worked().items():
        (out / f"{name}.json").write_text(text(one), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "examples")
