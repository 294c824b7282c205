"""The places where people work: hooks, actions and templates are run, not only read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from conftest import ROOT

from verifier.cli import parser

FINE, WRONG, UNSEEN = "- P50 TTFT 从 480 ms 降至 95 ms（共享前缀负载）\n", "- 复测：412.0 vs 120.0 tok/s = 4.15×\n", "- Kimi 在 H20 上 777 tok/s\n"


@pytest.fixture
def shop(tmp_path, verify):
    """A repository with a ledger and a living document, and a `verify` on the PATH."""
    folder = Path(shutil.copytree(ROOT / "examples", tmp_path / "notes"))
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "verify").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m verifier "$@"\n')
    # an installer that only says what it was asked for
    (programs / "python").write_text(f'#!/bin/sh\n[ "$2" = pip ] && echo "$@" >> "{tmp_path}/installed" && exit 0\nexec "{sys.executable}" "$@"\n')
    for program in programs.iterdir():
        program.chmod(0o755)
    env = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8",
           "PRE_COMMIT_HOME": str(tmp_path / "hooks"), "GIT_CONFIG_GLOBAL": os.devnull,
           "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.org", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.org"}  # fmt: skip
    env.pop("VERIFY_LEDGER", None)
    assert verify("run", "briefing.md", "--offline", folder=folder).returncode == 0
    (folder / "verify.toml").write_text('living = ["living.md"]\n')
    (folder / "living.md").write_text("# 活文档\n", encoding="utf-8")

    def run(*words, at=folder, **more):
        return subprocess.run(words, cwd=at, env={**env, **more}, capture_output=True, text=True, timeout=110)

    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "as it was")):
        assert run("git", *words).returncode == 0
    run.folder, run.tmp = folder, tmp_path
    return run


def change(shop, text):
    (shop.folder / "living.md").write_text("# 活文档\n\n" + text, encoding="utf-8")
    shop("git", "add", "living.md")


def hooks(shop):
    """A repository that holds the hooks, as pre-commit clones it."""
    source = shop.tmp / "verifier"
    source.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", source)
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "hooks")):
        assert shop("git", *words, at=source).returncode == 0
    return source, shop("git", "rev-parse", "HEAD", at=source).stdout.strip()


@pytest.mark.parametrize("text, passes", [(FINE, True), (WRONG, False), (UNSEEN, False)])
def test_pre_commit_runs_the_hook_from_its_repository(shop, text, passes):
    program = Path(sys.executable).with_name("pre-commit")
    if not program.exists():
        pytest.skip("pre-commit is not installed")
    source, rev = hooks(shop)
    config = {"repos": [{"repo": str(source), "rev": rev, "hooks": [{"id": "verify-gate-installed"}]}]}
    (shop.folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    shop("git", "add", ".pre-commit-config.yaml")
    change(shop, text)
    done = shop(str(program), "run", "verify-gate-installed")
    assert (done.returncode == 0) is passes, done.stdout + done.stderr
    assert "verify gate" in done.stdout and (passes or "exit code: " in done.stdout)


def test_both_hooks_say_the_same_and_are_valid():
    listed = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert {h["id"]: h["language"] for h in listed} == {"verify-gate": "python", "verify-gate-installed": "system"}
    assert len({h["entry"] for h in listed}) == 1 and not any(h["pass_filenames"] for h in listed)


@pytest.mark.parametrize("text, code", [(FINE, 0), (WRONG, 1), (UNSEEN, 3)])
def test_the_steps_of_the_action_run(shop, text, code):
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    change(shop, text)
    inputs = {name: str(spec["default"]) for name, spec in action["inputs"].items()} | {"base": "HEAD"}
    places = {
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_OUTPUT": str(shop.tmp / "out"),
        "GITHUB_STEP_SUMMARY": str(shop.tmp / "summary"),
        "RUNNER_TEMP": str(shop.tmp),
    }
    for step in action["runs"]["steps"]:
        env = {k: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: inputs[m[1]], v) for k, v in step.get("env", {}).items()}
        done = shop("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"], **places, **env)
        if done.returncode:
            break
    assert done.returncode == code, done.stderr
    assert str(ROOT) in (shop.tmp / "installed").read_text()
    assert f"code={code}" in (shop.tmp / "out").read_text()
    assert (shop.tmp / "summary").read_text().startswith("### verify: ")
    assert '"2.1.0"' in (shop.tmp / "verify.sarif").read_text()
    assert ("::error file=living.md,line=3" in done.stdout) is (code == 1)


@pytest.mark.parametrize("text, code", [(FINE, 0), (WRONG, 1), (UNSEEN, 3)])
def test_the_script_of_the_gitlab_template_runs(shop, text, code):
    job = yaml.safe_load((ROOT / "templates" / "gitlab.yml").read_text())["verify-gate"]
    change(shop, text)
    done = shop("bash", "-e", "-c", "\n".join(job["script"]), CI_MERGE_REQUEST_DIFF_BASE_SHA="HEAD", **job["variables"])
    assert done.returncode == code, done.stderr
    assert ("critical" in (shop.folder / "gl-code-quality.json").read_text()) is (code == 1)
    assert (shop.folder / "verify-junit.xml").read_text().startswith("<?xml")


def test_every_command_that_the_page_names_can_be_given():
    text = re.sub(r"\$\([^)]*\)", "x.md", (ROOT / "docs" / "places.md").read_text(encoding="utf-8"))
    named = re.findall(r"\bverify ((?:gate|run|report|status|reconcile|init)\b[^`\n&|'>]*)", text)
    assert len(named) > 10
    for words in named:
        clean = words.replace('"', "").split()
        if clean != ["gate"]:
            parser([clean[0]]).parse_args(clean)


def test_an_annotation_stands_at_its_line_whatever_the_folder_is_called(shop):
    change(shop, WRONG)
    done = shop("verify", "gate", "living.md", "--staged", "--format", "github")
    assert done.returncode == 1 and "file=living.md,line=3" in done.stdout
