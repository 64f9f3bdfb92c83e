# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares our prototype files with the libraries and headers of this machine,
# and prints how many functions they cover.

.PHONY: prototypes
prototypes: all
	@$(RUN_TESTS) tests/cases/etc
	@cat $(O)/prototypes/*
