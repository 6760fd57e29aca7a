# Kontor. Each target sets up its own requirements; a second run is quick.

PORT ?= 8000
PYTHON ?= python3
# Each checkout has its own database.
serve: export KONTOR_DATABASE_URL ?= sqlite:///$(CURDIR)/var/kontor.db

# Programs start in half the time with cached bytecode; `make clean` removes it.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
WEB_BIN := build/web-tools/node_modules/.bin
WEB_FILES := '{web,api/docs,tests}/**/*.{js,mjs,ts,css}'
SERVING := .venv/.serving
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help serve quick rules test web-tools programs packages collect check format bench bench-bots bench-engine bench-http bench-levels bench-memory bench-page bench-pairing bench-proofs bench-simulation bench-verify soak clients fuzz walks mutants chaos pins clean

help: ## Show this list.
	@echo 'make <target>, where <target> is one of'
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do printf '  %-16s %s\n' "$$name" "$$text"; done
	@echo 'The first run installs libraries into .venv, with the Python that PYTHON names (now: $(PYTHON)).'

serve: $(SERVING) ## Run the service on port 8000; `make serve PORT=9000` chooses another port.
	$(BIN)/kontor serve --port $(PORT)

quick: $(READY) ## Run the fast tests: in memory, without PostgreSQL, browsers or other programs.
	$(BIN)/python -m pytest -n 2 --dist worksteal -m 'not slow and not e2e' --quiet

rules: $(READY) ## Run the quick tests of the rules of one game: `make rules GAME=speicherstadt`.
	$(BIN)/python -m pytest --quiet -m 'not slow and not e2e' tests/domain/games/$(or $(GAME),$(error Name a game: make rules GAME=speicherstadt))

test: ## Run all checks and all tests; this is what CI runs.
	@$(MAKE) --no-print-directory --jobs 3 --output-sync=line packages check collect
	$(BIN)/python -m pytest -n 6 --dist loadfile --no-loadscope-reorder --cov

web-tools: ## Install Node.js, and the formatter, the linter and the type checker of the page.
	tests/support/bring nodejs npm
	$(PYTHON) -m tests.support.npm page

# After web-tools, since two processes can't install Debian packages at the same time.
programs: web-tools ## Install the programs other than Python that the tests need.
	tests/support/bring postgresql nginx nodejs npm chromium pgbouncer promtool systemd

packages: programs ## Install the packages that the tests need from npm.
	$(PYTHON) -m tests.support.npm

# One process compiles the tests during the type check, so that each of the six test processes need not do it.
collect: $(READY) ## Import and compile all tests without running them.
	$(BIN)/python -m pytest --collect-only -qq >/dev/null

