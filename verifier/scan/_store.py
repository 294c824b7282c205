"""Where a scan writes: a folder or an fsspec URL; each file appears whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

CLAIMS, FINDINGS, DOCUMENTS, KEYS, CONTRADICTIONS, DONE = "claims", "findings", "documents", "keys", "contradictions", "done"
TABLES = (CLAIMS, FINDINGS, DOCUMENTS, KEYS)


class Store:
    """`put` and `get` by kind and name."""

    def __init__(self, url: str) -> None:
        import fsspec

        self.fs, self.path = fsspec.core.url_to_fs(url)
        self.local = Path(self.path) if "file" in self.fs.protocol else None

    def where(self, kind: str, name: str) -> str:
        return f"{self.path}/{kind}/{name}.{'json' if kind == DONE else 'parquet'}"

    def put(self, kind: str, name: str, data: bytes) -> None:
        self._write(self.where(kind, name), data)

    def put_json(self, name: str, value: Any) -> None:
        self._write(f"{self.path}/{name}.json", json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1).encode())

    def get_json(self, name: str) -> Any:
        """What stands in a JSON file; None where there is none, or a torn one."""
        try:
            return json.loads(self.fs.cat_file(f"{self.path}/{name}.json"))
        except (OSError, ValueError):
            return None

    def names(self, kind: str) -> list[str]:
        """Names of a kind in order."""
        folder = f"{self.path}/{kind}"
        self.fs.invalidate_cache(folder)
        if not self.fs.isdir(folder):
            return []
        found = (str(n).rsplit("/", 1)[-1] for n in self.fs.ls(folder, detail=False))
        return sorted(n.rpartition(".")[0] for n in found if not n.startswith("."))

    def drop(self, kind: str, name: str) -> None:
        if self.fs.exists(self.where(kind, name)):
            self.fs.rm_file(self.where(kind, name))

    def _write(self, path: str, data: bytes) -> None:
        if self.local is None:
            self.fs.pipe_file(path, data)  # an object store shows an object when all of it is there
            return
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.parent / f".{target.name}.{os.getpid()}"
        draft.write_bytes(data)
        draft.replace(target)
