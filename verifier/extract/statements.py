"""What a stretch of text states of a test's conditions: each mention with its place, before anyone asks whose it is.

One automaton finds the words of rules/lexicon/conditions.yaml; a small pattern anchored at each hit reads the value.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from verifier.lexicon import Lexicon, Name, rules_dir, table


class Mention(NamedTuple):
    """`name` is a condition (or a part of a workload: `requests`, `shape`, `tokens`); `value` its canonical writing."""

    start: int
    end: int
    name: str
    value: str


AMOUNT = (
    r"((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?\s?[kK]?(?![\w.]*\d*[x×%倍])(?:\s?[-–~]\s?\d[\d,]*[kK]?)?(?:\s?[/、]\s?\d[\d,]*[kK]?(?![\d.]*[\w%]))*)"
)
AFTER_WORD = re.compile(rf"`?\s?(?:sizes?|of|is|为|是|由)?\s{{0,2}}\\?[=:：]?\s{{0,2}}(?:up to |~|约)?{AMOUNT}(?![A-Za-z%])")
BEFORE_WORD = re.compile(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?\s?[kK万]?)[\s-]?$")
FLAG_VALUE = re.compile(r"[= ]\s*[\"']?([\w./:-]+)")
WRITTEN_BOTH = re.compile(
    r"(?:ISL\s?/\s?OSL|input\s?/\s?output(?: (?:tokens?|lengths?|len))?|输入\s?/\s?输出(?:长度)?)\s?(?:[=:：为]|of)?\s{0,2}(\d+[kK]?)\s?/\s?(\d+[kK]?)"
    r"|(?<![\w.,/])(\d+[kK]?)[ -]?(?:in|input|输入)(?: tokens?)?\s?[/,+、]\s?(\d+[kK]?)[ -]?(?:out|output|输出)"
    r"|(?<![\w.,/])(\d[\d,]*[kK]?)[ -](?:input|prompt)(?: tokens?)? (?:and|&|plus) (\d[\d,]*[kK]?)[ -](?:output|generated|completion)(?: tokens?)?"
    r"|(?<![\w.,/])(\d+[kK])/(\d+[kK])(?![\w/])",
    re.I,
)
# what stands in each writing of both lengths: WRITTEN_BOTH is tried around it
BOTH = ("isl/osl", "input/output", "输入/输出", "in/", "in /", " input and", "-input and", " prompt and", "-prompt and", " input tokens and", "输入/", "输入 /", "k/")  # fmt: skip
SPLIT = re.compile(r"(?<![\w.])(\d+)P\s?\+?\s?(\d+)D(?![\w])")
COUNT_BEFORE = re.compile(
    r"(?<![\d.,\w])(\d{1,5})\s?(?:[x×*]\s?|-GPU |-card |张|块|卡|个|颗|片)?\s?(?:GPUs? )?(?:NVIDIA |AMD |Intel |Huawei |Instinct |Tesla |HGX |华为)*$"
)
SINGLE = re.compile(r"(?:单卡|单张|一张|\b(?:a |one )?single)\s?(?:NVIDIA |AMD |华为)?$", re.I)
COUNT_AFTER = re.compile(
    r"(?:[ -]?\d{2,3}\s?GB)?(?:[ -]?(?:SXM\d?|PCIe|NVL|OAM))?\s?(?:[x×*]\s?(\d{1,5})(?![\d.]|\s?[x×%倍])|\((\d{1,5})\s?[x×]\))", re.I
)
MEMORY = re.compile(r"(?:[ -]?(?:SXM\d?|PCIe|NVL|OAM))?[ -]{0,2}[(（]?(\d{2,3})\s?(?:GB|G)(?![A-Za-z/])", re.I)
VERSION = re.compile(
    r"(?:==|[ :：]{1,2}|[（(]| 版本 ?| version )v?(\d+\.(?:\d+|x)(?:\.\d+)*(?:\.?(?:post|rc|dev)\d+)?)(?![\d%]|\.\d|\s?(?:[x×倍%]|tok|ms\b|s\b|GB|req))"
)
FAMILY = re.compile(
    r"(?:[A-Za-z]{0,2}\d[\w.]*)?(?: V?\d+(?:\.\d+)?(?= \d+(?:\.\d+)?[BM]\b|-)| \d\.\d(?![\d%]|\s?(?:[x×倍%]|tok|ms|s\b|GB))| [A-Z]\d+(?:\.\d+)?(?![\w.]))?"
    r"(?:[-_](?!series)[A-Za-z0-9.]+){0,8}(?:[ -]\d+(?:\.\d+)?[BbMT](?![A-Za-z0-9]))?(?:[-_][A-Za-z0-9.]+){0,6}",
    re.ASCII,
)
TOKEN = re.compile(r"[A-Za-z0-9._-]+", re.ASCII)
SIZED = re.compile(r"[A-Za-z][\w.]*(?:-[\w.]+)*-\d+(?:\.\d+)?[bB](?:-[\w.]+)*|[a-z]+\d?[\w.]*-\d+[bB]", re.ASCII)
FILE = re.compile(r"\.(?:png|svg|jpe?g|gif|webp|pdf|html?|md|txt|json|csv|ya?ml|gguf|bin)$", re.I)
SIZE = re.compile(r"\d+(?:\.\d+)?B")
COUNTED = re.compile(r"[- ]?(?:param|参数|token|/|parameter)", re.I)
MIXED = re.compile(r"(?:w\d{1,2}a\d{1,2}(?:kv\d{1,2}|c\d{1,2})?|k\d{1,2}v\d{1,2}|q\d_(?:k_[sml]|k|\d))(?![a-z0-9])", re.I)
EXTRA = re.compile(r"_?(?:e\dm\d\w{0,4})?(?![A-Za-z0-9])", re.I)
KV_BEFORE = re.compile(r"kv[ _-]?(?:cache)?[ _-]?(?:d?type)?\s{0,2}[=:：]?\s{0,2}$", re.I)
KV_AFTER = re.compile(r"[ -]?kv(?![a-z])", re.I)
BENCH = re.compile(r"[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)?-?(?:Bench|Eval|QA)(?![a-z])")
DAILY = re.compile(r"日均\s?\d[\d,.]*\s?[万亿]?\s?次?(?:调用|请求)|\d[\d,.]*\s?[MBk]? (?:calls|requests) (?:a|per) day")
QUANTIZED = re.compile(r"(?<![\w-])([A-Z][A-Za-z]*(?:Quant|Q)|[A-Z]{3,6})\s?(?:量化|quantization|quantized)")
DULL = frozenset(("PTQ", "QAT", "KV", "GPU", "CPU", "LLM", "MOE", "HBM", "API", "MLA", "GQA", "MHA"))
DATE = re.compile(
    r"(?:[（(](?:stable |截至 ?|发布于 ?|测于 ?|as of )?|(?:as of|截至|截止|since) ?)(20\d\d-(?:0[1-9]|1[0-2])(?:-[0-3]\d)?|20\d\d[- ]?Q[1-4]|20\d\d ?年 ?\d{1,2} ?月)(?![\w-]*/)",
    re.I,
)
CHAIN = re.compile(r"\s?(?:/|、|\+|×|\bvs\.?|和|与|或|\bor\b|\band\b|&|（|\()\s?")
LISTED = frozenset(("precision", "kv_precision", "engine", "accelerator_form_factor", "model", "workload"))
PRECISION_NAMES = {"FLOAT16": "FP16", "BFLOAT16": "BF16"}
SERVED = re.compile(r"(?:\bserve\s+|launch_server\s+[^\n]*?--model-path\s+|--model(?:-path)?[ =])[\"']?(?:[\w.-]+/)?([A-Za-z][\w.-]+)")
STEM = re.compile(r"[A-Z][a-zA-Z]+-?\d+(?:\.\d+)?(?=[-_])")
SPOKEN = re.compile(r"([A-Z](?<![\w/.-][A-Z])[A-Za-z]*\d[\w.]*)(?:-series)?\**\s(?:models?\b|模型)|([A-Z](?<![\w/.-][A-Z])[A-Za-z]*\d[\w.-]*)模型")


@lru_cache(maxsize=1)
def words() -> dict[str, dict[str, list[str]]]:
    """rules/lexicon/conditions.yaml: {condition: {before, after, flags, values, heads}}."""
    data = table(rules_dir() / "lexicon" / "conditions.yaml")
    return {name: {how: [str(w) for w in written] for how, written in entry.items()} for name, entry in data.items()}


@lru_cache(maxsize=1)
def heads() -> dict[str, str]:
    """{a table head in lower case: the condition whose value stands in its column}."""
    return {w.lower(): name for name, entry in words().items() for how in ("before", "heads") for w in entry.get(how, ())}


class Statements:
    """Finds mentions; knows the lexicon's model families and the models that one document serves."""

    def __init__(self, lexicon: Lexicon, text: str = "", roles: tuple[str | None, ...] = (None,)):
        """`roles`: which entries of engines.yaml count as engines; those without a role serve models."""
        self._lexicon, self._roles = lexicon, roles
        self._automaton = _automaton(lexicon)
        served = {m[1].rstrip(".-") for m in SERVED.finditer(text)} if "--model" in text or "serve " in text else set()
        spoken = {m[1] or m[2] for m in SPOKEN.finditer(text)} if "odel" in text or "模型" in text else set()
        stems = {m[0] for w in served if (m := STEM.match(w))}
        learned = [w for w in served | spoken | stems if len(w) > 2 and not w.isdigit() and not self._known(w)]
        names = "|".join(re.escape(w) for w in sorted(learned, key=len, reverse=True))
        self._learned = re.compile(rf"(?<![\w/.-])(?:{names})(?:-(?!series)[A-Za-z0-9.]+)*(?![\w])", re.ASCII) if learned else None

    def _known(self, word: str) -> bool:
        """Whether a word already means something else, such as a part or a number format."""
        taken = any(n.kind != "project" and len(n.text) == len(word) for n in self._lexicon.names(word))
        return taken or word.upper() in words()["precision"]["values"] or bool(MIXED.fullmatch(word))

    def find(self, text: str, names: list[Name]) -> list[Mention]:
        """Mentions in order of place; of overlapping ones of a name the longest; lists (`INT8/INT4`) joined."""
        found = [*self._named(text, names), *self._worded(text)]
        if self._learned:
            found += [Mention(m.start(), m.start() + len(m[0].rstrip(".")), "model", m[0].rstrip(".")) for m in self._learned.finditer(text)]
        if "20" in text:
            found += [Mention(m.start(1), m.end(1), "as_of", m[1]) for m in DATE.finditer(text)]
        parts = [(m.start, m.end) for m in found if m.name in ("accelerator", "engine")]
        found = [m for m in found if m.name != "model" or not any(a <= m.start < b for a, b in parts)]
        found.sort(key=lambda m: (m.start, -m.end))
        return _joined(text, _longest(found))

    def _named(self, text: str, names: list[Name]) -> Iterator[Mention]:
        for name in names:
            start, end = name.start, name.end
            if name.kind == "accelerator":
                yield Mention(start, end, "accelerator", name.canonical)
                before = COUNT_BEFORE.search(text, max(0, start - 30), start)
                if before and not text[: before.start()].endswith(("vs ", "over ", "than ")):
                    yield Mention(before.start(1), start, "accelerator_count", before[1])
                elif SINGLE.search(text[max(0, start - 20) : start]):
                    yield Mention(start - 1, start, "accelerator_count", "1")
                elif after := COUNT_AFTER.match(text, end):
                    yield Mention(end, after.end(), "accelerator_count", after[1] or after[2])
                if memory := MEMORY.match(text, end):
                    yield Mention(memory.start(1), memory.end(), "accelerator_memory", f"{memory[1]}GB")
            elif name.kind == "engine" and self._lexicon.entry("engine", name.canonical).get("role") in self._roles:
                yield Mention(start, end, "engine", name.canonical)
                if version := VERSION.match(text, end):
                    yield Mention(version.start(1), version.end(1), "engine_version", version[1])
            elif name.kind == "workload":
                kernel = self._lexicon.entry("workload", name.canonical).get("role") == "kernel"
                latin = any(c.isascii() and c.isalpha() for c in name.text)  # one name in each language
                yield Mention(start, end, "kernel" if kernel else "workload", name.canonical if latin else name.text)

    def _worded(self, text: str) -> Iterator[Mention]:
        lower = text.lower()
        if len(lower) != len(text):
            lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
        for last, (length, meanings) in self._automaton.iter(lower):
            start, end = last + 1 - length, last + 1
            for how, name in meanings:
                yield from READERS[how](text, start, end, name)


