# Two commands are all that a new machine needs: `make demo` and `make test`. See `make help`.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
export HOME := $(or $(HOME),$(shell echo ~))

PYTHON ?= python3
VENV := .venv/bin
VERSION := $(shell cat VERSION)
JAR := python/streamon/jars/streamon-spark-4.2_2.13-$(VERSION).jar
# Folders too: a file that went away changes its folder's time.
SCALA := $(shell find jvm/*/src/main) build.sbt project/build.properties project/plugins.sbt VERSION
PROVE := org.streamon.tags.Prove

# Spark starts its Python workers by this name; without it they would be the system's.
export PYSPARK_PYTHON := $(CURDIR)/$(VENV)/python

.PHONY: help
help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 16

.PHONY: demo
demo: ## Stream real flights through an adaptive filter and a join; writes one HTML page
	@$(MAKE) --no-print-directory --jobs=2 $(JAR) .venv/lab
	@$(VENV)/streamon demo

.PHONY: test
test: check-scala check-python test-scala test-python ## Format, lint, types, ScalaTest and pytest

.PHONY: prove
prove: $(JAR) .venv/dev ## What takes longer: the tests marked as proofs
	./sbt "testOnly -- -n $(PROVE)"

.PHONY: bench
bench: $(JAR) .venv/lab ## Measure adaptive filters and joins, caches and constraints, against stock Spark
	$(VENV)/streamon bench filters --json benchmarks/results/filters.json
	$(VENV)/streamon bench joins --json benchmarks/results/joins.json
	$(VENV)/streamon bench caching --json benchmarks/results/caching.json
	$(VENV)/streamon bench constraints --json benchmarks/results/constraints.json

.PHONY: docs
docs: $(JAR) .venv/lab ## Write docs/configuration.md anew from the settings in the code
	project/conf-reference > docs/configuration.md

.PHONY: jar
jar: $(JAR) ## Build the jar where the Python package carries it

.PHONY: format
format: .venv/dev ## Format the Scala and the Python
	./sbt scalafmtAll scalafmtSbt scalafixAll
	$(VENV)/ruff check --fix
	$(VENV)/ruff format

.PHONY: clean
clean: ## Remove what was built, the virtual environment too
	rm -rf .venv target project/target project/project jvm/*/target dist python/streamon/jars \
	  .pytest_cache .mypy_cache .ruff_cache .hypothesis

.PHONY: check-scala
check-scala: | tools
	./sbt scalafmtCheckAll scalafmtSbtCheck "scalafixAll --check"

.PHONY: check-python
check-python: .venv/dev
	$(VENV)/ruff check
	$(VENV)/ruff format --check
	$(VENV)/mypy

.PHONY: test-scala
test-scala: | tools
	./sbt "testOnly -- -l $(PROVE)"

.PHONY: test-python
test-python: $(JAR) .venv/dev
	$(VENV)/pytest

.PHONY: tools
tools:
	@project/check-tools $(PYTHON)

$(JAR): $(SCALA) | tools
	@echo "Building the jar"
	@rm -rf $(@D)
	@./sbt -warn spark/package
	@touch $@

.venv/lab .venv/dev: pyproject.toml VERSION | tools
	@echo "Installing what the Python package needs into .venv"
	@test -x $(VENV)/python || $(PYTHON) -m venv .venv
	@$(VENV)/pip install --quiet --disable-pip-version-check --editable ".[$(@F)]"
	@touch $@
