# SPDX-License-Identifier: GPL-2.0-or-later

# Builds with all CPUs, unless -j was given.
CPUS = $(shell nproc)
TOLD_JOBS = $(findstring -j,$(MAKEFLAGS))

.PHONY: demo
demo: deps-demo
	@$(MAKE) --no-print-directory -q all 2>/dev/null || \
		echo "xtrace: building $(PROGRAM)$(if $(TOLD_JOBS),, with \
$(CPUS) CPUs); this is done once"
	@$(MAKE) --no-print-directory -s $(if $(TOLD_JOBS),,-j$(CPUS)) all
	@demo/demo.sh $(PROGRAM)