@lru_cache(maxsize=4)
def _automaton(lexicon: Lexicon) -> Any:
    import ahocorasick

    written: dict[str, set[tuple[str, str]]] = {}
    for name, entry in words().items():
        for how in ("before", "after", "flags", "values"):
            for word in entry.get(how, ()):
                written.setdefault(word.lower(), set()).add((how, name))
    for family in lexicon.written("model"):
        written.setdefault(family.lower(), set()).add(("family", "model"))
    for digit in "0123456789":
        written.setdefault(f"{digit}b", set()).add(("sized", "model"))
        for mixed in "wkq":
            written.setdefault(f"{mixed}{digit}", set()).add(("mixed", "precision"))
    for word in BOTH:
        written.setdefault(word, set()).add(("both", "tokens"))
    written.setdefault("d)", set()).add(("split", "accelerator_count"))
    for word in ("bench", "eval"):
        written.setdefault(word, set()).add(("bench", "workload"))
    for word in ("日均", " day"):
        written.setdefault(word, set()).add(("daily", "requests"))
    for word in ("quantiz", "量化"):
        written.setdefault(word, set()).add(("quantized", "precision"))
    automaton = ahocorasick.Automaton()
    for word, meanings in written.items():
        automaton.add_word(word, (len(word), tuple(sorted(meanings))))
    automaton.make_automaton()
    return automaton


