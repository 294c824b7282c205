from __future__ import annotations

import pytest

from verifier.sources import _token


@pytest.fixture(autouse=True)
def nobodys_gh(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test asks the `gh` of whoever runs it."""
    monkeypatch.setattr(_token, "HOME", "https://api.github.example")
