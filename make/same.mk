# SPDX-License-Identifier: GPL-2.0-or-later
#
# For changes that must not change behaviour: `make same-save` before the
# change, `make same` after it (tests/same). OLD=FILE is another older xtrace.

OLD ?= $(O)/same/xtrace

.PHONY: same same-save
same-save: all
	@mkdir -p $(O)/same
	@rm -rf $(O)/same/etc
	cp -r $(PROGRAM) etc $(O)/same/
same: all
	@tests/same/run --old $(OLD) --new $(PROGRAM) $(FLAGS)
