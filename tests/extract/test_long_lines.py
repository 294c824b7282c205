"""A line of any length and any content takes time in proportion to its length, from the file to its claims."""

from __future__ import annotations

import pytest

from tests._timing import seconds
from verifier.extract import extract
from verifier.read import read_text

LINES = {
    "prose": "On H100 SXM with vLLM 0.6.3 throughput rose from 1,200 to 3,400 tok/s (2.8x), while TTFT P99 fell by 46% compared to TGI. ",
    "prose without an end": "On H100 SXM with vLLM 0.6.3 throughput rose to 3,400 tok/s and TTFT P99 fell by 46% compared to TGI, ",
    "Chinese": "在 H100 上，SGLang 的吞吐达到 3,400 tok/s，较 vLLM 提升 3.2 倍，P99 延迟从 120 ms 降至 45 ms（降低 62%）；",
    "amounts": "7 GB ",
    "percentages": "5% ",
    "opponents": "3x vs ",
    "digits": "9",
    "separators": "1,",
    "brackets": "[(5% {6x (",
    "closed brackets": "(5%) ",
    "right to left": "זמן 45 ms שיפור 3x ",
    "marks of direction": "\u202e45 ms\u202c ",
    "broken bytes": "\ufffd5%",
    "NUL": "\x005%",
    "punctuation": ".,;:!?-/()[]。；",
    "emphasis": "**5%** ",
    "bars": "| 5% ",
    "blanks": " ",
    "tags": "<td>5%",
    "lists": "分别 5% 和 ",
    "names": "Llama-3.1-70B on 8x H100 TP=4 FP8 ",
}


def claims(text: str) -> int:
    return len(extract(read_text(text)))


@pytest.mark.parametrize("piece", LINES.values(), ids=LINES)
def test_four_times_the_line_takes_about_four_times_as_long(piece):
    short, long = (f"a {piece * (size // len(piece))}5%" for size in (5_000, 20_000))
    assert seconds(lambda: claims(long), 1) < 9 * seconds(lambda: claims(short), 2) + 0.1


@pytest.mark.parametrize("piece", ["a", "9", " ", "x\x00", "(", "…"])
def test_a_line_of_ten_million_characters_ends(piece):
    text = f"a {piece * (10_000_000 // len(piece))} 5%"
    assert seconds(lambda: claims(text), 1) < 60


def test_many_rows_of_a_table_take_time_as_they_are_many():
    head = "| engine | A | B | speedup |\n|---|---|---|---|\n"
    short, long = (head + "| vLLM | 12 ms | 4 ms | 3.0x |\n" * size for size in (100, 400))
    assert seconds(lambda: claims(long), 1) < 9 * seconds(lambda: claims(short), 2) + 0.1
