"""Bytes to text: refused, read with a warning, or read."""

from __future__ import annotations

import codecs
import random

import pytest

from verifier.errors import UsageError
from verifier.read import decode, read

TEXT = "这是一份简报：吞吐 3.8 倍，命中率 92.2%。\n"


@pytest.mark.parametrize(
    "mark, encoding",
    [
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_marked_utf16_and_utf32_are_read_with_a_warning(mark, encoding):
    text, warnings = decode(mark + TEXT.encode(encoding), "a.md")
    assert text == TEXT
    assert [encoding[:6].upper() in w for w in warnings] == [True]


def test_a_utf8_mark_is_no_part_of_the_text():
    assert decode(codecs.BOM_UTF8 + TEXT.encode(), "a.md") == (TEXT, ())


def test_gb18030_is_named_with_the_command_that_converts_it():
    with pytest.raises(UsageError, match=r"a\.md: .*GB18030.*iconv"):
        decode(TEXT.encode("gb18030"), "a.md")


def test_random_bytes_are_no_briefing():
    with pytest.raises(UsageError, match="not UTF-8 text"):
        decode(random.Random(1).randbytes(4000), "a.md")


@pytest.mark.parametrize("data, says", [(b"hit rate 92.2% \x00 at 3.8x\n", "NUL"), (b"hit rate 92.2% \xff at 3.8x\n", "not valid UTF-8")])
def test_a_few_broken_bytes_are_read_with_one_warning(data, says):
    document = read(data, "a.md")
    assert [says in w for w in document.warnings] == [True]
    assert "92.2%" in document.text and "\x00" not in document.text


def test_line_ends_of_other_systems_are_plain():
    assert decode(b"a 1%\r\nb 2%\rc 3%\n", "a.md")[0] == "a 1%\nb 2%\nc 3%\n"
