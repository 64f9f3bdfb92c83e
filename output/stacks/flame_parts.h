/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source files flame.css and flame.js, inside the program. */
#ifndef OUTPUT_STACKS_FLAME_PARTS_H
#define OUTPUT_STACKS_FLAME_PARTS_H

/* The texts of flame.css and flame.js. Both end with a NUL. */
extern const char flame_css[];
extern const char flame_js[];

#endif
