"""Only what a change adds or alters is judged."""

from __future__ import annotations

import pytest

from verifier.extract import extract
from verifier.gate._changes import added_or_altered
from verifier.gate._statements import marks, plain, statements
from verifier.read import read_text

BEFORE = """\
## Serving

- vLLM v0.28.0: 584 commits / 270 contributors
- Mooncake on agentic traffic: cache hit rate 1.7% → 92.2% (D191 待核)

The router holds 12,500 tok/s on H100 SXM at TP=4. Its P99 TTFT is 180 ms when the
prefix is shared, and the cache hit rate stays at 71.8%.

| engine | speedup |
|---|---|
| EAGLE | 2–4× |
"""


def changed(before, after):
    old, new = (statements(d, extract(d)) for d in (read_text(before), read_text(after)))
    return [c.statement.claim.text for c in added_or_altered(old, new, "D")]


@pytest.mark.parametrize(
    "name, after",
    {
        "moved": BEFORE.replace("- vLLM v0.28.0: 584 commits / 270 contributors\n", "") + "\n- vLLM v0.28.0: 584 commits / 270 contributors\n",
        "wrapped anew": BEFORE.replace("when the\nprefix", "when\nthe prefix"),
        "numbered": BEFORE.replace("- vLLM", "1. vLLM").replace("- Mooncake", "2. Mooncake"),
        "set in bold": BEFORE.replace("584 commits", "**584 commits**").replace("(D191", "（D191").replace("待核)", "待核）"),
        "separators dropped": BEFORE.replace("12,500", "12500"),
        "a column added": BEFORE.replace("| engine |", "| engine | check |")
        .replace("|---|---|", "|---|---|---|")
        .replace("EAGLE |", "EAGLE | one step |"),
        "heading renamed": BEFORE.replace("## Serving", "## Serving (engines)"),
    }.items(),
)
def test_other_layout_is_no_change(name, after):
    assert changed(BEFORE, after) == [], name


@pytest.mark.parametrize(
    "old, new, texts",
    [
        ("1.7% → 92.2%", "1.7% → 93.2%", {"1.7% → 93.2%"}),
        ("on agentic traffic", "on chat traffic", {"1.7% → 92.2%"}),
        (" (D191 待核)", "", {"1.7% → 92.2%"}),
        ("12,500 tok/s", "up to 12,500 tok/s", {"12,500 tok/s"}),
        ("at TP=4", "at TP=8", {"12,500 tok/s"}),
        ("P99 TTFT is", "P50 TTFT is", {"180 ms"}),
        ("stays at", "never stays at", {"71.8%"}),
    ],
)
def test_another_meaning_is_a_change(old, new, texts):
    assert old in BEFORE
    assert texts <= set(changed(BEFORE, BEFORE.replace(old, new)))


def test_a_copy_of_a_line_is_added():
    assert changed(BEFORE, BEFORE + "\n- vLLM v0.28.0: 584 commits / 270 contributors\n") == ["v0.28.0", "584 commits", "270 contributors"]


def test_the_same_line_under_a_heading_with_other_conditions_is_a_change():
    before = "## H100 SXM\n\n- vLLM throughput 900 tok/s\n\n## A100 SXM\n\n- none yet\n"
    after = "## H100 SXM\n\n- none yet\n\n## A100 SXM\n\n- vLLM throughput 900 tok/s\n"
    assert changed(before, after) == ["900 tok/s"]


def test_layout_is_taken_off():
    assert plain("- **16,200 tok/s**。") == plain("3. 16200  tok/s") == "16200tok/s"
    assert plain("198.3 tok/s") == "198.3tok/s"


def test_marks_name_records_also_in_ranges_and_provisional_ones():
    assert marks("（D188、D190-D192 待核）H100 D~3f9a 3D5 D1.5", "D") == ("D188", "D190", "D191", "D192", "D~3f9a")
