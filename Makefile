# `make` prints the menu. PYTHON chooses the Python that .venv is made with: make setup PYTHON=python3.12
PYTHON ?= python3
BIN := .venv/bin

# Packages are installed without bytecode: each module is compiled where it is first used, and kept. Where the environment forbids
# that, as images for containers do, every process would compile all that it imports anew: seconds each.
export PYTHONDONTWRITEBYTECODE :=

.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help setup demo crawl serve up down test lint types imports format bench lock clean

help:  ## this menu
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:  ## environment, packages, browser, database; quick when all is there
	@$(PYTHON) tools/setup.py

demo: setup  ## watch the crawler find divergences on pages made for it, no network
	@$(BIN)/crawler demo

crawl: setup  ## visit every public site of the shipped list, once
	@$(BIN)/crawler run --once

serve: setup  ## look at what is stored: pages and API at http://127.0.0.1:8000/; Ctrl-C stops
	@$(BIN)/api serve

up:  ## all of it in containers: database, crawler, API; builds, starts, waits until all are well. CRAWLERS=3 starts three
	@$(PYTHON) tools/compose.py up $(if $(CRAWLERS),crawler=$(CRAWLERS))

down:  ## stop the containers; what is stored stays. VOLUMES=1 removes that too
	@$(PYTHON) tools/compose.py down $(if $(VOLUMES),--volumes)

# Types are checked beside the tests, which leave a core idle now and then; what mypy says comes after theirs.
test: setup lint imports  ## everything CI asks: lint, format, imports, types, tests
	@said=$$(mktemp); $(BIN)/mypy >"$$said" 2>&1 & types=$$!; trap "kill $$types 2>/dev/null" INT TERM; \
	$(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder -m "not slow and not gpu"; tests=$$?; \
	wait $$types; types=$$?; echo $(BIN)/mypy; cat "$$said"; rm "$$said"; exit $$((tests || types))

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
