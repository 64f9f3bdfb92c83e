# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make coverage`: which part of each room's lines the unit tests run, and
# which part all tests run. COVERED="tests/cases/stacks" selects tests for the
# second. Everything is built again in build/coverage, without optimization. A
# case that fails there is no error, because some measure time. `make
# coverage-units` runs only the unit tests; `make coverage-lines ROOM=values`
# then prints the lines that did not run.

COVERED ?= unit fuzz tests/cases
COVERAGE := build/coverage
ROOM ?= $(firstword $(ROOMS))

# gcc's counters of lines are written at exit(3). xtrace is linked with an
# _exit() that writes them, too.
ifeq ($(BUILD),coverage)
$(PROGRAM): $(O)/tests/lib/counted_exit.o
$(PROGRAM): ALL_LDFLAGS += -Wl,--wrap=_exit
endif

.PHONY: coverage coverage-units coverage-begin coverage-lines
coverage-begin:
	@$(MAKE) --no-print-directory BUILD=coverage all units fuzzers
	@find $(COVERAGE) -name '*.gcda' -delete
coverage-units: coverage-begin
	@GCOV_ERROR_FILE=/dev/null tests/run --build $(COVERAGE) unit || true
	@tests/coverage count $(COVERAGE) $(ROOM_ROWS) >$(COVERAGE)/units.count
	@tests/coverage table $(COVERAGE)/units.count
coverage: coverage-units
	@GCOV_ERROR_FILE=/dev/null tests/run --build $(COVERAGE) $(FLAGS) \
		$(COVERED) || true
	@tests/coverage count $(COVERAGE) $(ROOM_ROWS) >$(COVERAGE)/all.count
	@tests/coverage table $(COVERAGE)/units.count $(COVERAGE)/all.count
coverage-lines:
	@tests/coverage lines $(COVERAGE) $(ROOM)/
