# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests. BUILD=asan runs them with a sanitized xtrace; subjects are never
# sanitized. TESTS="unit tests/cases/loader" selects tests; FLAGS=-v also prints the names of passed tests.

# ---- fuzz targets, replayed over their corpus --------------------------------
FUZZERS := $(patsubst tests/fuzz/%.c,$(O)/tests/%,$(sort $(wildcard \
	tests/fuzz/*_fuzz.c)))
FUZZ_ROOMS := $(filter-out tracer,$(call BELOW,tracer))

$(O)/tests/%_fuzz: $(O)/tests/fuzz/%_fuzz.o $(O)/tests/fuzz/replay.o \
		$(call ARCHIVES_OF,$(FUZZ_ROOMS))
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

# `make fuzz TARGET=filter SECONDS=60`: runs clang's fuzzer on one target. It
# starts from the corpus; new inputs are written to build/fuzz/TARGET.
TARGET ?= filter
SECONDS ?= 60
FUZZ_SOURCES = tests/fuzz/$(TARGET)_fuzz.c $(foreach r,$(FUZZ_ROOMS),$(call \
	SOURCES_OF,$(r)))

.PHONY: fuzz fuzzers
fuzzers: $(FUZZERS)
fuzz:
	@mkdir -p build/fuzz/$(TARGET)
	clang -std=gnu11 -D_GNU_SOURCE -I. -Ibuild -O1 -g \
		-DDEBUG_TOPIC=LOG_BASE \
		-fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined \
		-o build/fuzz/$(TARGET)_fuzz $(FUZZ_SOURCES) $(LIBS)
	build/fuzz/$(TARGET)_fuzz -max_total_time=$(SECONDS) \
		-print_final_stats=1 build/fuzz/$(TARGET) \
		$(wildcard tests/fuzz/corpus/$(TARGET))

# ---- the suites ----------------------------------------------------------------
RUN_TESTS = tests/run --build $(O) $(FLAGS)

.PHONY: check check-unit check-cases check-full
# `make check-unit` takes less than a minute on two CPUs. The tracees of its
# tests are forked copies of the tests.
check-unit: units fuzzers
	@$(RUN_TESTS) unit fuzz layers lint
# If CI is true, as build services set it, warnings are errors.
CHECK_FLAGS = $(if $(filter true,$(CI)),WERROR=-Werror)
# `make check`, as the README says, installs missing packages, builds, and runs
# every test.
check: deps
	@mkdir -p $(O) && { $(TREE_STATUS); } >$(O)/tree.before
	@$(MAKE) --no-print-directory $(JOBS) $(CHECK_FLAGS) all units fuzzers
	@$(RUN_TESTS) $(TESTS)
check-cases: all
	@$(RUN_TESTS) tests/cases
# Runs all tests, with the slow ones, and then `make check-agent` with meters from
# the first call on, `make toggles` and `make transparent`, even if a test has
# failed.
check-full: deps-full
	@$(MAKE) --no-print-directory $(JOBS) $(CHECK_FLAGS) all units fuzzers
	@$(RUN_TESTS) --slow $(TESTS); status=$$?; \
		$(MAKE) --no-print-directory check-agent TESTS= \
			ENGINE=eager || status=1; \
		$(MAKE) --no-print-directory toggles N=10000 || status=1; \
		$(MAKE) --no-print-directory transparent && exit $$status

# Cases with --engine=agent: their traces are the same. TESTS= selects others;
# ENGINE=eager: sites get their code at the first hit.
ENGINE = agent
AGENT_TESTS = $(or $(TESTS),$(addprefix tests/cases/,calls filter plt))
BY_AGENT = $(abspath $(O))/by-agent/xtrace

.PHONY: check-agent
check-agent: all
	@mkdir -p $(dir $(BY_AGENT))
	@printf '#!/bin/sh\nexec "%s" --engine=$(ENGINE) "$$@"\n' \
		"$(abspath $(PROGRAM))" >$(BY_AGENT)
	@chmod +x $(BY_AGENT)
	@$(RUN_TESTS) --xtrace $(BY_AGENT) $(AGENT_TESTS)

# ---- docs/DRIVERS.md is made of what these cases find --------------------------
DRIVER_CASES := $(sort $(wildcard tests/cases/db/drivers-*.py \
	tests/cases/db/wire-*.py) tests/cases/db/forking.py)

.PHONY: drivers
drivers: deps
	@$(MAKE) --no-print-directory all
	@rm -f $(O)/drivers.rows
	@XTRACE_DRIVERS=$(abspath $(O))/drivers.rows $(RUN_TESTS) $(DRIVER_CASES)
	@docs/drivers-table $(O)/drivers.rows

# Three cases of `make check-full` at full length: N calls of each program, N
# queries, and every allocation that fails.
.PHONY: calls flat allocations
flat: all
	@XTRACE_QUERIES=$(N) $(RUN_TESTS) --slow tests/cases/fleet/flat.py
calls: all
	@XTRACE_CALLS=$(N) $(RUN_TESTS) tests/cases/no-harm/languages/many.py
allocations: all
	@XTRACE_EVERY=1 $(RUN_TESTS) tests/cases/no-harm/killed/memory-all.py

# `make whole`: every function of interpreters gets a jump; check-full tries a
# third of them.
.PHONY: whole
whole: all
	@XTRACE_EVERY=1 $(RUN_TESTS) --slow tests/cases/no-harm/whole

# `make toggles N=100000`: jumps are made and removed N times while threads are
# parked in their windows. `make check-full` runs a tenth.
.PHONY: toggles
toggles: $(O)/tests/unit-breakpoints
	JUMP_TOGGLES=$(N) CK_RUN_SUITE=breakpoints/jumps_parked $<

# `make lockstep N=1000000`: tests meters (arch/meter.h) in N random states.
.PHONY: lockstep
lockstep: $(O)/tests/unit-arch
	METER_STATES=$$(($(N) / 22 + 1)) CK_RUN_SUITE=meter $<
