"""A clock that only sleeping moves, and a scripted transport."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from verifier.models import Look
from verifier.settings import Settings
from verifier.sources import EvidenceStore, fetch

START = datetime(2026, 9, 27, 8, 0, tzinfo=UTC)
R = httpx.Response
Step = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


class FakeClock:
    def __init__(self, start: datetime = START) -> None:
        self.moment, self.slept = start, list[float]()

    def now(self) -> datetime:
        return self.moment

    def tick(self) -> float:
        return self.moment.timestamp()

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.moment += timedelta(seconds=seconds)


class Script:
    """Answers in order; the last one for ever."""

    def __init__(self, *steps: Step) -> None:
        self.steps, self.requests = list(steps), list[httpx.Request]()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        if isinstance(step, Exception):
            raise step
        if isinstance(step, httpx.Response):
            return httpx.Response(step.status_code, headers=step.headers, content=step.content)
        return step(request)


def go(root: Path, citations: list[str], script: Script, clock: FakeClock | None = None, **options: Any) -> list[Look]:
    clock = clock or FakeClock()
    settings = options.pop("settings", Settings(root=root))
    return fetch(
        citations,
        EvidenceStore(root),
        settings=settings,
        budget=options.pop("budget", 120.0),
        now=clock.now,
        sleep=clock.sleep,
        tick=clock.tick,
        transport=httpx.MockTransport(script),
        **options,
    )
