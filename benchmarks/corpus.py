"""A corpus of briefings made from a seed, of any size, with known claims and contradictions planted at known places.

    python -m benchmarks.corpus FOLDER --documents 1000 [--seed 7] [--parquet]

Document `n` depends on the seed and `n` alone, so a corpus is made as a stream. A figure is worked out from what it is about
(`_figure`), so two documents that speak of one thing agree, unless a contradiction was planted. Also writes `truth.jsonl`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ENGINES = ("vLLM", "SGLang", "LMDeploy", "TensorRT-LLM")
MODELS = ("Llama-3.1-70B", "Llama-3.1-8B", "Qwen3-30B", "Qwen3-32B", "DeepSeek-R1", "DeepSeek-V3")
PARTS = (("H100", "SXM", "80GB"), ("A100", "SXM", "80GB"), ("H200", "SXM", "141GB"))
PROSE = (
    "调度器先看队列长度再看缓存，长请求不再挤掉短请求，写手在两个班次里各看了一遍日志。",
    "The router keeps sessions on the replica that holds their prefix, and falls back when that replica is busy.",
    "这一段沿用上一份简报的说法，只改了措辞，没有新的测量，读者不必重新核对。",
    "Operators asked whether the gain survives a mixed load; nobody has measured it yet, so the question stays open.",
    "权重按层加载，冷启动的时间主要花在读盘上，网络并不是瓶颈，后续再看是否值得预热。",
)
EVERY, COPY, JUNK, BINARY = 20, 25, 25, 100  # one document in so many plants, copies, is junk, cannot be read


class Fact(NamedTuple):
    """One sentence of a document: the figure as written, its metric and unit."""

    sentence: str
    figure: str
    metric: str
    unit: str


class Planted(NamedTuple):
    """A contradiction between document `first` and document `second`."""

    first: str
    second: str
    figures: tuple[str, str]
    metric: str


class Made(NamedTuple):
    """A document with what is known of it; `contradicts` where it tells otherwise than an earlier one."""

    name: str
    data: bytes
    facts: tuple[Fact, ...]
    contradicts: Planted | None = None


class Corpus:
    """`documents` briefings of about 2 KB."""

    def __init__(self, documents: int, seed: int = 7) -> None:
        self.documents, self.seed = documents, seed

    def __iter__(self) -> Iterator[Made]:
        return (self.document(n) for n in range(self.documents))

    def document(self, n: int) -> Made:
        """The `n`-th document: a briefing, a near copy of the one before it, or junk."""
        chance = random.Random(f"{self.seed} {n}")
        name = f"{n // 1000:04}/{n:07}.md"
        if n % BINARY == 91:
            return Made(name, b"\x89PNG\r\n" + chance.randbytes(600), ())
        if n % JUNK == 16:
            return Made(name, _junk(chance), ())
        if n % COPY == 9:
            before = self.document(n - 1)
            text = before.data.decode().replace("窗口定义", "窗口的定义").replace("沿用上一份", "照抄上一份") + "\n\n（转载，仅改排版）\n"
            return Made(name, text.encode(), before.facts)
        facts = [_fact(chance, chance.randrange(1, 400)) for _ in range(8)]
        planted = None
        if n % EVERY in (3, 13):
            first = n - n % EVERY + 3
            own = random.Random(f"{self.seed} planted {first}")
            fact = _fact(own, 1000 + first, changed=n != first)
            facts.insert(chance.randrange(len(facts)), fact)
            if n != first:
                told = _fact(random.Random(f"{self.seed} planted {first}"), 1000 + first)
                planted = Planted(f"{first // 1000:04}/{first:07}.md", name, (told.figure, fact.figure), fact.metric)
        return Made(name, _briefing(n, chance, facts).encode(), tuple(facts), planted)


def _figure(about: str, low: int, high: int) -> int:
    """A figure between two bounds that `about` alone decides."""
    return low + int.from_bytes(hashlib.blake2b(about.encode(), digest_size=6).digest(), "big") % (high - low)


def _fact(chance: random.Random, load: int, changed: bool = False) -> Fact:
    """One measurement at a load; `changed` tells it otherwise."""
    engine, model, (part, form, memory) = chance.choice(ENGINES), chance.choice(MODELS), chance.choice(PARTS)
    version, precision, cards = f"0.{chance.randrange(10, 40)}.{chance.randrange(1, 9)}", chance.choice(("FP8", "BF16")), chance.choice((2, 4, 8))
    about = f"{engine} {version} {model} {part} {precision} {load}"
    kind = chance.randrange(3)
    more = 1.3 if changed else 1.0
    if kind == 0:
        figure = f"{round(more * _figure(about + str(cards), 1_001, 30_000)):,} tok/s"
        text = f"{engine} {version} 在 {cards}×{part} {form} {memory} 上跑 {model}（{precision}，TP={cards}，并发 {load}）：吞吐 {figure}"
        return Fact(text, figure, "throughput", "token/s")
    if kind == 1:
        figure = f"{round(more * _figure(about, 101, 900) + 0.5, 1)} ms"
        return Fact(f"{engine} {version}，{model}，{part} {form} {memory}，{precision}，并发 {load}：P50 TPOT {figure}", figure, "tpot", "ms")
    figure = f"{round(more * _figure(about, 101, 700))} ms"
    return Fact(f"{engine} {version} on {model}, {part} {form} {memory}, {precision}, concurrency {load}: P99 TTFT {figure}", figure, "ttft", "ms")


def _briefing(n: int, chance: random.Random, facts: list[Fact]) -> str:
    day = f"2026-{1 + n % 9:02}-{1 + n % 28:02}"
    head = f"llm-infra · 简报 {n}（{day}）\n\n执行体：写手 · llm-infra 主题 · {day} 18:00 CST 窗口定义：前一日 18:00 起\n\n一、增量条目\n"
    parts = []
    for number, at in enumerate(range(0, len(facts), 3), 1):
        points = "\n".join(f"  • {fact.sentence}\n  • {chance.choice(PROSE)}" for fact in facts[at : at + 3])
        parts.append(f"\n增量 {number}：推理性能复测（⭐⭐⭐）\n\n来源：inbox/{day}-bench-{n}.md\n\n要点：\n\n{points}\n\n可信度：★★★ — 单一来源\n")
    return head + "".join(parts)


def _junk(chance: random.Random) -> bytes:
    """Text that is no briefing: noise, broken bytes, endless lines, unclosed markup."""
    kind = chance.randrange(4)
    if kind == 0:
        return bytes(chance.choice(b"abcdef {}[]|#*`~<>/\\\xe4\xb8\xff 0123456789\n") for _ in range(1500))
    if kind == 1:
        return ("<table><tr><td>" * 40 + "```\n|||---\n" * 30 + "".join(chance.choice("零一二🙂%‰∞§\t") for _ in range(300))).encode()
    if kind == 2:
        return " ".join(f"{chance.randrange(1 << 40):x}" for _ in range(120)).encode()
    return b" \n\n" if chance.random() < 0.5 else ("无内容。" * 200).encode()


def write(corpus: Corpus, folder: Path) -> list[Planted]:
    """One file a document, with `truth.jsonl` beside the folder `texts`."""
    planted = []
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "truth.jsonl").open("w", encoding="utf-8") as truth:
        for made in corpus:
            path = folder / "texts" / made.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(made.data)
            truth.write(json.dumps({"document": made.name, "facts": made.facts, "contradicts": made.contradicts}, ensure_ascii=False) + "\n")
            planted += [made.contradicts] if made.contradicts else []
    return planted


def write_table(corpus: Iterable[Made], path: Path, rows: int = 5_000) -> None:
    """One Parquet table with the columns `name` and `text`, in row groups of `rows`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([("name", pa.string()), ("text", pa.string())])
    path.parent.mkdir(parents=True, exist_ok=True)
    with pq.ParquetWriter(path, schema) as writer:
        batch: list[dict[str, str]] = []
        for made in corpus:
            batch.append({"name": made.name, "text": made.data.decode("utf-8", errors="replace")})
            if len(batch) == rows:
                writer.write_table(pa.Table.from_pylist(batch, schema))
                batch = []
        if batch:
            writer.write_table(pa.Table.from_pylist(batch, schema))


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--documents", type=int, default=1_000)
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--parquet", action="store_true", help="write texts.parquet, not files")
    given = options.parse_args()
    corpus = Corpus(given.documents, given.seed)
    if given.parquet:
        write_table(corpus, given.folder / "texts.parquet")
    else:
        write(corpus, given.folder)


if __name__ == "__main__":
    main()
