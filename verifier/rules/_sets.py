"""The sets that a briefing keeps: papers by standing (new, carried, adjacent), files that were read."""

from __future__ import annotations

import re
from typing import NamedTuple

from verifier.models import Location
from verifier.rules._base import Context

ID = re.compile(r"(?<![\d.])\d{4}\.\d{4,5}(?![\d.]*\d)")
CLASSES = {"new": ("new", "新增"), "adjacent": ("adjacent", "邻接"), "carried": ("carried over", "沿用")}
GROUPS = (("adjacent", r"邻接|adjacent"), ("new", r"新增|NET-new|\bnew\b"), ("carried", r"续用|沿用|承接|carried"))
SOURCE = re.compile(r"(?:^|\s-\s)[^\w\n]*(?P<path>(?:[\w.-]+[/ ])+(?P<file>[\w.\-]+\.(?:md|txt|pdf|html)))")


class IdList(NamedTuple):
    """arXiv ids that a document lists under one label; `places` says where each stands."""

    group: str
    label: str
    places: dict[str, Location]


def _group(label: str) -> str:
    label = re.sub(r"0\s*个新\S*|无新\S*", "", label)
    return next((group for group, words in GROUPS if re.search(words, label, re.I)), "")


def id_lists(context: Context) -> list[IdList]:
    """Lists of papers: behind a label and a colon in one block, or one at the beginning of each line of a section."""
    found: list[IdList] = []
    rows: dict[str, dict[str, Location]] = {}
    for block in context.document.blocks:
        lead = ID.match(block.text.lstrip(" |•-*"))
        if lead and block.section:
            at = block.start + block.text.index(lead[0])
            rows.setdefault(block.section[-1], {}).setdefault(lead[0], context.at(at, at + len(lead[0])))
            continue
        label, colon, body = block.text.partition("：")
        if not colon or len(label) > 80 or not re.search(r"arXiv|论文|paper", label, re.I):
            continue
        begin = block.start + len(label) + 1
        places: dict[str, Location] = {}
        for mark in ID.finditer(body):
            if re.search(r"(?:^|[-+、,，·]|沿用|锚定的)\s*(?:arXiv:)?$", body[max(0, mark.start() - 12) : mark.start()]):
                places.setdefault(mark[0], context.at(begin + mark.start(), begin + mark.end()))
        if len(places) >= 2:
            found.append(IdList(_group(label), label.strip(), places))
    found.extend(IdList(_group(section), section, places) for section, places in rows.items() if "arXiv" in section or "论文" in section)
    return found


Files = dict[str, list[tuple[Location, bool]]]


def source_lists(context: Context) -> list[Files]:
    """{file: (place, whether the whole file is meant)} of each chapter that lists five files or more of one folder."""
    chapters: dict[str, dict[str, Files]] = {}
    for block in context.document.blocks:
        if not block.section or block.kind == "code":
            continue
        for mark in SOURCE.finditer(block.text):
            root = re.split(r"[/ ]", mark["path"])[0]
            files = chapters.setdefault(block.section[0], {}).setdefault(root, {})
            whole = re.match(r"\s*(?:[（(|]|$)", block.text[mark.end() :]) is not None  # else a part: `notes.md §3 …`
            files.setdefault(mark["file"], []).append((context.at(block.start + mark.start("path"), block.start + mark.end()), whole))
    return [files for roots in chapters.values() for files in roots.values() if len(files) >= 5]
