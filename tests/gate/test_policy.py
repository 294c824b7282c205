"""What blocks is the group's decision, said in verify.toml and checked when it is read."""

from __future__ import annotations

import re
import tomllib

import pytest

from verifier.errors import UsageError
from verifier.settings import TEMPLATE, Policy, Settings, load, matches

LINE = "- Mooncake 在 agentic 负载下 cache hit rate 92.2%\n"
WRONG = "- 测得 412.0 vs 120.0 tok/s = 4.15×\n"


def settle(room, text):
    (room.folder / "verify.toml").write_text(text, encoding="utf-8")


def test_the_template_taken_out_of_its_comments_says_the_defaults(tmp_path):
    lines = [re.sub(r"^# (?=[a-z_]+ = |\[\[)", "", line) for line in TEMPLATE.splitlines()]
    text = "\n".join(line for line in lines if not line.startswith("# ") and not line.startswith("#  "))
    data = tomllib.loads(text)
    assert set(data) >= {"block_from", "living", "block_rules", "pass_rules", "require", "tolerance", "grace_days", "caveat", "reconcile", "paths"}
    (tmp_path / "verify.toml").write_text(text, encoding="utf-8")
    read, default = load(tmp_path), Settings(root=tmp_path)
    assert read.policy == Policy() and read.living == () and read.series == default.series and read.recheck_days == default.recheck_days
    assert read.policy_for("organized/notes/a.md").block_from == "medium" and read.policy_for("b.md").block_from == "high"


@pytest.mark.parametrize(
    "text, says",
    [
        ('block_from = "grave"', "low, medium or high"),
        ("tolerance = 1.5", "share from 0"),
        ("grace_days = -1", "from 0 to 3650"),
        ('living = "a.md"', "list of texts"),
        ("recheck_days = 99999999", "from 0 to 3650"),
        ('timezone = "Mars/Olympus"', "Asia/Shanghai"),
        ('timezone = "../etc"', "Asia/Shanghai"),
        ('ledger_url = ""', "sqlite:///"),
        ('ledger_url = "mysql://h/d"', "postgresql+psycopg://"),
        ('arxiv_url = "arxiv.org"', "https://"),
        ('series = "d"', "capital letters"),
        ('caveat = "待核"', "{number}"),
        ('reconcile = "yes"', "true or false"),
        ("blocks = 1", "unknown setting"),
        ('[[paths]]\nblock_from = "low"', "needs match"),
        ('[[paths]]\nmatch = "a/**"\nliving = []', "unknown setting"),
        ('[paths]\nmatch = "a/**"', "[[paths]]"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_place_and_what_it_should_be(tmp_path, text, says):
    (tmp_path / "verify.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"verify\.toml") as raised:
        load(tmp_path)
    assert says in str(raised.value)


@pytest.mark.parametrize(
    "path, pattern, fits",
    [
        ("organized/a.md", "organized/**/*.md", True),
        ("organized/x/a.md", "organized/**/*.md", True),
        ("a.md", "**/*.md", True),
        ("inbox/a.md", "organized/**", False),
    ],
)
def test_two_stars_stand_for_any_folders(path, pattern, fits):
    assert matches(path, pattern) is fits


def test_the_level_differs_by_path(room):
    room.verified(LINE)
    number = room.record("Mooncake 92.2% 随复用率变化", severity="medium")
    shown = LINE.replace("92.2%", f"92.2%（{number} 待核）")
    settle(room, '[[paths]]\nmatch = "strict/**"\nblock_from = "low"\n')
    room.write(shown, "loose.md")
    room.write(shown, "strict/a.md")
    assert room.judged("loose.md")[0] == 0
    assert room.judged("strict/a.md")[0] == 1


def test_a_caveat_text_can_be_required(room):
    room.verified(LINE)
    number = room.record("Mooncake 92.2% 随复用率变化", severity="low")
    settle(room, 'caveat = "（{number} 未结，勿引）"\n')
    for shown, code in ((f"（{number} 待核）", 1), (f"（{number} 未结，勿引）", 0)):
        room.write(LINE.replace("92.2%", f"92.2%{shown}"))
        assert room.judged("living.md")[0] == code


def test_rules_can_be_made_to_block_or_to_pass(room):
    room.write(WRONG)
    answers = {}
    for policy in ("", 'pass_rules = ["derived"]\n', 'block_rules = ["nothing"]\n'):
        settle(room, policy)
        done = room.gate("living.md", "--format", "json")
        answers[policy] = (done.returncode, "ARI001" in done.out)
    assert answers[""] == (1, True)
    assert answers['pass_rules = ["derived"]\n'][1] is False
    assert answers['block_rules = ["nothing"]\n'][0] == 2


def test_tolerance_says_how_far_a_number_may_be_rounded_in_silence(room):
    room.verified("- SGLang 在 H200 SXM 上吞吐 2,640 tok/s\n")
    room.write("- SGLang 在 H200 SXM 上吞吐 2,600 tok/s\n")
    assert room.judged("living.md")[0] == 1
    settle(room, "tolerance = 0.05\n")
    assert room.judged("living.md")[0] == 0


def test_reconciling_can_be_required_of_every_change(room):
    before = "- 综述（arXiv:2603.20397）\n- 日志 2026-09-27：arXiv 0 → 1，闭合\n"
    room.commit(before)
    room.write(before.replace("（arXiv:2603.20397）", "（arXiv:2603.20397、arXiv:2607.08057）"))
    assert room.judged("living.md", "--diff", "HEAD")[0] == 0
    settle(room, "reconcile = true\n")
    assert room.judged("living.md", "--diff", "HEAD")[0] == 1
