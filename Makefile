# `make` alone lists the targets. Everything lives in .venv; a second run starts at once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
AS_ROOT := $(if $(filter 0,$(shell id -u)),,sudo)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help demo lint test types matrix hooks build simulate databases shells spark browser format certified docs pictures site coverage coverage-bands peers peers-page bench bench-report bench-scale lock clean

help:  ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(VENV)/installed: pyproject.toml requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tradeoff needs Python 3.11 or newer: try make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint requirements/dev.txt --editable .
	@touch $@

$(VENV)/developing: $(VENV)/installed requirements/dev.txt
	$(PIP) install --requirement requirements/dev.txt
	@touch $@

# Playwright drives the chromium of Debian: its own downloads are not from a package registry.
$(VENV)/browsing: $(VENV)/developing
	@command -v chromium >/dev/null || { $(AS_ROOT) apt-get update --quiet=2 && \
	  $(AS_ROOT) apt-get install --yes --quiet=2 --no-install-recommends chromium fonts-dejavu-core; }
	@touch $@

$(VENV)/serving: $(VENV)/developing
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { $(AS_ROOT) apt-get update --quiet=2 && \
	  $(AS_ROOT) apt-get install --yes --quiet=2 --no-install-recommends postgresql; }
	@touch $@

$(VENV)/completing: $(VENV)/developing
	@{ command -v zsh && command -v fish; } >/dev/null || { $(AS_ROOT) apt-get update --quiet=2 && \
	  $(AS_ROOT) apt-get install --yes --quiet=2 --no-install-recommends zsh fish; }
	@touch $@

$(VENV)/sparking: $(VENV)/developing
	@command -v java >/dev/null || { $(AS_ROOT) apt-get update --quiet=2 && \
	  $(AS_ROOT) apt-get install --yes --quiet=2 --no-install-recommends openjdk-17-jre-headless; }
	$(PIP) install --upgrade 'pip>=25.1'
	$(PIP) install --constraint requirements/dev.txt --group spark
	@touch $@

# R and its packages come from Debian; where they cannot, `make peers` says so and does without.
$(VENV)/peering: $(VENV)/developing
	@Rscript -e 'library(pROC); library(ROCR)' >/dev/null 2>&1 || { $(AS_ROOT) apt-get update --quiet=2 && \
	  $(AS_ROOT) apt-get install --yes --quiet=2 --no-install-recommends r-base-core r-cran-proc r-cran-rocr; } || \
	  echo "R is not installed: pROC and ROCR are left out."
	$(PIP) install --upgrade 'pip>=25.1'
	$(PIP) install --constraint requirements/dev.txt --group peers
	@touch $@

# confidenceinterval asks for a setuptools that torch refuses, and runs without it.
$(VENV)/benchmarking: $(VENV)/developing
	$(PIP) install --upgrade 'pip>=25.1'
	$(PIP) install --constraint requirements/dev.txt --group bench
	$(PIP) install --no-deps confidenceinterval==1.0.5
	@touch $@

demo: $(VENV)/installed  ## Evaluate the bundled weather predictions
	@$(BIN)/tradeoff demo

lint: $(VENV)/developing  ## Format, lint, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint  ## All of lint, and the tests with doctests
	$(BIN)/pytest -n auto -m "not slow and not browser and not database and not spark"

types: $(VENV)/developing  ## Check a user's script with mypy --strict and pyright
	$(BIN)/mypy --strict tests/journeys/user_script.py
	$(BIN)/pyright --pythonpath $(BIN)/python tests/journeys/user_script.py

matrix: $(VENV)/developing  ## Test on every Python, with the lowest and the newest dependencies (20 min)
	.ci/matrix $(PYTHONS)

simulate: $(VENV)/developing  ## Check by simulation that intervals hold what they promise (2 min)
	$(BIN)/pytest -m "slow and not browser"

databases: $(VENV)/serving  ## Count rows in a real PostgreSQL server, which the tests start
	$(BIN)/pytest -n auto -m database

shells: $(VENV)/completing  ## Press Tab in a real bash, zsh and fish
	$(BIN)/pytest -n auto tests/journeys/test_cli_completion.py

spark: $(VENV)/sparking  ## Count rows in a real Spark: local, and a cluster of two processes (5 min)
	$(BIN)/pytest -m spark

browser: $(VENV)/browsing  ## Drive the report in a real browser
	$(BIN)/pytest -m browser

format: $(VENV)/developing  ## Rewrite the code in house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

certified: $(VENV)/developing  ## Compute the certified data sets again, as exact fractions
	$(BIN)/python tests/golden/certified/certify.py

docs: $(VENV)/developing  ## Write the generated pages again
	$(BIN)/python docs/generate.py

pictures: $(VENV)/browsing  ## Draw the pictures of the docs again
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/tutorial/pictures.py

site: $(VENV)/developing  ## Build the documentation as a site, in site/
	$(BIN)/zensical build --strict --clean

coverage: $(VENV)/developing  ## Measure how often intervals hold the truth, for the docs (2 h)
	$(BIN)/python tests/simulations/coverage.py
	$(BIN)/python tests/simulations/area_study.py --write
	$(BIN)/python docs/generate.py

coverage-bands: $(VENV)/developing  ## The same for bands of curves (2 h)
	$(BIN)/python tests/simulations/bands.py 1000 > tests/simulations/bands.md
	$(BIN)/python docs/generate.py
	$(BIN)/python tests/simulations/area_study.py --write

peers: $(VENV)/peering  ## Hold our numbers against those of other programs, R's among them (1 min)
	$(BIN)/python -m peers

peers-page: $(VENV)/peering  ## Compare with them, and write the page of it again
	$(BIN)/python -m peers --write

bench: $(VENV)/benchmarking  ## Measure against peers, as ratios in one run
	$(BIN)/python benchmarks/ranking.py --write
	$(BIN)/python benchmarks/curves.py --write
	$(BIN)/python benchmarks/certainty.py --write
	$(BIN)/python benchmarks/training.py --write

bench-report: $(VENV)/browsing  ## Measure the report: 3 models of a million rows, in a real browser
	$(BIN)/python benchmarks/report.py --write

bench-scale: $(VENV)/sparking  ## Measure a hundred million rows, and Spark, against peers (15 min)
	$(BIN)/python benchmarks/scale.py --write
	$(BIN)/python benchmarks/spark.py --write

hooks: $(VENV)/developing  ## Install git hooks: lint before a commit, test before a push
	$(BIN)/pre-commit install

build: $(VENV)/developing  ## Build the wheel and the source archive, in dist/
	$(BIN)/uv build

lock: $(VENV)/developing  ## Upgrade the locked development versions
	$(BIN)/uv pip compile --quiet --universal --upgrade --no-header --python-version 3.11 pyproject.toml --group dev --extra plot --output-file requirements/dev.txt

clean:  ## Remove what make built
	rm -rf $(VENV)
