PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: demo test lint perf docs clean

demo: $(READY)
	$(BIN)/wug run bliss/demo --store demo
	$(BIN)/wug run find/demo --store demo
	$(BIN)/wug run mlregtest/demo --store demo
	$(BIN)/wug report --store demo -o demo/report
	@echo "Open demo/report/index.html"

test: $(READY)
	$(BIN)/python -m pytest -n auto --dist loadgroup

lint: $(READY)
	$(BIN)/ruff check src tests performance
	$(BIN)/ruff format --check src tests performance
	$(BIN)/mypy

perf: $(READY)
	$(BIN)/python -m pytest performance --benchmark-only -s

docs: $(READY)
	$(BIN)/zensical build --clean

$(READY): requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $(READY)

clean:
	rm -rf $(VENV) demo site
