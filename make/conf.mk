# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make mutate N=1000000 SEED=1`: grammar-aware mutants of the prototype files.
# With BUILD=asan leaks and all that a sanitizer sees are failures too.

MUTATOR := $(O)/tests/conf-mutate
MUTATED = $(sort $(wildcard etc/*.conf tests/conf/*.t))
N ?= 100000
SEED ?= 1

$(MUTATOR): $(O)/tests/fuzz/conf_mutate.o $(O)/tests/fuzz/conf_fuzz.o \
		$(call ARCHIVES_OF,$(call BELOW,conf))
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^

# The suite runs a few of them, always the same.
fuzzers: $(MUTATOR)

.PHONY: mutate
mutate: $(MUTATOR)
	$(MUTATOR) -n $(N) -s $(SEED) $(MUTATED)
