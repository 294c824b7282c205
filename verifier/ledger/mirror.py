"""claims/ledger/D0188.jsonl: one event a line, made for git; whichever side is behind is caught up."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from verifier.errors import Diverged, LedgerError
from verifier.models import Event, to_json


class Mirror:
    def __init__(self, folder: Path):
        self.folder = folder

    def path(self, number: str) -> Path:
        series, digits = re.fullmatch(r"(\D+)(\d+)", number).groups()  # type: ignore[union-attr]
        return self.folder / f"{series}{int(digits):04d}.jsonl"

    def append(self, event: Event) -> None:
        """Add one event; the line is written whole and synced, a torn last line is mended at the next start."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.path(event.number).open("a", encoding="utf-8") as file:
            file.write(to_json(event) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def events(self) -> list[Event]:
        """All mirrored events, file by file in order. Raises LedgerError naming file and line of a broken one."""
        found: list[Event] = []
        for path in sorted(self.folder.glob("*.jsonl")):
            lines = path.read_text(encoding="utf-8").split("\n")
            whole, torn = lines[:-1], lines[-1]
            if torn:  # a crash in the middle of a write: the database has the event and gives it back
                path.write_text("".join(line + "\n" for line in whole), encoding="utf-8")
            for number, line in enumerate(whole, 1):
                if line.startswith(("<<<<<<<", "=======", ">>>>>>>")):
                    raise Diverged(f"{path}:{number}: an unresolved merge; keep both sides' lines and remove the marks")
                try:
                    found.append(Event.model_validate(json.loads(line)))
                except ValueError:
                    raise LedgerError(f"{path}:{number}: not an event; restore the file from git") from None
        return found
