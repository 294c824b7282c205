"""Upper bounds that the stated hardware, model and precision set, each with its working and with what it assumed.

They are bounds, never estimates: where several boards are meant the best counts, and what is not stated is taken as
the most favourable that data sheets allow. A bound that would need a guess is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from verifier.models import Claim, Condition
from verifier.normalize import Board, boards, quantities

Name = Literal["decode_stream", "aggregate", "prefill", "compute", "bandwidth", "memory"]
BITS = {"FP32": 32, "TF32": 32, "FP16": 16, "BF16": 16, "FP8": 8, "MXFP8": 8, "INT8": 8, "FP6": 6, "MXFP6": 6, "FP4": 4, "MXFP4": 4, "NVFP4": 4, "NF4": 4,
        "INT4": 4, "AWQ": 4, "GPTQ": 4, "INT2": 2}  # fmt: skip
RUNS_AS = {"MXFP8": "FP8", "MXFP6": "FP6", "MXFP4": "FP4", "NVFP4": "FP4"}
MIXED = re.compile(r"W(\d+)A(\d+)")
SIZE = re.compile(r"(?<![A-Za-z\d.])(\d+(?:\.\d+)?)\s?B(?![a-z])", re.I)
ACTIVE = re.compile(r"(?<![A-Za-z\d])A(\d+(?:\.\d+)?)B(?![a-z])", re.I)
SPLIT = ("tensor_parallel", "pipeline_parallel", "data_parallel")


CHINESE = (
    ("do not fit in", "放不进"),
    (" fit in ", " 放得进 "),
    ("dense TFLOPS", "稠密 TFLOPS"),
    ("byte/second", "字节/秒"),
    ("operation/second", "次运算/秒"),
)


def chinese(working: str) -> str:
    """A limit's working with its few words in Chinese."""
    for english, word in CHINESE:
        working = working.replace(english, word)
    return working


class Limit(NamedTuple):
    """At most `value` `unit` (base units); for `memory` the least that the weights take, against what is there."""

    name: Name
    value: float
    unit: str
    working: str
    assumed: tuple[str, ...]


class Roofline(NamedTuple):
    """The limits that could be set, and what was missing for the others."""

    limits: tuple[Limit, ...]
    missing: tuple[str, ...]

    def get(self, name: Name) -> Limit | None:
        return next((limit for limit in self.limits if limit.name == name), None)


class Excess(NamedTuple):
    """A claim beyond a limit by `by` times."""

    limit: Limit
    by: float
    working: str


class _Setup(NamedTuple):
    boards: tuple[Board, ...]
    parts: int | None
    total: float | None
    active: float | None
    weight_bits: int | None
    format: str | None
    assumed: tuple[str, ...]


def roofline(conditions: Mapping[str, Condition]) -> Roofline:
    """The limits of one stated configuration."""
    setup = _setup({name: c.value for name, c in conditions.items()})
    missing = [name for name, there in (("accelerator", setup.boards), ("accelerator_count", setup.parts), ("model", setup.active),
                                        ("precision", setup.weight_bits)) if not there]  # fmt: skip
    limits = [limit for limit in (_bandwidth(setup), _compute(setup), _stream(setup), *_tokens(setup), _memory(setup)) if limit]
    return Roofline(tuple(limits), tuple(missing))


def beyond(claim: Claim) -> Excess | None:
    """The limit that a claim breaks; None where none is broken or none could be set. The rounding and `about` are in the claim's favour."""
    found = quantities(claim)
    wanted = _limit_for(claim)
    if not found or wanted is None or claim.bound == "max" and claim.form != "value":
        return None
    limit = roofline(claim.conditions).get(wanted)
    least = min(q.low for q in found[-1:]) * (0.9 if claim.approx else 1.0)
    if limit is None or limit.unit != found[-1].unit or least <= limit.value:
        return None
    return Excess(limit, least / limit.value, f"{claim.text} > {limit.value:.4g} {limit.unit}: {limit.working}")


def _limit_for(claim: Claim) -> Name | None:
    """Which limit a claim is held against."""
    if claim.form not in ("value", "range") or claim.metric in ("price", "cost_saving"):
        return None
    alone = {claim.conditions[n].value for n in ("concurrency", "batch_size") if n in claim.conditions} == {"1"}
    measures: dict[str, Name] = {
        "token/s": "decode_stream" if alone else "aggregate", "TFLOPS": "compute", "PFLOPS": "compute", "GFLOPS": "compute",
        "GB/s": "bandwidth", "TB/s": "bandwidth",
    }  # fmt: skip
    return measures.get(claim.unit)


