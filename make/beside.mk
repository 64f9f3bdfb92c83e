# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make beside-strace MOST=120`: the commonest system calls of real programs,
# and for each whether its line is strace's (tests/beside-strace).

MOST ?= 120

.PHONY: beside-strace
beside-strace: all
	@tests/beside-strace --xtrace $(PROGRAM) --most $(MOST)
