"""One corpus, many ways to do it, one result."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pyarrow.parquet as pq
from conftest import ROOT

from tests.scan.conftest import SIZE, tables
from verifier import scan as scanning


def test_every_planted_contradiction_is_found_and_no_other(corpus, scan):
    folder, planted = corpus
    _, _, out = scan(folder / "texts", "--processes", "1")
    found = [{(loc.document.rsplit("/", 1)[-1], loc.text) for loc in f.locations} for f in scanning.contradictions(str(out))]
    wanted = [{(p.first.rsplit("/", 1)[-1], p.figures[0]), (p.second.rsplit("/", 1)[-1], p.figures[1])} for p in planted]
    assert len(found) == len(wanted) and all(any(w <= f for f in found) for w in wanted)


def test_a_pool_and_dask_write_the_same_bytes_as_one_process(corpus, scan):
    folder, _ = corpus
    one, pool, dask = (tables(scan(folder / "texts", *how, out=how[0] + how[1])[2]) for how in WAYS)
    assert len(one) > 16 and one == pool == dask


WAYS = (("--processes", "1"), ("--processes", "2"), ("--workers", "2"))


def test_documents_that_fail_are_recorded_and_the_others_are_done(corpus, scan):
    folder, _ = corpus
    done, summary, out = scan(folder / "texts", "--processes", "1")
    rows = pq.read_table(out / "documents").to_pylist()
    assert done.returncode == 0 and len(rows) == summary["documents"] == SIZE
    assert sum(r["error"] is not None for r in rows) == summary["failed"] > 0
    assert summary["failures"][0]["error"] == "is a PNG image, not text; give its text"


def test_strict_says_that_not_everything_could_be_checked(corpus, scan):
    assert scan(corpus[0] / "texts", "--processes", "1", "--strict")[0].returncode == 3


def test_a_second_scan_does_no_part_again(corpus, scan):
    folder, _ = corpus
    _, first, out = scan(folder / "texts", "--processes", "1")
    before = {p: p.stat().st_mtime_ns for p in (out / "claims").iterdir()}
    _, second, _ = scan(folder / "texts", "--processes", "1")
    assert (first["again"], second["again"]) == (0, first["parts"])
    assert before == {p: p.stat().st_mtime_ns for p in (out / "claims").iterdir()}


def test_a_changed_document_costs_its_part_alone(corpus, scan, tmp_path):
    shutil.copytree(corpus[0] / "texts", tmp_path / "texts")
    _, first, _ = scan(tmp_path / "texts", "--processes", "1")
    (tmp_path / "texts" / "0000" / "0000005.md").write_text("vLLM 吞吐 3,412 tok/s\n")
    _, second, _ = scan(tmp_path / "texts", "--processes", "1")
    assert second["again"] == first["parts"] - 1 and first["parts"] > 1


def test_a_table_of_texts_has_the_contradictions_of_the_files(corpus, scan):
    folder, planted = corpus
    _, summary, _ = scan(folder / "texts.parquet", "--processes", "1")
    assert (summary["documents"], summary["contradictions"]) == (SIZE, len(planted))


def test_a_glob_takes_what_it_names(corpus, scan):
    assert scan(f"{corpus[0]}/texts/**/*1.md", "--processes", "1")[1]["documents"] == SIZE // 10


def test_a_url_is_a_path_like_others(corpus, scan):
    assert scan(f"file://{corpus[0]}/texts", "--processes", "1")[1]["documents"] == SIZE


def test_a_file_named_twice_is_scanned_once(corpus, scan):
    folder = corpus[0] / "texts"
    assert scan(folder, folder / "0000" / "0000001.md", "--processes", "1")[1]["documents"] == SIZE


def test_a_path_that_is_not_there_is_a_usage_error(scan, tmp_path):
    done, summary, _ = scan(tmp_path / "nowhere")
    assert done.returncode == 2 and "no such file or folder" in summary["error"]


def test_killing_a_process_of_the_pool_changes_nothing(corpus, scan, tmp_path):
    folder, _ = corpus
    whole = tables(scan(folder / "texts", "--processes", "1", out="whole")[2])
    assert _killed(folder, tmp_path / "killed", "--processes") == 0
    assert tables(tmp_path / "killed") == whole


def test_killing_a_dask_worker_changes_nothing(corpus, scan, tmp_path):
    folder, _ = corpus
    whole = tables(scan(folder / "texts", "--processes", "1", out="whole")[2])
    assert _killed(folder, tmp_path / "killed", "--workers") == 0
    assert tables(tmp_path / "killed") == whole


def _killed(folder, out, how: str) -> int:
    """Scan with two workers, of which the one that works is killed in the middle; the exit code."""
    command = [sys.executable, "-m", "verifier", "scan", str(folder / "texts"), "--out", str(out), how, "2"]
    running = subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=out.parent, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    until, killed = time.monotonic() + 60, False
    while not killed and time.monotonic() < until and running.poll() is None:
        below = psutil.Process(running.pid).children(recursive=True)
        busy = [p for p in below if p.is_running() and (out / "scan.json").exists() and sum(p.cpu_times()[:2]) > 1.2]
        leaf = [p for p in busy if not p.children()]
        if leaf:
            os.kill(leaf[0].pid, signal.SIGKILL)
            killed = True
        time.sleep(0.02)
    assert killed
    return running.wait(timeout=90)
