# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make torture SECONDS=600 SEED=1`: attach and leave at random, and nothing is
# left each time (tests/torture). FLAGS="--without mask" leaves threads out.

SEED ?= 1

.PHONY: torture
torture: all
	@tests/torture/run --xtrace $(PROGRAM) --seconds $(SECONDS) \
		--seed $(SEED) $(FLAGS)