def _setup(said: Mapping[str, str]) -> _Setup:
    assumed = []
    memory = re.match(r"\d+", said.get("accelerator_memory", ""))
    form = said.get("accelerator_form_factor")
    found = boards(said.get("accelerator", ""), form if form and "vs" not in form and "/" not in form else None, float(memory[0]) if memory else None)
    if len({b.form_factor for b in found}) > 1:
        assumed.append(f"the best form of {said['accelerator']}, as none is stated")
    count = _count(said)
    if count and "accelerator_count" not in said:
        assumed.append(f"{count} accelerators, from the parallelism")
    model, precision = said.get("model", ""), said.get("precision", "").upper()
    total = float(size[1]) * 1e9 if (size := SIZE.search(ACTIVE.sub("", model))) else None
    active = float(part[1]) * 1e9 if (part := ACTIVE.search(model)) else total
    mixed = MIXED.search(precision)
    bits = int(mixed[1]) if mixed else BITS.get(precision)
    kind = {"16": "FP16", "8": "FP8", "4": "FP4"}.get(mixed[2]) if mixed else RUNS_AS.get(precision, precision)
    return _Setup(found, count, total, active, bits, "FP16" if kind in ("AWQ", "GPTQ", "NF4") else kind or None, tuple(assumed))


def _count(said: Mapping[str, str]) -> int | None:
    if (written := said.get("accelerator_count", "")).isdigit():
        return int(written)
    sizes = [int(said[n]) for n in SPLIT if said.get(n, "").isdigit()]
    product = 1
    for size in sizes:
        product *= size
    return product if sizes else None


def _best(setup: _Setup, attribute: Literal["bandwidth", "memory"]) -> float | None:
    return max((v for b in setup.boards if (v := getattr(b, attribute)) is not None), default=None)


def _peak(setup: _Setup) -> tuple[float, str] | None:
    """The highest dense peak in the stated precision (FP8 stands for INT8 and the other way round); in any where none is stated."""
    names = {setup.format, *(("INT8", "FP8") if setup.format in ("INT8", "FP8") else ())} if setup.format else None
    peaks = [(value, kind) for b in setup.boards for kind, value in b.peak.items() if names is None or kind in names]
    return max(peaks, key=lambda p: (p[0], p[1] == setup.format), default=None)


def _each(setup: _Setup, count: int | None) -> tuple[str, ...]:
    return setup.assumed if count else (*setup.assumed, "one accelerator, as no number of them is stated")


def _bandwidth(setup: _Setup) -> Limit | None:
    best = _best(setup, "bandwidth")
    if best is None:
        return None
    count = setup.parts or 1
    return Limit("bandwidth", best * 1e12 * count, "byte/second", f"{count} × {best:g} TB/s", _each(setup, setup.parts))


def _compute(setup: _Setup) -> Limit | None:
    peak = _peak(setup)
    if peak is None:
        return None
    count = setup.parts or 1
    return Limit("compute", peak[0] * 1e12 * count, "operation/second", f"{count} × {peak[0]:g} dense TFLOPS ({peak[1]})", _each(setup, setup.parts))


def _stream(setup: _Setup) -> Limit | None:
    """One stream reads every active weight once a token."""
    best = _best(setup, "bandwidth")
    if best is None or setup.active is None or setup.weight_bits is None or setup.parts is None:
        return None
    size = setup.active * setup.weight_bits / 8
    working = f"{setup.parts} × {best:g} TB/s / ({setup.active / 1e9:g}B × {setup.weight_bits} bit)"
    return Limit("decode_stream", setup.parts * best * 1e12 / size, "token/second", working, (*setup.assumed, "no speculative decoding"))


def _tokens(setup: _Setup) -> list[Limit]:
    """A token takes two operations a parameter, in prefill and in decode."""
    peak = _peak(setup)
    if peak is None or setup.active is None or setup.parts is None or setup.format is None:
        return []
    value = setup.parts * peak[0] * 1e12 / (2 * setup.active)
    working = f"{setup.parts} × {peak[0]:g} dense TFLOPS ({peak[1]}) / (2 × {setup.active / 1e9:g}B)"
    cached = "no token of a prompt comes from a cache"
    return [
        Limit("aggregate", value, "token/second", working, (*setup.assumed, cached)),
        Limit("prefill", value, "token/second", working, (*setup.assumed, cached)),
    ]


def _memory(setup: _Setup) -> Limit | None:
    """What the weights take; they fit where it is no more than there is."""
    best = _best(setup, "memory")
    if best is None or setup.total is None or setup.weight_bits is None or setup.parts is None:
        return None
    need, there = setup.total * setup.weight_bits / 8, setup.parts * best * 1e9
    fits = "fit" if need <= there else "do not fit"
    working = f"{setup.total / 1e9:g}B × {setup.weight_bits} bit = {need / 1e9:g} GB {fits} in {setup.parts} × {best:g} GB"
    return Limit("memory", need, "byte", working, setup.assumed)
