# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make mutate N=1000000 SEED=1`: grammar-aware mutants of the prototype files.
# With BUILD=asan, leaks and all errors that a sanitizer detects are failures,
# too.

MUTATOR := $(O)/tests/conf-mutate
MUTATED = $(sort $(wildcard etc/*.conf etc/*/*.conf tests/conf/*.t))
N ?= 100000
SEED ?= 1

$(MUTATOR): $(O)/tests/fuzz/conf_mutate.o $(O)/tests/fuzz/conf_fuzz.o \
		$(call ARCHIVES_OF,$(call BELOW,conf))
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^

# The test suite runs a few mutants, the same ones each time.
fuzzers: $(MUTATOR)

.PHONY: mutate mutate-lines
mutate: $(MUTATOR)
	$(MUTATOR) -n $(N) -s $(SEED) $(MUTATED)

# Prints the share of conf/'s lines that the mutants reach. The target fails if
# the share is below nine tenths.
LINES_FOLDER := build/lines
LINES_SOURCES := tests/fuzz/conf_mutate.c tests/fuzz/conf_fuzz.c $(foreach \
	r,$(call BELOW,conf),$(call SOURCES_OF,$(r)))
LINES_LEAST := 90

mutate-lines:
	@rm -rf $(LINES_FOLDER)
	@mkdir -p $(LINES_FOLDER)
	$(CC) $(ALL_CFLAGS) -O0 --coverage -o $(LINES_FOLDER)/mutate \
		$(LINES_SOURCES)
	$(LINES_FOLDER)/mutate -n $(N) -s $(SEED) $(MUTATED)
	@gcov -n $(LINES_FOLDER)/*.gcda 2>/dev/null | awk -F"[':%]" \
		-v least=$(LINES_LEAST) '\
		/^File / { mine = $$2 ~ /^conf\/.*\.c$$/; name = $$2 } \
		mine && /^Lines executed/ { split($$0, of, " of "); all += of[2]; \
			reached += $$2 * of[2] / 100; mine = 0; \
			printf "%6.1f %% of %4d  %s\n", $$2, of[2], name } \
		END { printf "%.1f %% of the %d lines of conf\n", \
			100 * reached / all, all; \
			exit !(100 * reached / all >= least) }'
