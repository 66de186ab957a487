# Two commands for a newcomer: `make demo` and `make test`; both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: setup demo test lint soak bench clean

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(STAMP)

demo: setup
	$(BIN)/rulewright check games/*.yaml
	$(BIN)/rulewright play games/rabbit_race.yaml --players 3 --seats random,random,random --seed 7

test: setup
	$(BIN)/python -m pytest -n auto

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# BUDGET: how many random programs, files and mutants; SEED: another one finds other faults
BUDGET ?= 2000
SEED ?= 1
DEEP := native_stateful native_lockstep native_passes native_mutants random_rules

soak: setup
	for game in games/*.yaml; do $(BIN)/rulewright fuzz $$game --games 10000 || exit 1; done
	RULEWRIGHT_SOAK=$(BUDGET) RULEWRIGHT_SEED=$(SEED) $(BIN)/python -m pytest -n auto \
	  $(DEEP:%=tests/test_%.py)

bench: setup
	$(BIN)/python -m benchmarks.peers
	$(BIN)/python -m benchmarks $(BENCH)

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache
