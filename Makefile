# Two commands do everything: `make run`, `make test`.
VENV ?= .venv
PY = $(VENV)/bin/python
STAMP = $(VENV)/.installed
ifeq ($(origin VENV),command line)
READY =
export PYTHONPATH = $(CURDIR)
else
READY = $(STAMP)
endif
EXAMPLE = build/example

.DEFAULT_GOAL := help
.PHONY: help setup run check test bench bench-quick record replica docs clean

help: ## list these targets
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 13

$(STAMP): requirements.lock pyproject.toml
	python3 -m venv $(VENV)
	$(PY) -m pip install --quiet --require-hashes -r requirements.lock
	$(PY) -m pip install --quiet --no-deps --no-build-isolation -e .
	touch $(STAMP)

setup: $(READY) ## make the virtual environment from the lock

run: $(READY) ## verify the briefing in examples/ on an embedded ledger
	rm -rf $(EXAMPLE) && mkdir -p build && cp -R examples $(EXAMPLE)
	cd $(EXAMPLE) && $(abspath $(PY)) -m verifier run briefing.md --offline
	cd $(EXAMPLE) && $(abspath $(PY)) -m verifier report --as-of 2026-10-04
	@echo "Results: $(EXAMPLE)/claims (claims, evidence, ledger) and $(EXAMPLE)/reports; what was planted: examples/README.md"

check: $(READY) ## lint, format, types, import contracts
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy verifier
	$(VENV)/bin/lint-imports

test: check ## all checks and all tests
	$(PY) -m pytest

bench: $(READY) ## measure speed and memory beside peers, into benchmarks/results and docs/benchmarks.md (NAME=… for one part)
	$(PY) -m benchmarks $(NAME)

bench-quick: $(READY) ## three minutes: exit 1 where something has become slower than benchmarks/limits.toml allows
	$(PY) -m benchmarks --quick $(NAME)

record: $(READY) ## record the cassettes anew from the real services (needs internet)
	$(PY) -m pytest -m vcr --record-mode=rewrite --allowed-hosts='.*'

replica: $(READY) ## answer for arXiv and GitHub from facts, on this machine (tests/replica)
	$(PY) -m tests.replica.server --port 8010

docs: $(READY) ## write docs/schema and docs/rules.md anew
	$(PY) -m verifier schema --out docs/schema
	$(PY) docs/schema/worked.py
	$(PY) -m verifier rules pages > docs/rules.md

clean: ## remove what was made, keep the ledger
	rm -rf build dist .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
