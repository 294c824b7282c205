"""Honest small timings: processor time, without the collector, which would walk all that the whole test process holds."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """The least processor time that the work took, in seconds, of several goes."""
    gc.collect()
    gc.disable()
    try:
        best = float("inf")
        for _ in range(times):
            started = time.process_time()
            work()
            best = min(best, time.process_time() - started)
        return best
    finally:
        gc.enable()
