# SPDX-License-Identifier: GPL-2.0-or-later
#
# The prototype files we ship: held against the libraries and headers here, and
# how much of those they cover.

.PHONY: prototypes
prototypes: all
	@$(RUN_TESTS) tests/cases/etc
	@cat $(O)/prototypes/*
