# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the pictures of the documentation, with programs of this tree.
#
# `make map` draws the house (docs/map.svg). docs/map-before.svg is the same
# drawing of commit 771d839, in which tracer/ was one folder: to draw it, build
# that commit elsewhere and run docs/draw-map on it.

.PHONY: map
map: all
	docs/draw-map --build $(O) . docs/map.svg

# The flame graph of the README. Paths are shortened to paths in this tree.
.PHONY: pictures
pictures: map
	$(PROGRAM) --sql -o /dev/null --flame docs/flame.svg \
		/usr/bin/python3 demo/shop.py 4
	sed -i 's|$(CURDIR)/||g' docs/flame.svg
