"""A cited paper exists. `does not exist` needs two looks three days apart; until then it is undecided."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from verifier.models import Finding, Verdict
from verifier.rules._base import Context, Rule, finding

TOPIC = r"不存在|未找到|找不到|查无|not found|does not exist|no such"  # what a declared entry about such a fault speaks of
APART = timedelta(days=3)


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    verdict: Verdict
    for ident in context.document.structure.arxiv_ids:
        looks = context.evidence.get(f"arxiv:{ident}", ())
        start = context.document.text.index(ident)
        absent = [datetime.fromisoformat(look.fetched_at) for look in looks if look.outcome == "absent"]
        if any(look.outcome == "found" for look in looks):
            verdict, en, zh = "pass", f"arXiv {ident} exists", f"arXiv {ident} 存在"
        elif absent and max(absent) - min(absent) >= APART:
            verdict, en, zh = (
                "fail",
                f"arXiv {ident} does not exist: two looks, three days apart, did not find it",
                f"arXiv {ident} 不存在：相隔三天两次查询均未找到",
            )
        elif absent:
            verdict, en, zh = "undecided", f"arXiv {ident}: not found so far (one look)", f"arXiv {ident}：暂未找到（仅查一次）"
        elif looks:
            verdict, en, zh = "undecided", f"arXiv {ident}: could not be reached: {looks[-1].reason}", f"arXiv {ident}：未能访问：{looks[-1].reason}"
        else:
            verdict, en, zh = "undecided", f"arXiv {ident}: not looked up", f"arXiv {ident}：未查询"
        yield finding(rule, context, verdict, [context.at(start, start + len(ident))], en, zh, cause=ident, evidence=looks, observed=ident)