def _bounded(text: str, start: int, end: int) -> bool:
    """Only ASCII letters and digits continue a word: `\\b` fails beside Chinese."""
    left = (
        start
        and text[start].isascii()
        and text[start].isalnum()
        and text[start - 1].isascii()
        and (text[start - 1].isalnum() or text[start - 1] == "_")
    )
    return not left and not (text[end - 1].isascii() and text[end - 1].isalpha() and text[end : end + 1].isascii() and text[end : end + 1].isalpha())


def _before(text: str, start: int, end: int, name: str) -> Iterator[Mention]:
    """`TP=4`, `batch size 64`, `并发: 32`."""
    if _bounded(text, start, end) and (found := AFTER_WORD.match(text, end)):
        if text[start - 1 : start] in "-+" and text[start:end].islower():
            return
        written = text[start : found.end()].replace("\\", "")
        yield Mention(start, found.end(), name, written if name == "requests" else _amount(found[1]))
        if name in ("input_tokens", "output_tokens"):
            yield Mention(start, found.end(), "tokens", written)


def _after(text: str, start: int, end: int, name: str) -> Iterator[Mention]:
    """`8-way tensor parallel`, `32 并发`, `12 GPUs`."""
    if text[end - 1].isascii() and text[end : end + 1].isascii() and text[end : end + 1].isalpha():
        return
    if found := BEFORE_WORD.search(text, max(0, start - 14), start):
        if name == "requests" and ("." in found[1] or re.match(r"\s?(?:/|per\b|a\b|each\b)", text[end : end + 5])):
            return
        value = text[found.start() : end] if name == "requests" else _amount(found[1])
        if name == "accelerator_count" and (re.match(r"\s?[小时hH]|-h", text[end : end + 3]) or not value.isdigit()):
            return
        yield Mention(found.start(), end, name, value)
        if name == "number_of_nodes" and text[start:end].endswith("节点"):
            yield Mention(found.start(), end, "scale", f"{value} 节点集群")
        elif name == "number_of_nodes":
            yield Mention(found.start(), end, "scale", f"{value}-node cluster")


