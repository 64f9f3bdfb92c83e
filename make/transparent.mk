# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make transparent ONLY=git,redis`: compares real programs, untraced and
# traced (tests/transparent), two side by side. Takes minutes; a part of
# check-full.

.PHONY: transparent
transparent: deps-full
	@$(MAKE) --no-print-directory all
	@tests/transparent/run --xtrace $(PROGRAM) $(if $(ONLY),--only $(ONLY))
