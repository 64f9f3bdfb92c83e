# SPDX-License-Identifier: GPL-2.0-or-later
#
# The style and the script of a flame graph are included in an object: see
# output/stacks/flame_parts.c.

$(O)/output/stacks/flame_parts.o: output/stacks/flame.css output/stacks/flame.js \
	output/stacks/flame_page.js
