"""The command: what is judged, what is recorded, what the answer looks like."""

from __future__ import annotations

import json

import pytest

LINE = "- Mooncake 在 agentic 负载下 cache hit rate 92.2%\n"


@pytest.fixture
def briefed(room):
    room.commit("# 活文档\n\n- 无\n")
    room.verified(LINE)
    return room


def test_staged_judges_the_index_and_not_the_working_tree(briefed):
    briefed.write("# 活文档\n\n- 无\n- Kimi 在 H20 上 777 tok/s\n")
    briefed.git("add", "living.md")
    briefed.write("# 活文档\n\n- 无\n")
    assert briefed.judged("living.md", "--staged")[0] == 3
    assert briefed.judged("living.md", "--diff", "HEAD") == (0, {})


def test_without_a_file_the_living_documents_of_the_change_are_judged(briefed):
    (briefed.folder / "verify.toml").write_text('living = ["organized/**/*.md"]\n')
    briefed.write("- Kimi 在 H20 上 777 tok/s\n", "inbox/raw.md")
    briefed.git("add", "-A")
    assert briefed.gate("--staged").returncode == 0
    briefed.write("- Kimi 在 H20 上 777 tok/s\n", "organized/infra.md")
    briefed.git("add", "-A")
    assert briefed.gate("--staged").returncode == 3


def test_a_text_is_judged_by_itself(briefed):
    assert briefed.gate("--text", LINE).returncode == 0
    done = briefed.verify("gate", "--text", "-", stdin="- Kimi 在 H20 上 777 tok/s\n")
    assert done.returncode == 3


def test_what_was_recorded_is_not_judged_again_until_it_is_touched(briefed):
    briefed.write(LINE)
    assert briefed.gate("living.md", "--record", "--as", "spark").returncode == 0
    event = json.loads((briefed.folder / "claims" / "anchored" / "living.md.jsonl").read_text(encoding="utf-8"))
    assert event["event"] == "anchor" and event["document"] == "living.md" and event["actor"] == "spark"
    assert event["rules"] and event["evidence"] and event["claims"][0]["line"] == 1
    assert briefed.judged("living.md") == (0, {})
    briefed.write(LINE.replace("在 agentic 负载下 ", ""))
    assert briefed.judged("living.md")[0] == 1


def test_recording_moves_a_settled_record_to_anchored(briefed):
    number = briefed.record("Mooncake 92.2% 的口径", resolve={"resolution": "confirmed"})
    briefed.write(LINE)
    assert briefed.gate("living.md", "--record", "--as", "spark").returncode == 0
    state = json.loads(briefed.verify("d", "show", number, "--format", "json").out)
    anchor = state["events"][-1]
    assert state["state"] == "anchored" and anchor["data"]["document"] == "living.md" and anchor["data"]["place"] == "line 1"


def test_nothing_is_recorded_where_something_stands_against_it(briefed):
    briefed.write("- Mooncake cache hit rate 92.2%\n")
    assert briefed.gate("living.md", "--record").returncode == 1
    assert not (briefed.folder / "claims" / "anchored").exists()


def test_the_answer_has_a_block_a_claim_then_the_sum_and_the_code_in_words(briefed):
    number = briefed.record("Mooncake 92.2% 随复用率变化")
    briefed.write(LINE + "- Kimi 在 H20 上 777 tok/s\n")
    done = briefed.gate("living.md")
    assert "living.md:1: BLOCKED: 92.2%" in done.out and f"{number} is open and the text does not say so" in done.out
    assert "medium, 1 days old" in done.out and f"verify d resolve {number}" in done.out
    assert "2 judged: 1 blocked, 1 could not be checked" in done.out
    assert "blocked: it may not be anchored (exit 1)" in done.out and "(exit 1)" in done.err
    chinese = briefed.gate("living.md", "--lang", "zh").out
    assert "living.md:1: 拦下: 92.2%" in chinese and "未结 · 中 · 1 天" in chinese and "不可锚定" in chinese


def test_explain_shows_what_passes_and_on_what_grounds(briefed):
    briefed.write(LINE)
    assert "92.2%" not in briefed.gate("living.md").out
    said = briefed.gate("living.md", "--explain").out
    assert "says what briefing.md:1 says" in said and "metric=cache_hit_rate" in said


def test_equal_inputs_give_equal_bytes(briefed):
    briefed.record("Mooncake 92.2% 随复用率变化")
    briefed.write(LINE + "- Kimi 在 H20 上 777 tok/s\n")
    assert len({briefed.gate("living.md", "--format", f).out for f in ("json",) for _ in range(3)}) == 1


def test_a_baseline_shows_and_counts_and_only_shrinks(briefed):
    old = "- Kimi 在 H20 上 777 tok/s\n- Qwen 在 L40S 上 555 tok/s\n"
    briefed.write(old)
    assert briefed.gate("living.md").returncode == 3
    assert briefed.gate("living.md", "--write-baseline").returncode == 0
    done = briefed.gate("living.md")
    assert done.returncode == 0 and "in the baseline" in done.out
    briefed.write(old.replace("555", "556"))
    assert briefed.gate("living.md").returncode == 3
    assert "1 new ones are not taken in" in briefed.gate("living.md", "--write-baseline").err
    assert briefed.gate("living.md").returncode == 3


@pytest.mark.parametrize(
    "words", [(), ("gone.md",), ("living.md", "--diff", "nowhere"), ("living.md", "--text", "x"), ("living.md", "--record", "--write-baseline")]
)
def test_what_cannot_be_judged_exits_2(briefed, words):
    assert briefed.gate(*words).returncode == 2
