/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name of a type, on one line and similar to C: "const char *". */
#ifndef OUTPUT_FORMATS_TYPENAME_H
#define OUTPUT_FORMATS_TYPENAME_H

#include "base/attr.h"
#include "base/str.h"

struct type;

void typename_add(struct str *to, const struct type *type);

#endif
