"""What is scanned: folders, globs, fsspec URLs and Parquet tables of texts, listed as a stream in one order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier.errors import UsageError

TEXTS = (".md", ".markdown", ".txt", ".rst", ".html", ".htm")
TABLE = ".parquet"
MAGIC = re.compile(r"[*?\[]")
TEXT_COLUMNS, NAME_COLUMNS = ("text", "content", "body", "markdown"), ("name", "path", "document", "url", "id")


@dataclass(frozen=True)
class File:
    """A file that may be read: `url` as fsspec takes it, `name` as claims call it, `stamp` changes when it changes."""

    url: str
    name: str
    size: int
    stamp: str


@dataclass(frozen=True)
class Place:
    """One argument: a file, a folder or a glob on one file system."""

    fs: Any
    path: str
    glob: re.Pattern[str] | None = None
    one: bool = False

    def holds(self, path: str) -> bool:
        """Whether `files` gives this path."""
        if self.one or self.glob:
            return bool(self.glob.fullmatch(path)) if self.glob else path == self.path
        return path.startswith(self.path.rstrip("/") + "/") and path.lower().endswith((*TEXTS, TABLE))

    def files(self, outside: Iterable[str]) -> Iterator[dict[str, Any]]:
        """fsspec's details of every file, folder by folder in order of name, without what lies under `outside`."""
        if self.one:
            yield self.fs.info(self.path)
            return
        waiting = [self.path]
        while waiting:
            folder = waiting.pop()
            below = sorted(self.fs.ls(folder, detail=True), key=lambda entry: str(entry["name"]))
            self.fs.invalidate_cache(folder)
            folders = [e["name"] for e in below if e["type"] == "directory" and not e["name"].rsplit("/", 1)[-1].startswith(".")]
            waiting += [f for f in reversed(folders) if f not in outside and f != folder]
            yield from (e for e in below if e["type"] == "file" and self.holds(e["name"]))


def place(given: str) -> Place:
    """Raises UsageError for what is not there or cannot be reached."""
    import fsspec

    try:
        fs, path = fsspec.core.url_to_fs(given)
        if found := MAGIC.search(path):
            top = path[: found.start()].rpartition("/")[0] or "/"
            return Place(fs, top, glob=_pattern(path))
        if fs.isdir(path):
            return Place(fs, path)
        if fs.isfile(path):
            return Place(fs, path, one=True)
    except (ImportError, ValueError) as error:
        raise UsageError(f"{given}: {error}") from None
    except OSError as error:
        raise UsageError(f"{given}: cannot be reached ({error})") from None
    raise UsageError(f"{given}: no such file or folder; check the name")


def _pattern(path: str) -> re.Pattern[str]:
    """`**/` stands for any folders, `*` and `?` for what is inside a name."""
    out, at = "", 0
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    for found in re.finditer(r"\*\*/|\*\*|\*|\?|\[!?[^\]]+\]", path):
        out += re.escape(path[at : found.start()]) + words.get(found[0], found[0].replace("[!", "[^"))
        at = found.end()
    return re.compile(out + re.escape(path[at:]))


def files(places: list[Place], root: Path, outside: Iterable[str]) -> Iterator[File]:
    """Every file once, in the order of the arguments and of the names below each."""
    outside = frozenset(outside)
    for number, here in enumerate(places):
        before = [p for p in places[:number] if p.fs.protocol == here.fs.protocol]
        try:
            for entry in here.files(outside):
                path = str(entry["name"])
                if not any(p.holds(path) for p in before):
                    stamp = entry.get("mtime") or entry.get("ETag") or entry.get("etag") or entry.get("updated") or entry.get("LastModified") or ""
                    yield File(here.fs.unstrip_protocol(path), _name(here.fs, path, root), int(entry.get("size") or 0), str(stamp))
        except OSError as error:
            raise UsageError(f"{here.path}: cannot be listed ({error})") from None


def _name(fs: Any, path: str, root: Path) -> str:
    if "file" not in ((fs.protocol,) if isinstance(fs.protocol, str) else fs.protocol):
        return str(fs.unstrip_protocol(path))
    return Path(path).relative_to(root).as_posix() if Path(path).is_relative_to(root) else path


@dataclass(frozen=True)
class Table:
    """Rows `start` to `stop` of one row group; a slice is what one part reads."""

    file: File
    group: int
    start: int
    stop: int
    text: str
    named: str | None


def slices(file: File, text: str | None, named: str | None, rows: int) -> Iterator[Table]:
    """A table in slices of `rows`. Raises UsageError for one without texts."""
    import fsspec
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with fsspec.open(file.url) as handle:
            meta = pq.read_metadata(handle)
    except (pa.ArrowInvalid, OSError) as error:
        raise UsageError(f"{file.name}: not a Parquet table ({error})") from None
    columns = meta.schema.to_arrow_schema()
    text, named = _column(file, columns, text, TEXT_COLUMNS, "--text-column"), _column(file, columns, named, NAME_COLUMNS, None)
    assert text is not None
    for group in range(meta.num_row_groups):
        count = meta.row_group(group).num_rows
        for start in range(0, count, rows):
            yield Table(file, group, start, min(start + rows, count), text, named)


def _column(file: File, columns: Any, given: str | None, usual: tuple[str, ...], flag: str | None) -> str | None:
    if given and given not in columns.names:
        raise UsageError(f"{file.name}: has no column {given!r}; it has {', '.join(columns.names)}")
    found = given or next((c for c in usual if c in columns.names), None)
    if found is None and flag:
        raise UsageError(f"{file.name}: none of its columns ({', '.join(columns.names)}) is known to hold texts; name one with {flag}")
    return found