def _flag(text: str, start: int, end: int, name: str) -> Iterator[Mention]:
    """`--tensor-parallel-size 8`."""
    before = text[start - 1 : start] if start else " "
    if (before.isspace() or before in "`\"'(") and (found := FLAG_VALUE.match(text, end)):
        value = found[1].rsplit("/", 1)[-1].rstrip(".:")
        if not value.isdigit() and name not in ("model", "precision", "kv_precision"):
            return
        value = _format(value) if "precision" in name else value
        if value != "auto":
            yield Mention(start, found.end(), name, value)


def _value(text: str, start: int, end: int, name: str) -> Iterator[Mention]:
    """`FP8`, `SXM5`, `NVLink`."""
    if not _bounded(text, start, end):
        return
    if name == "precision":
        if (rest := EXTRA.match(text, end)) is None:
            return
        yield from _precise(text, start, rest.end(), text[start:end])
    elif text[end : end + 1].isdigit():
        return
    elif name == "accelerator_form_factor":
        if text[start:end].upper().startswith("PC") and not re.search(
            r"(?:\d|GB|SXM\d?|OAM)(?:[ -]|\s?(?:/|vs\.?|和|与|或|or)\s?)$", text[max(0, start - 12) : start]
        ):
            return
        value = text[start:end].upper().replace("-", "")
        yield Mention(start, end, name, "PCIe" if value.startswith("PC") else value if value.startswith("NVL") else value[:3])
    else:
        yield Mention(start, end, name, text[start:end])


