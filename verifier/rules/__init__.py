"""FAMILY `kind: count` is count.py: `judge(rule, context)` yields Findings. Rules are YAML, `verify-rules/1`."""

from __future__ import annotations

from verifier.rules._base import Context, Rule, fact
from verifier.rules._load import load, load_file, same
from verifier.rules._pages import TestResult, explain, pages, run_tests, template
from verifier.rules._suppressions import suppressions

__all__ = ["Context", "Rule", "TestResult", "explain", "fact", "load", "load_file", "pages", "run_tests", "same", "suppressions", "template"]
