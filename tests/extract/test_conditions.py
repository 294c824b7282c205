"""Test conditions: how they are written, and from which scope each claim has them."""

from __future__ import annotations

import pytest

import verifier


def conditions(text, number=-1):
    """{name: value} of the claim at an index; the last one, as the setup stands before its result."""
    return {name: c.value for name, c in verifier.extract(text)[number].conditions.items()}


def origins(text, number=-1):
    return {name: (c.value, c.origin) for name, c in verifier.extract(text)[number].conditions.items()}


@pytest.mark.parametrize(
    "text, expected",
    [
        (
            "H100 SXM 80GB TP=4 FP8 Llama-3.1 70B 吞吐 3,150 tok/s",
            {
                "accelerator": "H100",
                "accelerator_form_factor": "SXM",
                "accelerator_memory": "80GB",
                "tensor_parallel": "4",
                "precision": "FP8",
                "model": "Llama-3.1 70B",
            },
        ),
        ("8×H20 上吞吐 900 tok/s", {"accelerator": "H20", "accelerator_count": "8"}),
        ("throughput of 900 tok/s on 8xH100", {"accelerator": "H100", "accelerator_count": "8"}),
        ("throughput of 900 tok/s on 4x H200 SXM", {"accelerator": "H200", "accelerator_count": "4", "accelerator_form_factor": "SXM"}),
        ("throughput of 900 tok/s on 4 NVIDIA A100 80GB GPUs", {"accelerator": "A100", "accelerator_count": "4", "accelerator_memory": "80GB"}),
        ("GB200 NVL72 throughput 9,100 tok/s", {"accelerator": "GB200", "accelerator_form_factor": "NVL72"}),
        ("12 GPUs (1P1D) at 2,050 tok/s", {"accelerator_count": "12", "workload": "1P1D"}),
        ("ISL/OSL 1024/1024: 700 tok/s", {"input_tokens": "1024", "output_tokens": "1024"}),
        ("1024 in/1024 out 配置下 700 tok/s", {"input_tokens": "1024", "output_tokens": "1024"}),
        ("at 1K/8K it reached 700 tok/s", {"input_tokens": "1K", "output_tokens": "8K"}),
        ("BS=1-10 时 700 tok/s", {"batch_size": "1-10"}),
        ("700 tok/s with bs 64", {"batch_size": "64"}),
        ("700 tok/s at concurrency 32", {"concurrency": "32"}),
        ("32 并发下 700 tok/s", {"concurrency": "32"}),
        ("W4A8KV4 下 700 tok/s", {"precision": "W4A8KV4", "kv_precision": "KV4"}),
        ("NVFP4 weights gave 700 tok/s", {"precision": "NVFP4"}),
        ("昇腾 910B 上 700 tok/s", {"accelerator": "Ascend 910B"}),
        ("A100 80GB + Llama-2-7B 测得 700 tok/s", {"accelerator": "A100", "accelerator_memory": "80GB", "model": "Llama-2-7B"}),
        ("SGLang v0.4.3 serves 700 tok/s", {"engine": "SGLang", "engine_version": "0.4.3"}),
        ("Qwen3-30B-A3B-FP8 decodes at 700 tok/s", {"model": "Qwen3-30B-A3B-FP8", "precision": "FP8"}),
        ("H100 with TP4 runs a 70B at 2,900 tok/s", {"accelerator": "H100", "tensor_parallel": "4", "model": "70B"}),
        ("8-way tensor parallel: 700 tok/s", {"tensor_parallel": "8"}),
        ("KV cache FP8 时 700 tok/s", {"kv_precision": "FP8", "precision": "FP8"}),
        ("2 nodes over InfiniBand: 700 tok/s", {"number_of_nodes": "2", "accelerator_interconnect": "InfiniBand"}),
    ],
)
def test_a_condition_is_read_as_the_field_writes_it(text, expected):
    found = conditions(text)
    assert {name: found.get(name) for name in expected} == expected


@pytest.mark.parametrize("text", ["gained 27 pp 3 times", "HTTP2 served 700 tok/s", "显存占用降低 4.6x A1000 倍", "the shape step 4 took 12 ms"])
def test_what_only_resembles_a_condition_is_none(text):
    assert all(not c.conditions for c in verifier.extract(text))