def _precise(text: str, start: int, end: int, written: str) -> Iterator[Mention]:
    about_kv = KV_BEFORE.search(text[max(0, start - 20) : start]) or KV_AFTER.match(text, end)
    yield Mention(start, end, "kv_precision" if about_kv else "precision", _format(written))


def _mixed(text: str, start: int, end: int, name: str) -> Iterator[Mention]:
    """`W4A8KV4`, `K4V2`, `Q4_K_M`."""
    if (start == 0 or not (text[start - 1].isascii() and text[start - 1].isalnum())) and (found := MIXED.match(text, start)):
        yield Mention(start, found.end(), "precision" if found[0][0] not in "kK" else "kv_precision", found[0].upper())
        if kv := re.search(r"kv\d+$", found[0], re.I):
            yield Mention(start + kv.start(), found.end(), "kv_precision", kv[0].upper())


def _family(text: str, start: int, end: int, name: str) -> Iterator[Mention]:
    """A model's whole name from its family on: `Llama-3.1 70B`, `Qwen3-30B-A3B`."""
    if start and text[start - 1].isascii() and (text[start - 1].isalnum() or text[start - 1] in "_-"):
        return
    found = FAMILY.match(text, end)
    stop = found.end() if found else end
    while text[stop - 1] in ".-_":
        stop -= 1
    following = text[stop : stop + 1]
    if (
        not (following.isascii() and (following.isalnum() or following == "_"))
        and text[stop : stop + 1 + end - start].lower() != "/" + text[start:end].lower()
    ):
        yield Mention(start, stop, name, text[start:stop])


def _sized(text: str, start: int, end: int, name: str) -> Iterator[Mention]:
    """A name with a size in it, of whatever family, or a size alone: `internlm2-chat-7b`, `70B`."""
    if text[end : end + 1].isascii() and text[end : end + 1].isalnum():
        return
    left = start
    while left and start - left < 60 and text[left - 1].isascii() and (text[left - 1].isalnum() or text[left - 1] in "._-"):
        left -= 1
    found = TOKEN.match(text, left)
    if found is None:
        return
    if FILE.search(word := found[0].rstrip("._-")):
        return
    if SIZED.fullmatch(word):
        yield Mention(left, left + len(word), name, word)
    elif SIZE.fullmatch(word) and not COUNTED.match(text, end) and text[left - 1 : left] not in ("$", "×", "~", "约"):
        yield Mention(left, end, name, word)


