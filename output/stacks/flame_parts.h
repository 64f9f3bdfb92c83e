/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flame.css and flame.js, as they lie in the source, within the program. */
#ifndef OUTPUT_STACKS_FLAME_PARTS_H
#define OUTPUT_STACKS_FLAME_PARTS_H

/* Both end in NUL. */
extern const char flame_css[];
extern const char flame_js[];

#endif
