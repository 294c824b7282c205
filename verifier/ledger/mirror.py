"""claims/ledger/D0188.jsonl: one event a line, made for git; whichever side is behind is caught up."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from verifier.errors import Diverged, LedgerError
from verifier.ledger.events import content_id
from verifier.models import Event


class Line(NamedTuple):
    """An event and the line as written, which may hold fields of a newer program."""

    event: Event
    body: str


class Mirror:
    def __init__(self, folder: Path):
        self.folder = folder

    def path(self, number: str) -> Path:
        parts = re.fullmatch(r"(\D+)(\d+)", number)
        if parts is None:
            raise LedgerError(f"{number}: not a record's number; such as D188")
        return self.folder / f"{parts[1]}{int(parts[2]):04d}.jsonl"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One writer at a time on this machine: nobody mends a line that another is still writing."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.folder.parent / "ledger.db.lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise LedgerError(f"{self.folder}: the mirror cannot be written: {error.strerror}") from None
        try:
            try:
                import fcntl

                fcntl.flock(handle, fcntl.LOCK_EX)
            except ImportError:  # pragma: no cover - Windows
                pass
            yield
        finally:
            os.close(handle)

    def append(self, lines: Iterable[Line]) -> None:
        """Add events that the mirror does not have; each line is written whole and synced."""
        by_path: dict[Path, list[Line]] = {}
        for line in lines:
            by_path.setdefault(self.path(line.event.number), []).append(line)
        with self.locked():
            try:
                for path, new in by_path.items():
                    self._extend(path, new)
            except OSError as error:
                raise LedgerError(f"recorded, but the mirror {self.folder} cannot be written: {error.strerror}; the next start mends it") from None

    def _extend(self, path: Path, new: list[Line]) -> None:
        has = path.read_text(encoding="utf-8") if path.exists() else ""
        if has and not has.endswith("\n"):
            has = self._mend(path, has)
        text = "".join(line.body + "\n" for line in new if f'"id":"{line.event.id}"' not in has)
        with path.open("ab") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())

    def _mend(self, path: Path, text: str) -> str:
        """End a last line that lacks its newline, or drop it where a crash tore it: the database gives it back."""
        whole, _, torn = text.rpartition("\n")
        try:
            Event.model_validate_json(torn)
            text += "\n"
        except ValueError:
            text = whole + "\n" if whole else ""
        spare = path.with_suffix(".tmp")
        spare.write_bytes(text.encode())
        os.replace(spare, path)
        return text

    def lines(self) -> list[Line]:
        """All mirrored events, file by file in order. Raises Diverged or LedgerError naming file and line."""
        found: dict[str, Line] = {}
        if not self.folder.is_dir():
            return []
        with self.locked():
            for path in sorted(self.folder.glob("*.jsonl")):
                found.update((line.event.id, line) for line in self._read(path))
        return list(found.values())

    def _read(self, path: Path) -> Iterator[Line]:
        text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        if text and not text.endswith("\n"):
            text = self._mend(path, text)
        for number, body in enumerate(text.split("\n")[:-1], 1):
            if body.startswith(("<<<<<<<", "=======", ">>>>>>>", "|||||||")):
                raise Diverged(f"{path}:{number}: an unresolved merge; keep both sides' lines and remove the marks")
            try:
                event = Event.model_validate_json(body)
            except ValueError:
                raise LedgerError(f"{path}:{number}: not an event; restore the file from git") from None
            if content_id(body) != event.id:
                raise Diverged(f"{path}:{number}: event {event.id} was changed; restore it from git")
            if self.path(event.number) != path:
                raise Diverged(f"{path}:{number}: belongs to {event.number}; restore the file from git")
            yield Line(event, body)
