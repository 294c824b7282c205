"""A bar with count and time left while sources are asked; on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yields `step(done, of)`. The bar appears at the first step; without a terminal on standard error there is none."""
    with ExitStack() as shown:

        @cache
        def bar() -> Progress:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
            made = shown.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
            made.add_task(what, total=None)
            return made

        def step(done: int, of: int) -> None:
            if sys.stderr.isatty():
                bar().update(bar().task_ids[0], completed=done, total=of)

        yield step
