"""Where and with what a result was made."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil

import verifier

LIBRARIES = ("pydantic", "sqlalchemy", "markdown-it-py", "pyahocorasick", "pint", "pandas", "pyarrow", "dask")


def machine() -> dict[str, Any]:
    """Processor, cores, memory, system and versions; no name and no place of the machine."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 1e9),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "libraries": {name: _version(name) for name in LIBRARIES},
    }


def taken() -> dict[str, Any]:
    """When, at which state of the project, and how busy the machine was beside it."""
    return {"day": datetime.now(UTC).date().isoformat(), "verifier": verifier.__version__, "commit": _commit(), "load": round(os.getloadavg()[0], 1)}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor() or "unknown")


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _commit() -> str | None:
    try:
        return (
            subprocess.run(("git", "rev-parse", "--short", "HEAD"), cwd=Path(__file__).parent, capture_output=True, text=True).stdout.strip() or None
        )
    except OSError:
        return None