check: $(READY) web-tools ## Check style, types and layers; run the unit tests of the page.
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(WEB_BIN)/prettier --check --log-level warn $(WEB_FILES)
	$(WEB_BIN)/eslint --config tests/web/eslint.config.mjs web api/docs tests
	$(BIN)/python -m tests.web.contract_types
	$(WEB_BIN)/tsc --project web
	node --test tests/web/unit/*.test.mjs

format: $(READY) web-tools ## Format all Python, JavaScript and CSS.
	$(BIN)/ruff format
	$(WEB_BIN)/prettier --write --log-level warn $(WEB_FILES)

bench: bench-engine bench-verify bench-proofs bench-pairing bench-http bench-memory bench-page ## Measure everything except simulations: the engine, the verifier, proofs, pairings, moves over HTTP, memory, the page.

bench-engine: $(READY) ## Measure decisions per second of the engine, compared with another engine.
	$(BIN)/python -m tests.bench.engine

bench-verify: $(READY) ## Measure facts per second of the verifier, compared with the engine.
	$(BIN)/python -m tests.bench.verify

bench-levels: $(READY) ## Measure how strong the levels of the searching bots are, and how long they think (hours).
	$(BIN)/python -m tests.bench.levels

bench-bots: $(READY) ## Measure what matches full of searching bots cost the moves, wake-ups and clocks of others.
	$(BIN)/python -m tests.bench.searching_bots

bench-memory: $(READY) ## Measure the memory growth of a process in a simulated day of play.
	$(BIN)/python -m tests.bench.memory

soak: $(READY) ## Measure the memory of the real service for an hour of mixed play, minute by minute.
	$(BIN)/python -m tests.bench.soak

bench-proofs: $(READY) ## Measure proofs of a log with ten million leaves.
	$(BIN)/python -m tests.bench.proofs

bench-pairing: $(READY) ## Measure the pairing of tournaments with ten thousand entrants.
	$(BIN)/python -m tests.bench.pairing

bench-http: $(READY) ## Measure moves per second over HTTP, with PostgreSQL.
	tests/support/bring postgresql nodejs npm
	$(BIN)/python -m tests.bench.http

bench-simulation: $(READY) ## Measure simulated matches per second in one process, in several and on Dask, and the memory of a million matches.
	$(BIN)/python -m tests.bench.simulation
	$(BIN)/python -m tests.bench.million_matches

bench-page: $(READY) ## Measure the page in a browser: size, rendering, the replay slider, and a thousand spectators.
	tests/support/bring postgresql nodejs npm chromium
	$(BIN)/python -m tests.bench.page

clients: $(READY) ## Generate and compile clients in Go and Java, and play a match of each game with them.
	tests/support/bring golang-go golang-gopkg-validator.v2-dev default-jdk-headless libjakarta-annotation-api-java
	$(BIN)/python -m pip install -qq --disable-pip-version-check openapi-generator-cli==7.26.0
	$(BIN)/python -m tests.client.compiled

fuzz: $(READY) ## Look for new bugs with random input, longer than the tests do.
	$(BIN)/python -m tests.fuzz
	$(BIN)/python -m tests.stock_fuzz

walks: $(READY) ## Run in full the tests that `make test` only samples: secrecy, examples, forgeries.
	KONTOR_WALKS=whole $(BIN)/python -m pytest -n 2 --dist loadfile -m sampled

mutants: $(READY) ## Change the code of a package in random places and count what its quick tests find: `make mutants PACKAGE=service/people`.
	$(BIN)/python -m tests.mutants $(or $(PACKAGE),$(error Name a package: make mutants PACKAGE=service/people))

chaos: $(READY) ## Simulate a million moves with faults, kill and attack real servers, and report lost moves.
	$(BIN)/python -m tests.simulation --moves 1000000 --jobs 2 --journal build/simulation.ndjson
	tests/support/bring postgresql nginx
	$(BIN)/python -m tests.chaos
	$(BIN)/python -m tests.service.tournaments.worker_kills
	$(BIN)/python -m tests.attacks

pins: ## Resolve the newest versions of all libraries and write them to constraints.txt.
	rm -rf build/pins
	$(PYTHON) -m venv build/pins
	build/pins/bin/python -m pip install --quiet --upgrade pip setuptools
	build/pins/bin/python -m pip install --quiet --group dev --editable .
	build/pins/bin/python -m pip freeze --all --exclude-editable > constraints.txt

clean: ## Remove everything that the other targets created, except the database in var/.
	rm -rf .venv build *.egg-info .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Serving needs a third of the libraries. `--group` needs pip 25.1, and fresh virtual environments come with an older one.
# Python compiles the modules it imports, a third of all; pip would compile them all. Our own packages are built with
# the setuptools in .venv, since pip would take seconds to create a build environment for each.
INSTALL := $(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check --constraint constraints.txt

# Neither PYTHON nor an existing .venv may have an older Python; one whose Python is gone is made anew.
IS_NEW_ENOUGH := -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Kontor needs Python 3.11 or newer, and %s is %d.%d. Name another one: make PYTHON=python3.11" % (sys.executable, *sys.version_info[:2]))'

$(SERVING): pyproject.toml constraints.txt $(if $(wildcard $(BIN)/python),,.venv/.no-python)
	@$(BIN)/python $(IS_NEW_ENOUGH) 2>/dev/null || $(PYTHON) $(IS_NEW_ENOUGH)
	@echo 'Setting up .venv with the libraries that serving needs (about 85 MB). This takes a minute, once.'
	@$(BIN)/python $(IS_NEW_ENOUGH) 2>/dev/null || $(PYTHON) -m venv --clear .venv
	@$(INSTALL) --upgrade pip setuptools
	@$(INSTALL) --no-build-isolation --editable . --editable ./kontor_client
	@touch $@

.venv/.no-python: ;

$(READY): $(SERVING)
	@echo 'Adding the development tools to .venv (about 200 MB). This takes another minute, once.'
	@$(INSTALL) --no-build-isolation --group dev
	@touch $@
