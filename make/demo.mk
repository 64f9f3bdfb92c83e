# SPDX-License-Identifier: GPL-2.0-or-later

.PHONY: demo
demo: deps-demo
	@$(MAKE) --no-print-directory -q all 2>/dev/null || \
		echo "xtrace: building $(PROGRAM)$(if $(JOBS), with \
$(PROCESSORS) CPUs); this is done once"
	@$(MAKE) --no-print-directory -s $(JOBS) all
	@demo/demo.sh $(PROGRAM)
