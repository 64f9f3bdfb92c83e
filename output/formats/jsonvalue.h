/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A value (values/value.h) as JSON; docs/JSON.md describes the result. */
#ifndef OUTPUT_FORMATS_JSONVALUE_H
#define OUTPUT_FORMATS_JSONVALUE_H

#include "base/attr.h"
#include "output/jsonw.h"
#include "output/look.h"

struct value;

/*
 * Adds members to the open object: "type", "lens" if there is one, "value", and
 * if they apply "cut" (a nested text, array or struct was cut) and "errno" with
 * "error". error_number is the thread's errno, or 0. In a bound value (--bind)
 * NULL is null, and a text with a NUL is no text.
 */
void jsonvalue_members(struct jsonw *json, const struct value *value,
		       bool bound, int error_number, const struct look *look);

#endif
