# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make coverage`: which part of each room's lines the unit tests run, and which
# all tests do. COVERED="tests/cases/stacks" chooses among the latter. Everything
# is built again in build/coverage, without optimization. A case that fails there
# is no fault: some measure time. `make coverage-units` stops after the units,
# `make coverage-lines ROOM=values` names the lines that did not run.

COVERED ?= unit fuzz tests/cases
COVERAGE := build/coverage
ROOM ?= $(firstword $(ROOMS))

.PHONY: coverage coverage-units coverage-begin coverage-lines
coverage-begin:
	@$(MAKE) --no-print-directory BUILD=coverage all units fuzzers
	@find $(COVERAGE) -name '*.gcda' -delete
coverage-units: coverage-begin
	@GCOV_ERROR_FILE=/dev/null tests/run --build $(COVERAGE) unit || true
	@tests/coverage count $(COVERAGE) $(ROWS) >$(COVERAGE)/units.count
	@tests/coverage table $(COVERAGE)/units.count
coverage: coverage-units
	@GCOV_ERROR_FILE=/dev/null tests/run --build $(COVERAGE) $(FLAGS) \
		$(COVERED) || true
	@tests/coverage count $(COVERAGE) $(ROWS) >$(COVERAGE)/all.count
	@tests/coverage table $(COVERAGE)/units.count $(COVERAGE)/all.count
coverage-lines:
	@tests/coverage lines $(COVERAGE) $(ROOM)/
