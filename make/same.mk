# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guard of a change that must change no behaviour: `make same-save` before
# it, `make same` after it (tests/same). OLD=FILE names another older xtrace.

OLD ?= $(O)/same/xtrace

.PHONY: same same-save
same-save: all
	@mkdir -p $(O)/same
	@rm -rf $(O)/same/etc
	cp -r $(PROGRAM) etc $(O)/same/
same: all
	@tests/same/run --old $(OLD) --new $(PROGRAM) $(FLAGS)
