# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make repeat TIMES=100 HOGS=4 OF="tests/cases/db/columns.py"`: cases again and
# again, one at a time, beside four processes that use the CPU. Without OF, the
# cases that compare times (tests/repeat).

TIMES ?= 100
HOGS ?= 0

.PHONY: repeat
repeat: all
	@tests/repeat --build $(O) --xtrace $(PROGRAM) --count $(TIMES) --hogs \
		$(HOGS) $(if $(filter command% environment%,$(origin OF)),$(OF))
