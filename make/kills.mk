# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make kills COUNT=500 SEED=1 OF=threads,python,ruby`: SIGKILL of xtrace at
# random moments, and the traced programs run on (tests/kills). Others are
# signals, sleepers and children.

COUNT ?= 500
OF ?= threads,python,ruby

.PHONY: kills
kills: all
	@tests/kills/run --xtrace $(PROGRAM) --count $(COUNT) --seed $(SEED) \
		--of $(OF) $(FLAGS)
