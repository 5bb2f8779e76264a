# `make` prints the menu. PYTHON chooses the Python that .venv is made with: make setup PYTHON=python3.12
PYTHON ?= python3
BIN := .venv/bin

.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help setup demo crawl up down test lint types imports format bench lock clean

help:  ## this menu
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:  ## environment, packages, browser, database; quick when all is there
	@$(PYTHON) tools/setup.py

demo: setup  ## watch the crawler find divergences on pages made for it, no network
	@$(BIN)/crawler demo

crawl: setup  ## visit every site of the list that is due, once
	@$(BIN)/crawler run --once

up:  ## all of it in containers: database, crawler, API; builds, starts, waits until all are well. CRAWLERS=3 starts three
	@$(PYTHON) tools/compose.py up $(if $(CRAWLERS),crawler=$(CRAWLERS))

down:  ## stop the containers; what is stored stays. VOLUMES=1 removes that too
	@$(PYTHON) tools/compose.py down $(if $(VOLUMES),--volumes)

test: setup lint types imports  ## everything CI asks: lint, format, types, imports, tests
	@$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not slow and not gpu"

test-slow: setup  ## what takes longer than CI has
	@$(BIN)/pytest -m slow

lint: setup  ## ruff: rules and formatting, changes nothing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup  ## mypy, strict
	$(BIN)/mypy

imports: setup  ## the import law of docs/architecture.md
	$(BIN)/lint-imports

format: setup  ## ruff: mend what can be mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench:  ## list the benchmarks and how to run each
	@for file in bench/*/__main__.py; do \
	  [ -f "$$file" ] || { echo '  no benchmarks yet'; continue; }; name=$${file#bench/}; \
	  printf '  $(BIN)/python -m bench.%-10s %s\n' "$${name%/__main__.py}" "$$(sed -n '1s/^"""//p' "$$file")"; \
	done

lock:  ## write requirements.lock anew; needs Python 3.11
	$(PYTHON) tools/lock.py

clean:  ## remove .venv and caches; the database in .data stays
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist
	find . -name __pycache__ -not -path './.data/*' -prune -exec rm -rf {} +
