# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make kills COUNT=500 SEED=1 OF=threads,python,ruby`: kills xtrace with
# SIGKILL at random moments; the traced programs must continue (tests/kills).
# OF may also be signals, sleepers and children; counted, counted-signals and
# selected, in which calls are counted or left out (--engine=agent); and threads
# that block all signals: pool-20-4 makes two calls each 20 ms in 4 threads; timer,
# aio, uwsgi-20-4, and spawn, whose children block them.

COUNT ?= 500
OF ?= threads,python,ruby

.PHONY: kills
kills: all
	@tests/kills/run --xtrace $(PROGRAM) --count $(COUNT) --seed $(SEED) \
		--of $(OF) $(FLAGS)
