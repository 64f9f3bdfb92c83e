# SPDX-License-Identifier: GPL-2.0-or-later
#
# The style and the script of a flame graph are parts of an object: see
# output/flame_parts.c.

$(O)/output/flame_parts.o: output/flame.css output/flame.js