def _both(text: str, start: int, end: int, name: str) -> Iterator[Mention]:
    """`ISL/OSL 1024/1024`, `1024 in/1024 out`, `1K/8K`."""
    for found in WRITTEN_BOTH.finditer(text, max(0, start - 8), min(len(text), end + 40)):
        into, out = (g for g in found.groups() if g)
        yield Mention(found.start(), found.end(), "input_tokens", _amount(into))
        yield Mention(found.start(), found.end(), "output_tokens", _amount(out))
        yield Mention(found.start(), found.end(), "tokens", found[0])
        return


def _split(text: str, start: int, end: int, name: str) -> Iterator[Mention]:
    """`12 GPUs (1P1D)`: how prefill and decode share the accelerators."""
    for found in SPLIT.finditer(text, max(0, start - 8), end):
        yield Mention(found.start(), found.end(), "tokens", found[0])


def _bench(text: str, start: int, end: int, name: str) -> Iterator[Mention]:
    """`InferenceBench`: the field names its benchmarks alike."""
    for found in BENCH.finditer(text, max(0, start - 40), min(len(text), end + 1)):
        if found.start() < start and found.end() >= end:
            yield Mention(found.start(), found.end(), name, found[0])


def _daily(text: str, start: int, end: int, name: str) -> Iterator[Mention]:
    for found in DAILY.finditer(text, max(0, start - 30), min(len(text), end + 20)):
        yield Mention(found.start(), found.end(), name, found[0])
        return


def _quantized(text: str, start: int, end: int, name: str) -> Iterator[Mention]:
    """`AWQ 量化`: the method before the word."""
    for found in QUANTIZED.finditer(text, max(0, start - 20), min(len(text), end + 8)):
        if found[1] not in DULL:
            yield Mention(found.start(1), found.end(1), name, found[1])


READERS = {
    "before": _before, "after": _after, "flags": _flag, "values": _value, "mixed": _mixed, "family": _family, "sized": _sized,
    "both": _both, "split": _split, "bench": _bench, "daily": _daily, "quantized": _quantized,
}  # fmt: skip


def _amount(written: str) -> str:
    return re.sub(r"(?<=\d)\s(?=[kK])|,|\s", "", written).replace("k", "K").replace("–", "-").replace("~", "-")


def _format(written: str) -> str:
    """A number format's one name; a method's own spelling."""
    upper = re.sub(r"[_-].*$", "", written).upper()
    return PRECISION_NAMES.get(upper, upper) if upper in words()["precision"]["values"] or upper in PRECISION_NAMES else written


def _longest(found: Iterable[Mention]) -> list[Mention]:
    kept: dict[str, Mention] = {}
    out = []
    for mention in found:
        last = kept.get(mention.name)
        if last is None or mention.start >= last.end:
            kept[mention.name] = mention
            out.append(mention)
    return out


def _joined(text: str, found: list[Mention]) -> list[Mention]:
    """A list without numbers between its members is one value: `INT8/INT4`, `SXM vs PCIe`, `vLLM × Mooncake`."""
    out: list[Mention] = []
    last: dict[str, int] = {}
    for mention in found:
        at = last.get(mention.name) if mention.name in LISTED else None
        gap = text[out[at].end : mention.start] if at is not None else ""
        versus = "vs" in gap
        if (
            at is not None
            and mention.value not in out[at].value
            and CHAIN.fullmatch(gap)
            and (not versus or mention.name == "accelerator_form_factor")
        ):
            join = " vs " if versus else "/"
            out[at] = Mention(out[at].start, mention.end, mention.name, f"{out[at].value}{join}{mention.value}")
        else:
            last[mention.name] = len(out)
            out.append(mention)
    return out


def within(found: list[Mention], start: int, end: int) -> list[Mention]:
    """Those that begin in a stretch."""
    left = bisect_left(found, start, key=lambda m: m.start)
    return found[left : bisect_left(found, end, lo=left, key=lambda m: m.start)]