def test_the_nearest_name_wins():
    text = "H100 吞吐 vLLM ~11,500 tok/s / SGLang ~15,200 tok/s"
    assert [c.conditions["engine"].value for c in verifier.extract(text)] == ["vLLM", "SGLang"]


def test_a_contrast_ends_a_scope():
    first, second = verifier.extract("TP=4、FP8 的 H100 达 3,100 tok/s，而 A100 只有 1,200 tok/s")
    assert first.conditions["tensor_parallel"].value == "4"
    assert {n: c.value for n, c in second.conditions.items()} == {"accelerator": "A100"}


def test_nothing_is_inherited_across_unlike_subjects():
    text = "# Notes\n\nThe H100 nodes ran FP8 with TP=8.\n\nMI300X throughput reached 2,100 tok/s.\n"
    assert conditions(text) == {"accelerator": "MI300X"}


def test_what_a_figure_is_compared_with_is_no_condition():
    assert conditions("SGLang is 1.7x faster than vLLM on H200") == {"engine": "SGLang", "accelerator": "H200"}
    assert conditions("FP8 latency is 31% lower than FP16 on H100")["precision"] == "FP8"
    assert "model" in conditions("1.7x faster TTFT than TGI for Llama 3.1 405B", 0)
    assert "engine" not in conditions("1.7x faster TTFT than TGI for Llama 3.1 405B", 0)


def test_two_form_factors_leave_it_open():
    assert conditions("未注明 H100 SXM vs PCIe，差异可达 20%")["accelerator_form_factor"] == "SXM vs PCIe"


def test_pcie_as_a_link_is_no_form_factor():
    assert "accelerator_form_factor" not in conditions("KV transfer over PCIe took 12 ms on H100")


TABLE = """# Serving notes

## Results on H200

| Model | Batch Size | BF16 (tok/s) | FP8 (tok/s) | Improvement |
|---|---|---|---|---|
| Qwen3-8B | 16 | 1,210 tok/s | 1,830 tok/s | 51% |
| - | 64 | 3,050 tok/s | 4,420 tok/s | 45% |

<sub>SGLang v0.5.2, TP=2, input length = 2K</sub>
"""


def test_a_cell_has_its_row_its_column_and_its_caption():
    found = origins(TABLE, 1)
    assert found["model"] == ("Qwen3-8B", "row")
    assert found["batch_size"] == ("16", "row")
    assert found["precision"] == ("FP8", "column")
    assert found["engine_version"] == ("0.5.2", "caption")
    assert found["tensor_parallel"] == ("2", "caption")
    assert found["accelerator"] == ("H200", "heading")


def test_a_dash_carries_the_value_above():
    assert origins(TABLE, 4)["model"] == ("Qwen3-8B", "row")


def test_a_column_that_compares_speaks_for_the_column_it_praises():
    assert origins(TABLE, 2)["precision"] == ("FP8", "column")


def test_a_row_that_names_one_thing_heads_the_rows_below():
    text = "| Model | tok/s |\n|---|---|\n| **H100** | |\n| Qwen3-8B | 3,050 tok/s |\n| **A100** | |\n| Qwen3-8B | 1,410 tok/s |\n"
    assert [c.conditions["accelerator"].value for c in verifier.extract(text)] == ["H100", "A100"]
    assert origins(text, 0)["accelerator"] == ("H100", "block")


def test_a_numbered_caption_below_belongs_to_the_next_table():
    text = (
        "Table 1: latency at TP8\n\n| Batch | Ours |\n|---|---|\n| 4 | 42.0 ms |\n\n"
        "Table 2: latency at TP1\n\n| Batch | Ours |\n|---|---|\n| 4 | 118.6 ms |\n"
    )
    assert [c.conditions["tensor_parallel"].value for c in verifier.extract(text)] == ["8", "1"]


def test_a_command_states_what_it_sets():
    text = (
        "## Reproduce\n\n```bash\nvllm serve meta-llama/Llama-3.1-70B-Instruct --tensor-parallel-size 8 --kv-cache-dtype fp8\n"
        "vllm bench serve --max-concurrency 32\n```\n\nThe server sustained 2,480 tok/s.\n"
    )
    found = origins(text)
    assert found["tensor_parallel"] == ("8", "command")
    assert found["kv_precision"] == ("FP8", "command")
    assert found["concurrency"] == ("32", "command")
    assert found["model"][0] == "Llama-3.1-70B-Instruct"


