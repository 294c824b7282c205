"""What rule authors see: a rule's page and its tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
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
        findings = list(member("verifier.rules", rule.kind).judge(rule, Context(document, extract(document), looks, day)))
        order = ("fail", "error", "undecided", "pass")
        got = next((v for v in order if any(f.verdict == v for f in findings)), "not_applicable")
        why = "; ".join(w for f in findings for w in (f.message, *f.working)) or "no claim that the rule is about"
        results.append(TestResult(rule.id, str(test["expect"]), got, got == test["expect"], why))
    return results


def explain(rule: Rule, lang: str = "en") -> str:
    """A rule's page: what, why, an example that fails, one that passes, what to do, how to suppress."""
    zh = lang == "zh"
    bad = next((t["text"] for t in rule.tests if t["expect"] == "fail"), "")
    good = next((t["text"] for t in rule.tests if t["expect"] in ("pass", "not_applicable")), "")
    heads = ("为何", "不合格的例子", "合格的例子", "怎么改", "如何豁免") if zh else ("Why", "Fails", "Passes", "What to do", "To suppress")
    bodies = (rule.why, str(bad).strip(), str(good).strip(), rule.fix,
              f'<!-- verify: ignore={rule.id} until=2026-12-31 by=NAME reason="…" -->')  # fmt: skip
    title = f"# {rule.id} {rule.title[lang]}\n\n{rule.kind} · {rule.severity} · {rule.opens} · {rule.version}"
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


def template(kind: str) -> str:
    """A rule file to start from; its two tests are to be replaced first."""
    return f"""schema: verify-rules/1
rules:
  - id: MINE001
    slug: my-rule
    kind: {kind}
    severity: low            # low, medium, high
    opens: note              # note, or discrepancy for what a coordinator should track
    version: "1"
    title: {{en: what is wrong, zh: 什么不对}}
    why: Why it matters, in one sentence.
    fix: What the writer should do.
    when:                    # which claims it is about; see `verify schema claim`
      metric: {{in: [throughput]}}
    {kind}: {{}}
    tests:
      - {{text: "a sentence that must be reported", expect: fail}}
      - {{text: "a sentence that must not", expect: pass}}"""
