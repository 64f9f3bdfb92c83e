/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A real is a floating number of a tracee as it was there, with the type that
 * it had: what digits tell it from its neighbours depends on that.
 */
#ifndef VALUES_REAL_H
#define VALUES_REAL_H

#include "base/attr.h"

#include <stdbool.h>

struct str;
struct type;
struct value;

struct real {
	/* float, double and x87's long double are all exact in binary128. */
	__float128 number;
	const struct type *type; /* a FLOAT */
};

/* Of a FLOAT, and of a COMPLEX part 0 and 1. -EFAULT, -EDOM. */
must_check int real_of(const struct value *value, unsigned part,
		       struct real *ret_real);

/* Neither infinite nor no number. */
bool real_finite(const struct real *real);
bool real_negative(const struct real *real); /* -0 is */

/* With the fewest digits that read back as the same number of its type, so
 * that nothing is lost and 0.1 is not 0.1000000000001. Whole ones that a
 * reader takes in as such are shown as such. */
void real_add(struct str *to, const struct real *real);
/* As printf(3)'s %a has it, exact too. */
void real_add_hexadecimal(struct str *to, const struct real *real);

#endif
