/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as text, as a flame graph shows them. */
#ifndef OUTPUT_STACKS_FLAME_TEXT_H
#define OUTPUT_STACKS_FLAME_TEXT_H

#include "base/str.h"
#include "output/stacks/flame.h"

#include <stdint.h>

enum look_weight flame_weight_of_unit(enum flame_unit unit);

/* Adds a number and a noun: "1 call", "2 calls". */
void flame_add_counted(struct str *to, uint64_t number, const char *noun);
/* Adds a weight in its unit: "1.234s", "2 calls", "1.2 MB". */
void flame_add_weight(struct str *to, uint64_t weight, enum flame_unit unit);
/* Adds the weight with its sign, and its share of `before`: "+1.2ms, +10 %". */
void flame_add_change(struct str *to, uint64_t weight, uint64_t before,
		      enum flame_unit unit);
/* part of whole in per cent, with four digits after the point, as in "3.25",
 * for an attribute. */
void flame_add_percent(struct str *to, uint64_t part, uint64_t whole);
/* Adds the percentage as text: "12.3 %", "0.01 %". */
void flame_add_share(struct str *to, uint64_t part, uint64_t whole);

#endif
