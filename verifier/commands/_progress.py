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


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """Yields `step(done)` for work whose end is not known: count, rate and time. Without a terminal there is none."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.completed:,.0f} {task.description}"), TextColumn("{task.fields[rate]}"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, rate="")

        def step(done: int) -> None:
            took = bar.tasks[0].elapsed or 0.0
            bar.update(task, completed=done, rate=f"{done / took:,.0f} a second" if took else "")

        yield step
