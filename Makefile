# Two commands are all that a new machine needs: `make demo` and `make test`. See `make help`.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
export HOME := $(or $(HOME),$(shell echo ~))

PYTHON ?= python3
VENV := .venv/bin
VERSION := $(shell cat VERSION)
# Lines of Spark, the main one first, and versions: see project/spark-lines.
LINES := $(shell awk '!/^\#/ { print $$1 }' project/spark-lines)
SPARK := $(shell awk '!/^\#/ { print $$2; exit }' project/spark-lines)
OTHERS := $(filter-out $(SPARK),$(shell awk '!/^\#/ { for (i = 2; i <= NF; i++) print $$i }' project/spark-lines))
# The latest Spark whose own suites are on Maven Central.
SUITES := $(shell sed -n 's/^val onMavenCentral = "\(.*\)"/\1/p' build.sbt)
JARS := $(LINES:%=python/streamon/jars/streamon-spark-%_2.13-$(VERSION).jar)
JAR := $(firstword $(JARS))
ALL_JARS := $(lastword $(JARS))
LAB := jvm/lab/target/streamon-lab.jar
# Folders too: a file that went away changes its folder's time.
BUILD := build.sbt $(shell ls project/*.properties project/*.sbt project/*.scala) project/spark-lines VERSION
SOURCES := $(shell find jvm/core/src/main jvm/spark/src/main) $(wildcard python/streamon_worker/*.py) $(BUILD)
# The sbt project of a line, or of a version of it: spark43 for 4.3 and for 4.3.0.
project = spark$(subst .,,$(shell cut -d. -f1,2 <<< $(1)))
# One after the other, since lines share their source.
PROJECTS := core lab prices sparkSuites $(foreach line,$(LINES),$(call project,$(line)))
PROVE := org.streamon.tags.Prove
# Files of tests in two processes. Much of their time a JVM starts or waits.
SIDE_BY_SIDE := --numprocesses 2 --dist loadfile

# Spark starts its Python workers by this name; without it they would be the system's.
export PYSPARK_PYTHON := $(CURDIR)/$(VENV)/python

.PHONY: help
help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 16

.PHONY: demo
demo: ## Stream real flights through an adaptive filter and a join; writes one HTML page
	@$(MAKE) --no-print-directory --jobs=2 $(JAR) .venv/lab
	@$(VENV)/streamon-lab demo

.PHONY: test
test: check-scala check-python test-scala test-python ## Format, lint, types, ScalaTest and pytest

.PHONY: test-lines
test-lines: $(OTHERS:%=test-on-%) test-other-sparks ## What `make test` runs, on each other version of Spark

.PHONY: prove
prove: $(ALL_JARS) .venv/dev ## What takes longer: the tests marked as proofs
	./sbt "core/testOnly -- -n $(PROVE)" "lab/testOnly -- -n $(PROVE)" \
	  "$(call project,$(SPARK))/testOnly -- -n $(PROVE)" "sparkSuites/testOnly -- -n $(PROVE)"
	$(VENV)/pytest -m prove
	@$(MAKE) --no-print-directory test-lines

# Without Flink's Python the joins are compared with Spark alone, and the result does not replace that with Flink.
FLINK ?=
BENCH := $(VENV)/streamon-lab bench
RESULTS := benchmarks/results

.PHONY: bench
bench: $(JAR) .venv/lab ## Measure everything against stock Spark; with FLINK=/its/bin/python joins on Flink too
	$(BENCH) filters --json $(RESULTS)/filters.json
	$(BENCH) joins $(if $(FLINK),--flink $(FLINK)) --json $(RESULTS)/joins$(if $(FLINK),,-without-flink).json
	$(BENCH) caching --json $(RESULTS)/caching.json
	$(BENCH) constraints --json $(RESULTS)/constraints.json
	$(BENCH) routes --json $(RESULTS)/routes.json
	$(BENCH) python --json $(RESULTS)/python.json
	$(BENCH) selections --json $(RESULTS)/selections.json

.PHONY: lab
lab: $(LAB) .venv/lab ## Build the lab, which repeats the thesis's experiments: `.venv/bin/streamon-lab lab`

.PHONY: prices
prices: | tools .venv/spark-$(SPARK) ## Measure what steps of joins and caches cost, and which verdicts of the lab turn on it
	./sbt "prices/Jmh/run -rf csv -rff $(CURDIR)/benchmarks/results/prices.csv" \
	  "lab/runMain org.streamon.lab.PriceSensitivity $(CURDIR)/benchmarks/results/price-sensitivity.md"

.PHONY: docs
docs: $(JAR) .venv/lab ## Write docs/reference/configuration.md anew from the settings in the code
	project/conf-reference > docs/reference/configuration.md

.PHONY: site
site: .venv/docs build/site-scripts/mermaid.tiny.js ## Build the manual as a website into build/site
	@NO_MKDOCS_2_WARNING=1 $(VENV)/mkdocs build --strict
	@echo "The website: $(CURDIR)/build/site/index.html"

build/site-scripts/%.js: project/site-scripts
	@project/site-scripts

.PHONY: jar
jar: $(ALL_JARS) ## Build the jar of each line of Spark where the Python package carries them

.PHONY: maven
maven: | tools .venv/spark-$(SPARK) ## Publish the jars with their POMs to a Maven repository in target/maven
	./sbt $(foreach line,$(LINES),$(call project,$(line))/publish)

.PHONY: wheels
wheels: $(ALL_JARS) .venv/dev ## Build the wheels and source archives of streamon and streamon-lab into dist/
	@rm -rf dist
	$(VENV)/python -m build --no-isolation --outdir dist .
	$(VENV)/python -m build --no-isolation --outdir dist python/streamon_lab

.PHONY: format
format: .venv/dev ## Format the Scala and the Python
	./sbt scalafmtSbt $(foreach p,$(PROJECTS),$(p)/scalafmtAll $(p)/scalafixAll)
	$(VENV)/ruff check --fix
	$(VENV)/ruff format

.PHONY: clean
clean: ## Remove everything that was built, generated data and virtual environments too
	rm -rf .venv .venv-* build dist target project/target project/project jvm/*/target python/streamon/jars \
	  .bsp .bloop .metals .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name .git -prune -o \( -name __pycache__ -o -name '*.egg-info' -o -name spark-warehouse \
	  -o -name metastore_db -o -name derby.log \) -prune -exec rm -rf {} +

.PHONY: check-scala
check-scala: | tools .venv/spark-$(SPARK)
	./sbt scalafmtSbtCheck $(foreach p,$(PROJECTS),$(p)/scalafmtCheckAll "$(p)/scalafixAll --check" $(p)/oneWay)

.PHONY: check-python
check-python: .venv/dev
	$(VENV)/ruff check
	$(VENV)/ruff format --check
	$(VENV)/mypy

# Each part by itself, so that with --keep-going a failure in one does not hide those of the others.
.PHONY: test-scala
test-scala: test-scala-core test-scala-lab test-scala-$(call project,$(SPARK))

test-scala-%: | tools .venv/spark-$(SPARK)
	./sbt "$*/testOnly -- -l $(PROVE)"

.PHONY: test-python
test-python: $(ALL_JARS) $(LAB) .venv/spark.jsa
	$(VENV)/pytest $(SIDE_BY_SIDE)

# Tests also run without it.
.venv/spark.jsa: tests/class_archive.py .venv/dev
	@echo "Archiving the classes of Spark, with which the JVMs of tests start in half of the time"
	-@$(VENV)/python tests/class_archive.py

# Spark's own suites are published for one version only.
test-on-%: $(ALL_JARS) $(LAB) .venv-%/dev
	./sbt -Dstreamon.spark=$* "$(call project,$*)/testOnly -- -l $(PROVE)" \
	  $(if $(filter $(SUITES),$*),"sparkSuites/testOnly -- -l $(PROVE)")
	PYSPARK_PYTHON=$(CURDIR)/.venv-$*/bin/python .venv-$*/bin/pytest $(SIDE_BY_SIDE)

.PHONY: test-other-sparks
test-other-sparks: $(ALL_JARS) .venv/dev
	$(VENV)/pytest -m other_sparks

.PHONY: tools
tools:
	@project/check-tools $(PYTHON)

# The main line alone is enough to run the demo and the benches; the last jar stands for those of all lines.
$(JAR): $(SOURCES) | tools .venv/spark-$(SPARK)
	@echo "Building the jar for Spark $(firstword $(LINES))"
	@./sbt -warn $(call project,$(SPARK))/package
	@touch $@

$(ALL_JARS): $(SOURCES) | tools .venv/spark-$(SPARK)
	@echo "Building the jars for Spark $(LINES)"
	@rm -f $(filter-out $(JARS),$(wildcard $(@D)/*.jar))
	@./sbt -warn $(foreach line,$(LINES),$(call project,$(line))/package)
	@touch $(JARS)

$(LAB): $(shell find jvm/core/src/main jvm/lab/src/main) $(BUILD) | tools .venv/spark-$(SPARK)
	@echo "Building the lab"
	@./sbt -warn lab/package
	@touch $@

.venv/spark-$(SPARK): | tools
	@PYTHON=$(PYTHON) project/install-spark $(SPARK) >/dev/null

# Both packages, editable: `lab` what the demo and the benches need, `dev` also what the tests and checks need.
PACKAGES := pyproject.toml python/streamon_lab/pyproject.toml VERSION
# One after the other: where streamon is installed, pip finds no version of it that suits both.
install = pip install --quiet --disable-pip-version-check --editable

.venv/lab: $(PACKAGES) .venv/spark-$(SPARK)
	@echo "Installing the Python packages into .venv"
	@$(VENV)/$(install) . "pyspark==$(SPARK)"
	@$(VENV)/$(install) python/streamon_lab "pyspark==$(SPARK)"
	@touch $@

.venv/dev: $(PACKAGES) .venv/spark-$(SPARK)
	@echo "Installing the Python packages, and what tests need, into .venv"
	@$(VENV)/$(install) ".[dev]" "pyspark==$(SPARK)"
	@$(VENV)/$(install) python/streamon_lab "pyspark==$(SPARK)"
	@touch $@

.venv/docs: pyproject.toml VERSION .venv/spark-$(SPARK)
	@echo "Installing what the website needs into .venv"
	@$(VENV)/$(install) ".[docs]" "pyspark==$(SPARK)"
	@touch $@

.PRECIOUS: .venv-%/dev
.venv-%/dev: $(PACKAGES) | tools
	@PYTHON=$(PYTHON) project/install-spark $* >/dev/null
	@.venv-$*/bin/$(install) ".[dev]" "pyspark==$*"
	@.venv-$*/bin/$(install) python/streamon_lab "pyspark==$*"
	@touch $@
