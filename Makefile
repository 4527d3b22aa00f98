# Every target makes what it needs first: virtual environments with Blender as a Python module.
PYTHON ?= python3
LAYERS ?= core blender roundtrip install gui
# Of the random cases of `make fuzz` and `make attack`, such as 0.1 for a tenth.
SHARE ?= 1
.DEFAULT_GOAL := help
.PHONY: help python demo test test-core test-gui lint zip release version-file bench pictures reference site oracles conformance fuzz attack clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

python:
	@$(PYTHON) -c 'import sys; sys.version_info < (3, 9) and sys.exit("This needs Python 3.9 or newer to start: make TARGET PYTHON=/path/to/python3")'

demo: python ## Author a scene with joints, export it, import it again and compare
	$(PYTHON) tools/on_blender.py newest examples/demo.py

test: python ## Run every test on each Blender release that a Python here can run
	$(PYTHON) tools/run_tests.py $(LAYERS)

test-core: python ## Run the quick tests that need no Blender, on the newest release
	$(PYTHON) tools/on_blender.py newest tools/quick_tests.py

test-gui: python ## Run the tests in a real window (tools/desktop_blender.sh install gets one)
	$(PYTHON) tools/run_tests.py gui

lint: python ## Check style, types and the direction of imports
	$(PYTHON) tools/environments.py lint
	@code=0; for check in "ruff check ." "ruff format --check ." "mypy" "mypy tools/*.py" "lint-imports --no-logo"; do \
		echo "$$check"; .venv/lint/bin/$$check || code=1; \
	done; exit $$code

zip: python ## Build the extension into dist/ and validate it
	$(PYTHON) tools/on_blender.py newest tools/build_zip.py

release: python ## Build everything that a release consists of into dist/release, and validate it
	$(PYTHON) tools/environments.py release site
	$(PYTHON) tools/on_blender.py newest tools/release.py

version-file: python ## Write the Blender file that stands for this version in tests of later ones
	$(PYTHON) tools/environments.py
	.venv/4.5/bin/python tools/version_file.py

bench: python ## Run every benchmark on the newest release, with BENCH_ALL=1 on each, BENCH=NAME for one
	$(PYTHON) tools/on_blender.py $(if $(BENCH_ALL),each,newest) benchmarks/run.py -- $(BENCH)

pictures: python ## Draw the pictures of the documentation
	$(PYTHON) tools/on_blender.py newest docs/pictures/draw.py
	OMI_TUTORIAL_PICTURES=docs/pictures $(PYTHON) tools/run_tests.py gui -- -k "test_tutorial or moving_picture"

reference: python ## Write the reference pages of the documentation from the code
	$(PYTHON) tools/on_blender.py newest tools/rule_examples.py tools/checks_page.py tools/reference_pages.py

site: python ## Build the documentation as a site in build/site, checking every link
	$(PYTHON) tools/environments.py site
	.venv/site/bin/python tools/site.py

oracles: python ## Run joints, contacts and the files of them in other engines, and write their tables in docs/engines.md and docs/solver.md
	tools/node_packages.sh oracles || true
	[ -z "$$OMI_GODOT_IMPORTER" ] || tools/godot.sh install || true
	$(PYTHON) tools/on_blender.py newest tools/oracles.py

conformance: python ## Run the conformance set here and in other programs, and write the tables in docs/conformance.md
	tools/node_packages.sh oracles || true
	$(PYTHON) tools/on_blender.py newest tools/conformance.py

fuzz: python ## Run the tests with thousands of random cases of each kind, half an hour a release
	OMI_CASES=$(SHARE) OMI_TESTS_PATIENCE=12 $(PYTHON) tools/run_tests.py core roundtrip -- -m "fuzz or hypothesis"

attack: python ## Run the attacks in Blender and in a window, an hour: exports, previews, faults, next steps
	OMI_CASES=$(SHARE) OMI_TESTS_PATIENCE=12 $(PYTHON) tools/run_tests.py blender roundtrip gui -- -m attack

clean: ## Remove what was built; the environments stay
	rm -rf build dist .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	find omi_joints_addon tests tools examples benchmarks -name __pycache__ -prune -exec rm -rf {} +
