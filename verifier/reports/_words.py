"""The words of a report in the authors' two languages."""

from __future__ import annotations

from collections.abc import Callable

Say = Callable[..., str]

WORDS: dict[str, tuple[str, str]] = {
    "title": ("Open D-records", "未决 D 周报"),
    "period": ("{first} to {last}", "{first} 至 {last}"),
    "topic_only": ("topic {topic}", "主题 {topic}"),
    "every_topic": ("all topics", "全部主题"),
    "lede": ("{n} open: {high} high, {medium} medium, {low} low; {trend}.", "未决 {n} 件：高 {high}、中 {medium}、低 {low}，{trend}。"),
    "more_than": ("{n} more than before", "较上期多 {n} 件"),
    "fewer_than": ("{n} fewer than before", "较上期少 {n} 件"),
    "as_before": ("as many as before", "与上期持平"),
    "lede_due": ("Overdue: {overdue}. To be settled today: {proposed}.", "逾期 {overdue} 件；今日可了结 {proposed} 件。"),
    "lede_worst": ("Look first at {number}: {title}", "最紧要 {number}：{title}"),
    "nothing_open": ("Nothing is open.", "没有未决记录。"),
    "first_period": ("The ledger begins in this period; there is nothing before to compare with.", "账本自本期起，无上期可比。"),
    "none": ("None.", "无。"),
    "more": ("and {n} more: `{command}`", "另有 {n} 条：`{command}`"),
    "now": ("this period", "本期"),
    "before": ("before", "上期"),
    "change": ("change", "增减"),
    # sections, in the order in which a coordinator asks
    "s_open": ("What is open and dangerous", "未决与风险"),
    "s_changed": ("What changed", "本期变化"),
    "s_late": ("Overdue or stuck, and on whom", "逾期与卡住：在谁手上"),
    "s_today": ("What could be settled today", "今日可了结"),
    "s_trouble": ("Where the trouble comes from", "问题来自何处：来源、规则、主题"),
    "s_tool": ("How good the tool itself is", "工具自身表现"),
    "s_coverage": ("Briefings expected and come", "简报覆盖：应到与实到"),
    "s_table": ("The D table", "矛盾/待核 D 表"),
    # columns
    "number": ("number", "编号"), "content": ("content", "内容"), "level": ("level", "风险等级"), "age": ("age in days", "天数"), "owner": ("owner", "负责人"),
    "on": ("on whom", "在谁手上"), "documents": ("documents", "文档"), "claims": ("claims", "论断"), "recheck_by": ("recheck by", "复核期限"),
    "days": ("days", "天"), "since": ("since", "自"), "state": ("state", "状态"), "day": ("day", "日期"), "by": ("by", "操作者"), "was": ("was", "原为"),
    "resolution": ("resolution", "处理"), "reason": ("reason", "理由"), "evidence": ("evidence", "证据"), "source": ("source", "来源"), "kind": ("kind", "类别"),
    "rule": ("rule", "规则"), "topic": ("topic", "主题"), "open": ("open", "未决"), "opened": ("opened", "新增"), "settled": ("settled", "了结"),
    "reopened": ("reopened", "重开"), "dismissed": ("false alarms", "误报"), "overdue": ("overdue", "逾期"), "oldest": ("oldest, days", "最久（天）"),
    "proposed": ("could be settled", "可了结"), "event": ("what happened", "变化"), "week": ("week", "周"), "total": ("all", "合计"), "author": ("author", "写手"),
    "expected": ("expected", "应到"), "came": ("came", "实到"), "late": ("late", "迟到"), "missing": ("missing", "缺"), "gap": ("gap, days", "缺口（天）"),
    "missed_days": ("days missed", "缺口日期"), "what": ("what", "项目"), "citation": ("source that did not answer", "未能访问的来源"), "value": ("value", "数值"),
    "interval": ("rounding allows", "取整区间"), "conditions": ("conditions", "条件"), "place": ("place", "位置"), "problem": ("problem", "问题"),
    "impact": ("impact", "影响"), "suggestion": ("suggestion", "建议"), "nobody": ("nobody", "无人"), "no_source": ("no source named", "未注明来源"),
    "no_topic": ("no topic named", "未注明主题"), "answer": ("agreement", "是否一致"), "command": ("command", "命令"), "waiting_on": ("waits for", "等待"),
    "high": ("high", "高"), "medium": ("medium", "中"), "low": ("low", "低"),
    # what happened
    "e_open": ("opened", "新增"), "e_resolve": ("settled", "了结"), "e_reopen": ("reopened", "重开"), "e_carry": ("carried over", "沿用/承接"),
    "e_seen_again": ("seen again", "再次出现"), "e_raised": ("level raised", "风险上调"), "e_lowered": ("level lowered", "风险下调"), "e_void": ("void", "作废"),
    "w_open": ("open", "未决"), "w_checking": ("being checked", "核查中"), "w_waiting": ("waiting", "等待中"), "w_resolved": ("settled", "已了结"), "w_anchored": ("anchored", "已锚定"),
    "r_corrected": ("corrected", "已更正"), "r_confirmed": ("confirmed", "已证实"), "r_refuted": ("refuted", "已证伪"), "r_not_comparable": ("not comparable", "不可比"),
    "r_annotated": ("annotated", "已加注"), "r_duplicate": ("duplicate", "重复"), "r_superseded": ("superseded", "被取代"), "r_accepted": ("accepted for now", "暂时接受"),
    "r_source_withdrawn": ("source withdrawn", "来源撤回"), "r_false_alarm": ("false alarm", "误报"),
    # the tool
    "t_documents": ("briefings verified", "已核验简报"), "t_claims": ("claims judged", "已判论断"), "t_pass": ("hold", "成立"), "t_fail": ("fail", "不成立"),
    "t_undecided": ("undecided", "未能判定"), "t_error": ("errors of the tool", "工具出错"), "t_suppressed": ("suppressed by authors", "作者豁免"),
    "t_dismissed": ("findings called false alarms", "被判为误报的发现"), "t_false_alarm": ("records settled as false alarms", "以误报了结的记录"),
    "t_cited": ("sources looked up", "查证来源"), "t_silent": ("sources that never answered", "未能访问的来源"), "t_not_applicable": ("does not apply", "不适用"),
    # tables and pictures
    "c_open": ("Most dangerous first", "风险由高到低"), "c_ageing": ("Age of what is open", "未决账龄"), "c_series": ("Open over time, by level", "未决数随时间（按风险等级）"),
    "c_changes": ("In numbers", "数目"), "c_opened": ("Opened", "新增"), "c_settled": ("Settled", "了结"), "c_reopened": ("Reopened", "重开"),
    "c_severity": ("Level changed", "风险等级变更"), "c_weeks": ("Opened against settled", "新增与了结"), "c_overdue": ("Past the recheck day", "已过复核期限"),
    "c_stuck": ("Waiting, or nothing new for a month", "等待中，或一个月无进展"), "c_owners": ("On whom", "在谁手上"), "c_proposed": ("Proposed by evidence", "证据建议的处理"),
    "c_evidence": ("Evidence that arrived", "新到证据"), "c_matrix": ("Open records: source by kind", "未决：来源 × 类别"), "c_sources": ("Sources", "来源"),
    "c_rules": ("Rules", "规则"), "c_topics": ("Topics", "主题"), "c_tool": ("In numbers", "数目"), "c_kinds": ("Verdicts by kind", "各类判定"),
    "c_silent": ("Could not be reached", "未能访问"), "c_coverage": ("By the schedule of verify.toml", "按 verify.toml 的排期"), "c_values": ("Values that stand against each other", "相互矛盾的数值"),
    "c_table": ("All that is open", "全部未决"), "c_paste": ("To paste into a briefing", "可直接贴入简报"), "c_agreement": ("Several writers, one claim, one day", "同日多位写手的同一论断"),
    "no_schedule": ("verify.toml has no [[schedule]]; with one, this says which briefings did not come.", "verify.toml 未设 [[schedule]]；设定后此处列出缺席简报。"),
    "to_accept": ("Accept with `verify d resolve --proposed {numbers}`, or decline one with `verify d decline D… --reason …`.",
                  "接受：`verify d resolve --proposed {numbers}`；拒绝其一：`verify d decline D… --reason …`。"),
    "a_equal": ("they agree", "一致"), "a_different": ("they differ", "不一致"), "a_not_comparable": ("not comparable", "不可比"), "a_undecided": ("cannot be told", "未能判定"),
    "d_ageing": ("Bars: records open for {bands} days; in all {n}.", "柱：未决天数 {bands}；共 {n} 件。"),
    "d_series": ("{n} open on {first}, {m} on {last}.", "{first} 未决 {n} 件，{last} 未决 {m} 件。"),
    "d_weeks": ("Over these weeks {opened} were opened or reopened and {settled} settled.", "期间新增或重开 {opened} 件，了结 {settled} 件。"),
    "d_matrix": ("Most: {source}, {kind}: {n}.", "最多：{source}，{kind}：{n} 件。"),
    "d_values": ("{n} values with what their rounding allows.", "{n} 个数值及其取整区间。"),
    "made_by": ("Made by `verify report` from the ledger alone.", "由 `verify report` 仅据账本生成。"),
    "as_table": ("The same as a table", "同一数据的表格"),
    "aged": ("{n} days", "{n} 天"), "n_claims": ("claims resting on it: {n}", "相关论断 {n} 条"), "n_documents": ("documents: {n}", "涉及文档 {n} 份"),
    "also_in": ("also in", "另见"),
    # one run
    "b_title": ("Verified", "核验页"), "b_claims": ("{n} claims", "{n} 条论断"), "b_findings": ("Findings", "发现"), "b_none": ("Nothing stands against it.", "没有不合格项。"),
    "b_text": ("The text", "正文"), "b_unchecked": ("no rule judged it", "无规则判定"), "b_fix": ("To clear it", "解除"), "b_line": ("line {n}", "第 {n} 行"),
    "b_legend": ("Colours", "图例"), "b_suppressed": ("suppressed", "已豁免"),
}  # fmt: skip


def words(lang: str) -> Say:
    """`say(word, **fields)` in this language; what has no entry is said as it is."""
    at = 1 if lang == "zh" else 0

    def say(word: str, **fields: object) -> str:
        return WORDS[word][at].format(**fields) if word in WORDS else word

    return say
