# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make torture SECONDS=600 SEED=1`: attaches and leaves at random, and checks
# each time that nothing is left (tests/torture). N=100000: so many rounds,
# however long they take. FLAGS="--without mask" omits threads, and FLAGS="--own
# own" gives the program a SIGTRAP handler. The end tells how many masks and
# SIGTRAPs such a program has lost (docs/SURVIVAL.md, "SIGTRAP for two").

SEED ?= 1
# N is a number of rounds only if the user has set it, because conf.mk gives N a
# default for `make mutate`.
TORTURE_ROUNDS = $(if $(filter command% environment%,$(origin N)),$(N))

.PHONY: torture
torture: all
	@tests/torture/run --xtrace $(PROGRAM) --seconds $(SECONDS) \
		--seed $(SEED) $(if $(TORTURE_ROUNDS),--rounds $(TORTURE_ROUNDS)) $(FLAGS)
