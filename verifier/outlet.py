"""Standard output and error that outlive their readers, so that an exit code always tells the verdict."""

from __future__ import annotations

import io
import os
import sys
from typing import Any

from verifier.errors import UsageError


class Outlet(io.FileIO):
    """A file descriptor that drops what nobody takes any more: a reader that went away is no error, a full disk is one at the end."""

    def __init__(self, descriptor: int):
        super().__init__(descriptor, "w", closefd=False)
        self.failed: OSError | None = None

    def write(self, data: Any) -> int:
        try:
            return super().write(data) or 0
        except BrokenPipeError:
            pass
        except OSError as error:
            self.failed = error
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
        return len(data)


def install() -> None:
    """Let this process write through outlets; what the terminal cannot show is escaped. A closed stream takes all and keeps nothing."""
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - as long as the process
            continue
        through = io.BufferedWriter(Outlet(descriptor))
        setattr(sys, name, io.TextIOWrapper(through, stream.encoding, "backslashreplace", line_buffering=stream.line_buffering))


def close() -> None:
    """Write out what is left. Raises UsageError where standard output could not take it all."""
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    if isinstance(raw, Outlet) and raw.failed:
        failed, raw.failed = raw.failed, None
        raise UsageError(f"standard output: {failed.strerror}, so the answer is not whole; what was recorded is kept, give it room and ask again")
