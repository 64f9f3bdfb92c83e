/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A real is a floating number of a tracee, with its type. The type decides how
 * many digits are needed to distinguish it from its neighbours.
 */
#ifndef VALUES_REAL_H
#define VALUES_REAL_H

#include "base/attr.h"

#include <stdbool.h>

struct str;
struct type;
struct value;

struct real {
	/* binary128 represents each float, double and x87 long double
	 * exactly. */
	__float128 number;
	const struct type *type; /* a FLOAT */
};

/* Reads a FLOAT, or part 0 or 1 of a COMPLEX. Returns -EFAULT if it is
 * unreadable, -EDOM if the value has another type. */
must_check int real_of(const struct value *value, unsigned part,
		       struct real *ret_real);

/* True unless the number is infinite or a NaN. */
bool real_finite(const struct real *real);
bool real_negative(const struct real *real); /* also true for -0 */

/* Writes the fewest digits that read back as the same number of its type, so
 * that nothing is lost and 0.1 is not 0.1000000000001. Short whole numbers are
 * written without an exponent. */
void real_add(struct str *to, const struct real *real);
/* Like %f of printf(3), as ltrace writes reals; digits may be lost. */
void real_add_fixed(struct str *to, const struct real *real);
/* Like %a of printf(3), which is also exact. */
void real_add_hexadecimal(struct str *to, const struct real *real);

#endif
