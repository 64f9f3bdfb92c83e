# SPDX-License-Identifier: GPL-2.0-or-later
#
# make capture: builds a tool that writes the memory that a walk of a script's
# stack reads, for tests (tests/unit/stacks/capture).

$(O)/tests/capture: $(O)/tests/unit/stacks/capture/capture.o \
		$(call ARCHIVES_OF,$(call BELOW,stacks))
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

.PHONY: capture
capture: $(O)/tests/capture
