from __future__ import annotations

import subprocess
import sys
import time
from datetime import date
from pathlib import Path

from verifier.models import Look
from verifier.sources import EvidenceStore, latest
from verifier.sources._store import file_name


def look(outcome: str, at: str, citation: str = "github:a/b@v1") -> Look:
    return Look.model_validate({"citation": citation, "url": "", "outcome": outcome, "fetched_at": at})


def test_append_only_in_order_of_time(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path)
    found, failed = look("found", "2026-09-01T00:00:00+00:00"), look("failed", "2026-09-03T00:00:00+00:00")
    store.append(failed)
    store.append(found)
    assert store.looks(found.citation) == (found, failed)
    assert latest(store.looks(found.citation)) == found
    assert store.as_of([found.citation, "arxiv:2609.00001"], date(2026, 9, 2)) == {
        found.citation: (found, failed),
        "arxiv:2609.00001": (),
    }
    assert (tmp_path / "claims/evidence/github_a_b_v1.jsonl").read_text().count("\n") == 2


def test_a_torn_line_loses_only_itself(tmp_path: Path) -> None:
    store, one = EvidenceStore(tmp_path), look("found", "2026-09-01T00:00:00+00:00")
    store.append(one)
    path = store.folder / file_name(one.citation)
    path.write_text(path.read_text() + '{"citation": "gith')
    store.append(one)
    assert store.looks(one.citation) == (one, one)


def test_a_citation_cannot_leave_the_folder() -> None:
    assert file_name("github:../../etc/x@\0") == "github_.._.._etc_x_%00.jsonl"


def test_importing_sources_loads_no_client() -> None:
    code = "import sys, verifier.sources; sys.exit(bool({'httpx', 'tenacity', 'defusedxml'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


ASK = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from verifier.sources import _http
_http.ARXIV_SPACING = 0.3
clock = _http.Clock(lambda: datetime.now(UTC))
with _http.one_at_a_time(_http.FileLock(Path(sys.argv[1])), clock, lambda: 20.0):
    print(time.time(), flush=True)
    time.sleep(0.05)
"""


def test_processes_take_turns(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ASK, str(tmp_path / "claims" / "arxiv.lock")]
    started = time.time()
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    times = sorted(float(process.communicate(timeout=60)[0]) for process in running)
    assert times[0] >= started
    assert all(later - earlier >= 0.3 for earlier, later in zip(times, times[1:], strict=False))
