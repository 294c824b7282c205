"""What the data sheets say of an accelerator (rules/lexicon/accelerators.yaml), as far as a claim fixes which one it is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from verifier.lexicon import load

FORM = {"PCIE": "PCIe"}


class Board(NamedTuple):
    """One part in one form with one memory; None and {} for what the data sheet does not say."""

    part: str
    form_factor: str | None
    memory: float | None
    memory_type: str | None
    bandwidth: float | None
    peak: Mapping[str, float]
    source: str


@lru_cache(maxsize=256)
def boards(part: str, form_factor: str | None = None, memory: float | None = None, memory_type: str | None = None) -> tuple[Board, ...]:
    """The boards that a name, and what is stated beside it, may mean; none for an unknown part."""
    entry = load().entry("accelerator", part)
    forms = dict(entry.get("form_factors") or {})
    found = [_board(part, form, facts, entry) for form, facts in forms.items()]
    found += [_board(part, o["form_factor"], {**forms.get(o["form_factor"], {}), **o}, entry) for o in entry.get("others", ())]
    if "whole" in entry:
        found.append(_board(part, None, entry["whole"], entry))
    stated = form_factor and FORM.get(form_factor.upper(), form_factor)
    kept = [b for b in found if stated is None or b.form_factor is None or b.form_factor.startswith(stated) or stated.startswith(b.form_factor)]
    kept = [b for b in kept if memory is None or b.memory is None or b.memory == memory]
    return tuple(b for b in kept if memory_type is None or b.memory_type is None or b.memory_type.upper() == memory_type.upper())


def _board(part: str, form: str | None, facts: Mapping[str, object], entry: Mapping[str, object]) -> Board:
    def number(name: str) -> float | None:
        value = facts.get(name)
        return float(value) if isinstance(value, int | float) else None

    peak = facts.get("peak") or {}
    assert isinstance(peak, Mapping)
    kind = facts.get("memory_type")
    return Board(
        part,
        form,
        number("memory"),
        str(kind) if kind else None,
        number("bandwidth"),
        {k: float(v) for k, v in peak.items()},
        str(entry.get("source", "")),
    )


def implied(part: str, form_factor: str | None, memory: float | None, memory_type: str | None = None) -> dict[str, str]:
    """The form factor and the memory that need not be stated, because the part exists in one only, or in one with such a memory."""
    found = boards(part, form_factor, memory, memory_type)
    forms, sizes = {b.form_factor for b in found}, {b.memory for b in found}
    out = {}
    if len(forms) == 1 and (form := forms.pop()):
        out["accelerator_form_factor"] = form
    if len(sizes) == 1 and (size := sizes.pop()):
        out["accelerator_memory"] = f"{size:g}GB"
    return out
