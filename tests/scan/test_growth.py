"""A corpus ten times as large costs the driver no more memory."""

from __future__ import annotations

import pytest

from benchmarks.measures.scan import TWO, scanned

SMALL, LARGE = 80, 800


@pytest.fixture(scope="module")
def scans(tmp_path_factory):
    """{documents: a scan by a pool}."""
    return {count: scanned(tmp_path_factory.mktemp(str(count)), count, TWO) for count in (SMALL, LARGE)}


def test_the_drivers_memory_stays_flat(scans):
    assert scans[LARGE].peak <= 1.15 * scans[SMALL].peak


def test_exactly_the_planted_contradictions_are_found(scans):
    assert [(s.found, s.unplanted) for s in scans.values()] == [(s.planted, 0) for s in scans.values()]
    assert scans[LARGE].planted == LARGE // 20
