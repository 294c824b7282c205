"""One JSON object a file and line, as `docs/schema/run.json` publishes it."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.models import Run, to_json


def render(runs: Sequence[Run], lang: str = "en") -> str:
    return "".join(to_json(run) + "\n" for run in runs)
