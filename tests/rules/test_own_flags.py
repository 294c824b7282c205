"""What an author flags needs no flag of ours: neither in an entry of open questions nor in a warning."""

from __future__ import annotations

from tests.rules._judging import judged

FIGURE = "H100 吞吐 12,500 tok/s"


def test_a_figure_in_the_body_is_judged():
    found = judged("required-context", f"要点：\n\n{FIGURE}\n", conditions=["accelerator_form_factor"])
    assert [f.verdict for f in found] == ["fail"]


def test_a_figure_that_a_warning_quotes_is_not():
    assert judged("required-context", f"警示： - ⚠️ P1：{FIGURE} 未标型号，需核验\n", conditions=["accelerator_form_factor"]) == []


def test_a_figure_that_an_open_question_quotes_is_not():
    assert judged("required-context", f"三、待核\n\nD12：{FIGURE} 未标型号（⚠⚬）\n", conditions=["accelerator_form_factor"]) == []
