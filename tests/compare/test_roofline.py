"""Upper bounds of a stated configuration, worked by hand."""

from __future__ import annotations

import pytest

import verifier
from verifier.compare.roofline import beyond, roofline
from verifier.models import Condition


def limits(**said):
    return roofline({n: Condition(value=v, origin="clause", line=1) for n, v in said.items()})


FULL = {"accelerator": "H100", "accelerator_form_factor": "SXM", "accelerator_count": "4", "model": "Llama-3.1-70B", "precision": "FP8"}


def test_one_stream_reads_the_weights_once_a_token():
    limit = limits(**FULL).get("decode_stream")
    assert limit.value == pytest.approx(4 * 3.35e12 / 70e9)
    assert "4 × 3.35 TB/s" in limit.working and "no speculative decoding" in limit.assumed


def test_a_token_takes_two_operations_a_parameter():
    assert limits(**FULL).get("aggregate").value == pytest.approx(4 * 1978.9e12 / 140e9)


def test_only_the_active_parameters_are_read_but_all_are_stored():
    found = limits(**FULL | {"model": "Qwen3-30B-A3B", "precision": "BF16"})
    assert found.get("decode_stream").value == pytest.approx(4 * 3.35e12 / 6e9)
    assert found.get("memory").value == 60e9


@pytest.mark.parametrize("count, word", [("1", "do not fit"), ("2", "fit in")])
def test_weights_fit_or_do_not(count, word):
    assert word in limits(**FULL | {"accelerator_count": count, "precision": "FP8", "model": "Llama-3.1-120B"}).get("memory").working


def test_an_unstated_form_counts_as_the_best_and_says_so():
    found = limits(accelerator="H100").get("bandwidth")
    assert found.value == 3.9e12
    assert any("best form" in words for words in found.assumed)


def test_what_would_need_a_guess_is_left_out_and_named():
    found = limits(accelerator="H200", model="Qwen3-8B")
    assert found.get("decode_stream") is None
    assert {"accelerator_count", "precision"} <= set(found.missing)
    assert limits(accelerator="Ascend 910B").get("compute") is None


def test_parallelism_gives_the_count_where_none_is_stated():
    found = limits(**{k: v for k, v in FULL.items() if k != "accelerator_count"}, tensor_parallel="2", pipeline_parallel="2").get("decode_stream")
    assert found.value == pytest.approx(4 * 3.35e12 / 70e9)
    assert "4 accelerators, from the parallelism" in found.assumed


def test_four_bit_weights_with_sixteen_bit_arithmetic():
    found = limits(**FULL | {"precision": "W4A16"})
    assert found.get("decode_stream").value == pytest.approx(4 * 3.35e12 / 35e9)
    assert "989.4" in found.get("aggregate").working


@pytest.mark.parametrize(
    "text, limit",
    [
        ("8×H200 上以 FP8 运行 Llama-3.1-70B，吞吐 230,000 tok/s", "aggregate"),
        ("FlashInfer on one H100 SXM with BF16 achieved 1,240 TFLOPS", "compute"),
        ("L4 显存带宽 870 GB/s", "bandwidth"),
        ("4×H100 SXM FP8 Llama-3.1-70B, batch size 1: 480 tok/s", "decode_stream"),
    ],
)
def test_a_figure_beyond_the_hardware_is_found(text, limit):
    found = beyond(verifier.extract(text)[-1])
    assert found.limit.name == limit
    assert found.by > 1


@pytest.mark.parametrize(
    "text",
    [
        "8×H200 上以 FP8 运行 Llama-3.1-70B，吞吐 23,000 tok/s",
        "FlashInfer on one H100 SXM with BF16 achieved 640 TFLOPS",
        "L4 显存带宽 300 GB/s",
        "吞吐 230,000 tok/s",
        "H200 上吞吐提升 70%",
    ],
)
def test_a_figure_within_the_hardware_or_of_none_is_left_alone(text):
    assert beyond(verifier.extract(text)[-1]) is None
