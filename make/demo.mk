# SPDX-License-Identifier: GPL-2.0-or-later

.PHONY: demo
demo: deps-demo
	@$(MAKE) --no-print-directory -s all
	@demo/demo.sh $(PROGRAM)
