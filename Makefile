# `make` alone lists what there is. Everything that needs the set-up runs it first; it is quick when there is nothing to do.

BIN := .venv/bin
PACKAGES := dealer_assist firmware_protocol hw_sim
# One worker more than two processors: many cases wait for ports and processes. Those that share a service (pcscd) carry an xdist_group
# and stay on one worker.
PYTEST_FLAGS ?= -n 3 --dist loadgroup
# What reaches the rules. The scenarios are played here under every house, and by test_scenario_replay through both commands under one each.
# The thousands of real cash hands reach nothing that those do not, and are three times as quick without a trace.
COVERING := $(filter-out %/test_cash_hands.py,$(wildcard tests/table/test_*.py tests/procedure/test_*.py)) tests/procedure/scenario_replays.py

.DEFAULT_GOAL := help
.PHONY: help setup demo test coverage mutation check lint types imports generated sources format bench accuracy looks fuzz differential quiet lock clean

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

setup: ## install what is missing: packages of the system, then .venv from the locked requirements
	@scripts/setup.sh

demo: setup ## deal hands at a simulated table and watch the station; ends by itself
	@$(BIN)/dealer-assist demo

test: setup ## the whole test suite: what covers the rules under coverage, then the rest
	@failed=0; $(MAKE) --no-print-directory coverage || failed=1; \
	$(BIN)/python -m pytest $(PYTEST_FLAGS) $(addprefix --ignore=,$(COVERING)) || failed=1; exit $$failed

coverage: setup ## branch coverage of the rules: the tests that reach dealer_assist/procedure, at least 98 %
	@rm -f .coverage .coverage.*
	$(BIN)/python -m coverage run --source=dealer_assist/procedure -m pytest $(PYTEST_FLAGS) $(COVERING)
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage report --show-missing --skip-covered --precision=2 --fail-under=98

mutation: setup ## change the rules one place at a time and list what no test notices (docs/mutation.md); half an hour
	@rm -rf mutants
	@failed=0; REPLAY_HOUSES=one $(BIN)/python scripts/mutation_run.py || failed=1; \
	$(BIN)/python scripts/mutants_left.py; exit $$failed

check: lint types imports generated sources ## all that needs no test: the next five (make -k check goes on after a finding)

lint: setup ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup ## mypy --strict
	$(BIN)/mypy --strict $(PACKAGES)

imports: setup ## who may import whom
	$(BIN)/lint-imports --no-cache

generated: setup ## generated files are those that their declarations make; every irregularity has its scenario
	$(BIN)/python -m firmware_protocol.generate --check
	$(BIN)/python scripts/socket_schema.py --check
	$(BIN)/python scripts/catalogue_table.py --check
	$(BIN)/python scripts/alignment_table.py --check
	$(BIN)/python scripts/fault_table.py --check

sources: setup ## lock files without addresses, pure packages, log events
	$(BIN)/python scripts/check_sources.py

format: setup ## format the sources
	$(BIN)/ruff format .

bench: setup ## measure against PokerKit, SQLite and the goals of docs/architecture.md
	@for bench in tests/bench/bench_*.py; do echo "== $$bench"; $(BIN)/python "$$bench" || exit 1; done

accuracy: HANDS = 50000
accuracy: setup ## false words, what is found and how soon under noise, beside a debounce decider (HANDS=n of each profile; hours)
	@$(BIN)/python -m tests.bench.bench_accuracy --hands $(HANDS) --page docs/accuracy.md

FUZZ_SECONDS ?= 300
fuzz: setup ## hostile bytes and files for every parser, with libFuzzer for the C one (FUZZ_SECONDS=n; docs/fuzzing.md)
	@scripts/fuzz.sh $(FUZZ_SECONDS)

RANDOM_HANDS ?= 20000
differential: setup ## random hands of every game against PokerKit, every decision (RANDOM_HANDS=n; some minutes)
	@$(BIN)/python -m tests.betting.differential $(RANDOM_HANDS)

looks: setup ## every screen at 150 % in three languages at both sizes, and a contact sheet of all in var/looks
	LOOKS=all QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -q -p no:xdist tests/station/test_references.py
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m dealer_assist.station.shots --sheet var/looks

DESTDIR ?=
install: ## put the program on a table's machine, as root (docs/install.md); DESTDIR=folder: only the files, there
	@deploy/install.sh $(if $(DESTDIR),--root "$(DESTDIR)")

HANDS ?= tests/data/pluribus_sample.phhs tests/data/cash_sample.ohh.jsonl
quiet: setup ## what is said about real hands in which nothing is wrong, under all houses (HANDS=file for others than the samples)
	@$(BIN)/python scripts/quiet_hands.py $(HANDS)

lock: setup ## make requirements/*.txt anew from requirements/*.in
	scripts/lock.sh

clean: ## remove what was made here: .venv, caches, builds, recordings under var/
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist var *.egg-info
	find $(PACKAGES) tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +
