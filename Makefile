# Needs python3 (3.11 or 3.12) with pip and venv, and make; everything else is installed into .venv by the first target that wants it.
#
#   make demo          replay the documents of an invented company, watch the index, ask it
#   make test          the tests, with a real broker and a real Milvus Lite; branch coverage of the core must be 99 %
#   make check         format, lint, types, import directions, dependencies, then the tests: what .ci/run runs
#   make test-server   the tests that need a whole Milvus server
#   make bench         the benches that take a minute each; each ends with a line RESULT {json}
#   make setup         install for development

PYTHON   ?= python3
VENV     ?= .venv
BIN      := $(VENV)/bin
PIP      := $(BIN)/python -m pip --quiet --disable-pip-version-check
CORE     := schemas derive state
PACKAGES := $(CORE) connectors retrieval flows
CODE     := $(PACKAGES) tests bench
QUICK    := work decode order prose

# What is installed, by what was asked for. Editable, so a change of code needs no new install; a change of pyproject.toml does.
RUNTIME  := $(VENV)/.runtime
DEV      := $(VENV)/.dev
SERVER   := $(VENV)/.server

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo test check format test-server bench clean

help:
	@sed -n 's/^#   //p' Makefile

setup: $(DEV)

demo: $(RUNTIME)
	$(BIN)/millstream demo

test: $(DEV)
	$(BIN)/python -m pytest -n auto --dist loadfile -m "not server" --cov --cov-report=term --cov-fail-under=99

check: $(DEV)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy $(CODE)
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(MAKE) --no-print-directory test

format: $(DEV)
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)

test-server: $(SERVER)
	$(BIN)/python -m pytest -m server

bench: $(DEV)
	@for name in $(QUICK); do echo "bench/$$name.py" && $(BIN)/python bench/$$name.py || exit 1; done
	@echo "Slower ones, each with --help: $(filter-out $(QUICK:%=bench/%.py),$(wildcard bench/*.py))"

clean:
	rm -rf $(VENV) build dist *.egg-info .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 13) else f"Python 3.11 or 3.12 is needed, not {sys.version.split()[0]}: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(RUNTIME): pyproject.toml | $(BIN)/python
	@echo "installing Millstream into $(VENV); the first time this takes some minutes"
	$(PIP) install -e .
	@touch $@

$(DEV): pyproject.toml | $(RUNTIME)
	$(PIP) install -e ".[dev]"
	@touch $@

$(SERVER): pyproject.toml | $(DEV)
	$(PIP) install -e ".[dev,server]"
	@touch $@
