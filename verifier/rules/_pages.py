"""What rule authors see: a rule's page and its tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from verifier.family import member
from verifier.models import Look
from verifier.rules._base import Context, Rule


class TestResult(NamedTuple):
    rule: str
    expected: str
    got: str
    ok: bool
    why: str


def run_tests(rule: Rule) -> list[TestResult]:
    """Run a rule's own examples through reading and extraction; the worst verdict on each is compared."""
    from verifier.extract import extract
    from verifier.read import read_text

    results = []
    for test in rule.tests:
        document = read_text(str(test["text"]), "<test>")
        day = date.fromisoformat(str(test.get("as_of", "2026-09-28")))
        looks: dict[str, tuple[Look, ...]] = {}
        for raw in test.get("evidence", ()):
            look = Look.model_validate(raw)
            looks[look.citation] = (*looks.get(look.citation, ()), look)
        known = extract(read_text(str(test["earlier"]), "<earlier>")) if "earlier" in test else ()
        findings = list(member("verifier.rules", rule.kind).judge(rule, Context(document, extract(document), looks, day, known)))
        order = ("fail", "error", "undecided", "pass")
        got = next((v for v in order if any(f.verdict == v for f in findings)), "not_applicable")
        why = "; ".join(w for f in findings for w in (f.message, *f.working)) or "no claim that the rule is about"
        results.append(TestResult(rule.id, str(test["expect"]), got, got == test["expect"], why))
    return results


LEVELS = {"low": "低", "medium": "中", "high": "高", "discrepancy": "立 D 号跟踪", "note": "仅提示，不立 D 号"}


def explain(rule: Rule, lang: str = "en") -> str:
    """A rule's page: what, why, an example that fails, one that passes, what to do, how to suppress."""
    zh = lang == "zh"
    bad = next((t["text"] for t in rule.tests if t["expect"] == "fail"), "")
    good = next((t["text"] for t in rule.tests if t["expect"] in ("pass", "not_applicable")), "")
    heads = ("为何", "不合格的例子", "合格的例子", "怎么改", "如何豁免") if zh else ("Why", "Fails", "Passes", "What to do", "To suppress")
    why, fix = (rule.zh.get("why", rule.why), rule.zh.get("fix", rule.fix)) if zh else (rule.why, rule.fix)
    bodies = (why, str(bad).strip(), str(good).strip(), fix, f'<!-- verify: ignore={rule.id} until=2026-12-31 by=NAME reason="…" -->')
    levels = (LEVELS[rule.severity], LEVELS[rule.opens], f"第 {rule.version} 版") if zh else (rule.severity, rule.opens, f"version {rule.version}")
    title = f"# {rule.id} {rule.title[lang]}\n\n{rule.slug} · {' · '.join((rule.kind, *levels))}"
    if rule.was:
        title += f"\n\n{'曾用名' if zh else 'Was'}: {', '.join(rule.was)}"
    if rule.retired:
        title += f"\n\n{'已停用' if zh else 'Retired'}: {rule.retired}"
    refs = "\n\n" + "\n".join(f"- {r}" for r in rule.refs) if rule.refs else ""
    return title + "".join(f"\n\n## {h}\n\n{b}" for h, b in zip(heads, bodies, strict=True)) + refs


def pages(rules: Sequence[Rule]) -> str:
    """One document of all rules, by kind and id; each with its reason and its examples."""
    out = ["# Rules", "", "Written by `make docs` from `rules/*.yaml`; do not edit.", ""]
    kinds = sorted({rule.kind for rule in rules})
    for kind in kinds:
        out += [f"## {kind}", "", (member("verifier.rules", kind).__doc__ or "").strip().splitlines()[0], ""]
        for rule in sorted((r for r in rules if r.kind == kind), key=lambda r: r.id):
            out += [
                f"### {rule.id} {rule.title['en']}",
                "",
                f"{rule.title['zh']} · {rule.severity} · {rule.opens}",
                "",
                rule.why,
                "",
                f"To do: {rule.fix}",
                "",
            ]
            for verdict, name in (("fail", "Fails"), ("pass", "Passes"), ("not_applicable", "Not its business")):
                if text := next((str(t["text"]).strip() for t in rule.tests if t["expect"] == verdict), ""):
                    out += [f"{name}:", "", *(f"    {line}".rstrip() for line in text.splitlines()), ""]
    return "\n".join(out)


OWN = {"id": "MINE001", "slug": "my-rule", "severity": "low", "opens": "note", "version": '"1"', "title": "{en: what is wrong, zh: 什么不对}",
       "why": "Why it matters, in one sentence.", "fix": "What the writer should do."}  # fmt: skip
NOT_OWN = ("refs", "was", "retired", "zh")


def template(example: Rule) -> str:
    """A rule file to start from: a rule of the kind under another name, with its examples, which pass as they stand."""
    path, _, line = example.place.rpartition(":")
    lines = Path(path).read_text(encoding="utf-8").splitlines()[int(line) - 1 :]
    end = next((n for n, text in enumerate(lines) if n and re.match(r"  - id:", text)), len(lines))
    out, keep = ["schema: verify-rules/1", "rules:"], True
    for text in lines[:end]:
        if key := re.match(r"(  - |    )(\w[\w-]*):", text):
            keep = key[2] not in NOT_OWN
            if key[2] in OWN:
                out.append(f"{key[1]}{key[2]}: {OWN[key[2]]}")
                keep = False
                continue
        if keep and text.strip():
            out.append(text)
    return "\n".join(out)
