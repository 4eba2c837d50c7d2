# Every target sets up what it needs: a virtual environment in .venv with locked, hash-checked dependencies.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
DEMO_DATA := .docmind/demo

.PHONY: help demo test check format bench wheels docs serve test-services test-web test-image test-training test-fresh lock pictures web-parts weights reader judge embedder examples calibration clean
.DEFAULT_GOAL := help

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

demo: .venv/.base ## Ingest the bundled examples, search them and ask them
	@DOCMIND_DATA_DIR=$(DEMO_DATA) PATH="$(CURDIR)/$(BIN):$$PATH" sh scripts/demo.sh

# Half a minute of preparing the tests is spent once and not every time, even where Python is told to write no bytecode.
test: .venv/.dev ## Run the tests
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

check: .venv/.dev ## Lint, types, layers, format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.dev ## Put the code into the house format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.base ## Run every benchmark but scale (DOCMIND_BENCH_DATA names the folder with the public sets)
	commit=$$(git describe --always --exclude='*' --dirty=' with changes' || echo not recorded) && \
		$(BIN)/docmind bench --json bench.json && \
		$(BIN)/python scripts/write_results.py bench.json --commit "$${commit}"

wheels: .venv/.base ## Build the wheels of docmind and docmind-bench into dist/
	$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist . ./bench

docs: .venv/.base ## Write the pages that are generated from the code
	$(BIN)/python scripts/write_docs.py
	$(BIN)/python scripts/write_faults.py

serve: .venv/.base ## Start the service
	$(BIN)/docmind serve

test-services: .venv/.dev ## Run the tests that need a Qdrant or PostgreSQL server or a chat model, where these can be had
	$(BIN)/python scripts/test_services.py

test-web: .venv/.dev ## Run the tests of the page in a real browser, where one can be had
	$(BIN)/python scripts/test_web.py

test-image: .venv/.dev ## Build and run the image, by Docker or in clean folders, where one of them can be had
	$(BIN)/python scripts/test_image.py

test-training: .venv/.dev ## Run the tests of training, which need torch
	$(PIP) install -r training/requirements.txt
	PYTHONPATH=scripts:. $(BIN)/pytest tests/training

test-fresh: ## Do in a fresh clone what the README promises (COMMANDS=demo for a part of it)
	$(PYTHON) scripts/test_fresh.py $(COMMANDS)

lock: .venv/.dev ## Resolve the dependencies anew
	$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
		--custom-compile-command "make lock" --upgrade --quiet \
		--all-extras --group dev --group make pyproject.toml -o requirements/dev.lock
	$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
		--custom-compile-command "make lock" --quiet \
		--extra server --group build -c requirements/dev.lock pyproject.toml -o requirements/base.lock
	$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
		--custom-compile-command "make lock" --quiet \
		--extra server --extra postgres --extra qdrant --extra telemetry --group build \
		-c requirements/dev.lock pyproject.toml -o requirements/service.lock

pictures: .venv/.dev ## Take the pictures of docs/web.md anew (needs Chromium, as test-web does)
	$(BIN)/python scripts/take_pictures.py

web-parts: .venv/.dev ## Fetch the page's third-party parts as they are pinned (needs npm)
	$(BIN)/python scripts/vendor_web.py

weights: .venv/.dev ## Build the embedder static from its published weights (minilm, trained further, stays)
	$(BIN)/python scripts/build_weights.py

reader: .venv/.dev ## Train the reader that ships (DATA: the folder with the public sets; TEACHER: a GGUF file; wants a GPU)
	$(PIP) install -r training/requirements.txt
	PYTHONPATH=scripts $(BIN)/python -m training --data "$(DATA)" $(if $(TEACHER),--teacher "$(TEACHER)") \
		--weights src/docmind/models/weights

judge: .venv/.dev ## Train the judge of claims that ships, from the reader (DATA: the folder with the public sets; wants a GPU)
	$(PIP) install -r training/requirements.txt
	PYTHONPATH=scripts $(BIN)/python -m training --judge --data "$(DATA)" --out build/judge \
		--weights src/docmind/models/weights

embedder: .venv/.dev ## Train the embedder minilm that ships, from what `make reader` built (wants a GPU)
	$(PIP) install -r training/requirements.txt
	PYTHONPATH=scripts $(BIN)/python -m training pairs embedder ship_embedder --weights src/docmind/models/weights

examples: .venv/.dev ## Build the example corpora
	$(BIN)/python scripts/build_examples.py

calibration: .venv/.dev ## Fit every score that is a probability
	for fit in relevance support yes_no answer drafts conflicts finance messages; do \
		PYTHONPATH=. $(BIN)/python scripts/fit_$$fit.py || exit 1; done

clean: ## Remove what was built
	rm -rf .venv .docmind .services .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "DocMind needs Python 3.11 or newer; set PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.base: .venv/bin/python requirements/base.lock pyproject.toml bench/pyproject.toml
	$(PIP) install --require-hashes -r requirements/base.lock
	$(PIP) install --no-deps --no-build-isolation -e . -e bench
	@touch $@

.venv/.dev: .venv/bin/python requirements/dev.lock pyproject.toml bench/pyproject.toml
	$(PIP) install --require-hashes -r requirements/dev.lock
	$(PIP) install --no-deps --no-build-isolation -e . -e bench
	@touch .venv/.base $@
