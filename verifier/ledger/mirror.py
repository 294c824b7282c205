"""claims/ledger/D0188.jsonl: one event a line, made for git; whichever side is behind is caught up."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from verifier.errors import Diverged, LedgerError
from verifier.ledger import numbers
from verifier.ledger.events import content_id
from verifier.models import Event

MARKS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
# Both sides' lines are kept where branches meet: events carry what they follow, so their order in the file says nothing.
ATTRIBUTES = "ledger/*.jsonl text eol=lf merge=union\n"
IGNORE = "/ledger.db*\n"


class Line(NamedTuple):
    """An event and the line as written, which may hold fields of a newer program."""

    event: Event
    body: str


Stamp = tuple[int, int]  # a file's size and time of change in nanoseconds, by which it is known to be as it was
UNSURE: Stamp = (-1, -1)  # unlike any file, so that it is read again


class Mirror:
    """`known` has the files that hold nothing which the database lacks, as they were then."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.known: dict[str, Stamp] = {}
        self._lock = folder.parent / "ledger.db.lock"

    def path(self, number: str) -> Path:
        return self.folder / numbers.file_of(number)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One writer at a time on this machine: nobody mends a line that another is still writing. Raises OSError."""
        if not os.path.isdir(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            try:
                import fcntl

                fcntl.flock(handle, fcntl.LOCK_EX)
            except ImportError:  # pragma: no cover - Windows
                pass
            yield
        finally:
            os.close(handle)

    # ------------------------------------------------------------ who hands out numbers

    def allocator(self) -> dict[str, str] | None:
        """The database that hands out numbers: its identity and place; None where none has said so."""
        path = self.folder / "allocator.json"
        try:
            found = json.loads(path.read_bytes())
            return {"database": str(found["database"]), "place": str(found["place"])}
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            raise Diverged(
                f"{path}: does not name one database; after a merge keep one side, or make this database the one with `verify ledger assign --here`"
            ) from None

    def name_allocator(self, database: str, place: str, *, instead: bool = False) -> None:
        """Say which database hands out numbers; the first to say so stays, unless another is put `instead`."""
        path = self.folder / "allocator.json"
        try:
            with self.locked():
                if instead or not path.exists():
                    _replace(path, json.dumps({"database": database, "place": place}) + "\n")
                for name, text in ((".gitattributes", ATTRIBUTES), (".gitignore", IGNORE)):
                    with suppress(FileExistsError), (self.folder.parent / name).open("x", encoding="utf-8") as file:
                        file.write(text)
        except OSError as error:
            raise LedgerError(f"{self.folder}: the mirror cannot be written: {error.strerror}") from None

    # ------------------------------------------------------------ events

    def append(self, lines: Iterable[Line]) -> None:
        """Add events that the mirror does not have. The database is what survives a power cut, and gives lines back."""
        by_number: dict[str, list[Line]] = {}
        for line in lines:
            by_number.setdefault(line.event.number, []).append(line)
        try:
            with self.locked():
                for number, new in by_number.items():
                    self._extend(self.path(number), new)
        except OSError as error:
            raise LedgerError(f"recorded, but the mirror {self.folder} cannot be written: {error.strerror}; the next start mends it") from None

    def _extend(self, path: Path, new: Sequence[Line]) -> None:
        with path.open("a+b") as file:
            before, has = _stamp(os.fstat(file.fileno())), ""
            if before[0]:
                file.seek(0)
                has = file.read().decode("utf-8", "replace")
            if has and not has.endswith("\n"):
                self._mend(path, has)
                return self._extend(path, new)
            file.write("".join(line.body + "\n" for line in new if f'"id":"{line.event.id}"' not in has).encode())
            file.flush()
            after = _stamp(os.fstat(file.fileno()))
        self.known[path.name] = after if before[0] == 0 or self.known.get(path.name) == before else UNSURE

    def _mend(self, path: Path, text: str) -> str:
        """End a last line that lacks its newline, or drop it where a crash tore it: the database gives it back."""
        whole, _, torn = text.rpartition("\n")
        try:
            Event.model_validate_json(torn)
            text += "\n"
        except ValueError:
            text = whole + "\n" if whole else ""
        _replace(path, text)
        return text

    def stamps(self) -> dict[str, Stamp]:
        """The mirror's files as they are now."""
        try:
            with _entered(self.folder) as handle, os.scandir(handle) as entries:  # by handle: no path is walked for each of many files
                return {e.name: ((stat := e.stat()).st_size, stat.st_mtime_ns) for e in entries if e.name.endswith(".jsonl")}
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise LedgerError(f"{self.folder}: the mirror cannot be read: {error.strerror}") from None

    def lines(self, names: Iterable[str] | None = None) -> list[Line]:
        """The events of the files named, or of all. Raises Diverged or LedgerError naming file and line."""
        found: dict[str, Line] = {}
        if not self.folder.is_dir():
            return []
        try:
            with self.locked():
                for name in sorted(self.stamps() if names is None else names):
                    if (self.folder / name).exists():
                        found.update((line.event.id, line) for line in self._read(self.folder / name))
        except OSError as error:
            raise LedgerError(f"{self.folder}: the mirror cannot be read: {error.strerror}") from None
        return list(found.values())

    def _read(self, path: Path) -> Iterator[Line]:
        text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        if text and not text.endswith("\n"):
            text = self._mend(path, text)
        for number, body in enumerate(text.split("\n")[:-1], 1):
            if body.startswith(MARKS):
                raise Diverged(f"{path}:{number}: an unresolved merge; keep both sides' lines and remove the marks")
            try:
                event = Event.model_validate_json(body)
            except ValueError:
                raise LedgerError(f"{path}:{number}: not an event; restore the file from git") from None
            if content_id(body) != event.id:
                raise Diverged(f"{path}:{number}: event {event.id} was changed; restore it from git")
            if numbers.of_file(path.name) != event.number:
                raise Diverged(f"{path}:{number}: belongs to {event.number}; restore the file from git")
            yield Line(event, body)


@contextmanager
def _entered(folder: Path) -> Iterator[int | str]:
    """The folder's handle, or its name where the system lists no folder by handle."""
    if os.scandir not in os.supports_fd:
        yield str(folder)
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        yield handle
    finally:
        os.close(handle)


def _stamp(stat: os.stat_result) -> Stamp:
    return stat.st_size, stat.st_mtime_ns


def _replace(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    spare = path.with_suffix(".tmp")
    spare.write_bytes(text.encode())
    os.replace(spare, path)
