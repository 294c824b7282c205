"""The gate is fast enough for a commit hook because it loads little."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from conftest import ROOT


def test_a_gate_on_a_ledger_in_step_loads_no_heavy_library(verify, example):
    verify("run", "briefing.md", "--offline", folder=example)
    (example / "sound.md").write_text("共享前缀负载下 P50 TTFT 从 480 ms 降至 95 ms\n", encoding="utf-8")
    time.sleep(0.2)  # files of a moment ago are read again, which needs the ledger's library
    env = {**os.environ, "PYTHONPATH": str(ROOT), "VERIFY_CACHE": str(example / "cache")}
    env.pop("VERIFY_LEDGER", None)
    for _ in range(3):
        done = subprocess.run([sys.executable, "-X", "importtime", "-m", "verifier", "gate", "sound.md"], cwd=example, env=env, capture_output=True)
        assert done.returncode == 0, done.stdout
        loaded = {line.rsplit("|", 1)[1].strip() for line in done.stderr.decode().splitlines() if line.startswith("import time:")}
    heavy = {"sqlalchemy", "pint", "pandas", "httpx", "tenacity", "yaml", "numpy", "dask"}
    assert loaded & heavy == set()
