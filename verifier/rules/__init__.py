"""FAMILY `kind: count` is count.py: `judge(rule, context)` yields Findings. Rules are YAML, `verify-rules/1`."""

from __future__ import annotations

from verifier.rules._base import Context, Rule
from verifier.rules._load import load
from verifier.rules._pages import TestResult, explain, pages, run_tests, template

__all__ = ["Context", "Rule", "TestResult", "explain", "load", "pages", "run_tests", "template"]