def test_a_lead_in_holds_for_its_bullets():
    text = "Measured on 8×H200 with TP=8:\n\n- throughput 5,100 tok/s\n- TTFT 310 ms\n"
    assert [origins(text, n)["tensor_parallel"][0] for n in (-2, -1)] == ["8", "8"]


def test_the_sole_setup_of_a_document_holds_everywhere():
    text = "# Report\n\nAll experiments run on 8×H100 SXM with BF16.\n\n## Decode\n\nDecode reached 4,300 tok/s.\n"
    found = origins(text)
    assert found["accelerator_form_factor"] == ("SXM", "paragraph")
    assert (found["accelerator_count"][0], found["precision"][0]) == ("8", "BF16")


def test_the_load_of_another_section_stays_there():
    text = "# Report\n\n## Chat\n\n测试配置：并发 64，数据集 ShareGPT\n\n## Batch\n\n吞吐 4,300 tok/s\n"
    assert "concurrency" not in conditions(text)


def test_the_title_of_the_front_matter_names_the_engine():
    text = "---\ntitle: Faster decode in vLLM\n---\n\n# Notes\n\nDecode got 31% faster.\n\nSGLang is not covered.\n"
    assert origins(text)["engine"] == ("vLLM", "front_matter")


def test_a_model_that_a_command_serves_is_known_by_name():
    text = "```\nvllm serve acme/Zeta2-Chat\n```\n\nZeta2 decodes at 410 tok/s.\n"
    assert conditions(text)["model"] == "Zeta2"


def test_a_restated_figure_keeps_the_conditions_of_its_fullest_statement():
    text = "在 8×B200、FP8 下 Kraken 解聚把吞吐提升 63%。\n\n其他。\n\n结论：Kraken 解聚 63% 提升\n"
    assert conditions(text, 1)["accelerator"] == "B200"


def test_the_release_of_a_version_claim_is_its_condition():
    assert conditions("vLLM 0.9.2（2026-05）") == {"engine": "vLLM", "engine_version": "0.9.2", "as_of": "2026-05"}


def test_a_collection_of_news_has_no_setup_for_all():
    text = "# Digest\n\n## A\n\nvLLM tests ran on 8×H100 SXM with FP8.\n\n## B\n\nSGLang and MI300X gain. TGI goes.\n\n## C\n\nLatency fell 20%.\n"
    assert conditions(text) == {}


def test_what_no_test_gives_has_nothing_from_the_document_at_large():
    text = "# Report\n\nAll experiments run on 8×H100 SXM with BF16.\n\n## People\n\nThe release has 270 contributors.\n"
    assert "precision" not in conditions(text)


def test_a_text_that_mentions_a_kernel_does_not_run_it():
    text = "# Report\n\nExperiments use FlashAttention on one H100.\n\n## Decode\n\nDecode reached 4,300 tok/s.\n"
    assert "workload" not in conditions(text)
    assert conditions("## Softmax\n\n| N | ms |\n|---|---|\n| 512 | 0.08 ms |\n")["workload"] == "Softmax, 512"


def test_the_load_told_with_a_result_is_not_that_of_the_next():
    text = (
        "# R\n\nResults on H200 show 9,000 tok/s at concurrency 64.\n\nA word on design.\n\n| Model | tok/s |\n|---|---|\n| Qwen3-8B | 700 tok/s |\n"
    )
    found = conditions(text)
    assert found["accelerator"] == "H200"
    assert "concurrency" not in found


def test_a_numbered_item_keeps_to_itself():
    text = "摘要：① Kraken 在 B200 上提速，吞吐提升 63% ② Zephyr 延迟下降 20% ③ MI300X 到货"
    assert "accelerator" in conditions(text, 0)
    assert "accelerator" not in conditions(text, 1)


def test_a_version_that_names_no_engine_is_of_none_around_it():
    assert "engine_version" not in conditions("vLLM 0.9.2 依赖 CUDA 12.4.1")
    assert conditions("vLLM 0.9.2 依赖 CUDA 12.4.1", 0)["engine_version"] == "0.9.2"
