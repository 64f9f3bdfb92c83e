/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A visitor is told what a value consists of, in order: this is the one place
 * that follows pointers, counts elements, finds cycles and knows when to
 * stop. Formats (text, JSON) are visitors.
 *
 * Every value is told by exactly one of scalar, text, null, address, cycle,
 * unreadable and deeper, or by begin, its items, and end. Callbacks may be
 * NULL.
 */
#ifndef VALUES_VISIT_H
#define VALUES_VISIT_H

#include "base/addr.h"

#include <stdbool.h>
#include <stddef.h>

struct text;
struct value;
struct visitor;

enum visit_group { VISIT_STRUCT, VISIT_UNION, VISIT_ARRAY };

/* Why an address is all that is told of a pointer. */
enum visit_address {
	VISIT_ADDRESS,	  /* it is meant as one */
	VISIT_UNREADABLE, /* nothing can be read there */
	VISIT_LENGTH,	  /* nobody knows how much is there */
};

struct visitor_ops {
	void (*begin)(struct visitor *visitor, const struct value *value,
		      enum visit_group group);
	/* Before each item of a group: its name, or NULL. */
	void (*item)(struct visitor *visitor, const char *name);
	/* cut: elements follow that were not told. */
	void (*end)(struct visitor *visitor, enum visit_group group, bool cut);

	/* A readable INT, FLOAT or COMPLEX, anything that is seen through
	 * LENS_BITVEC or LENS_INET, and a pointer that LENS_ENUM has a name
	 * for; to be asked and shown as value->lens says. */
	void (*scalar)(struct visitor *visitor, const struct value *value);
	void (*text)(struct visitor *visitor, const struct value *value,
		     const struct text *text);
	void (*null)(struct visitor *visitor);
	void (*address)(struct visitor *visitor, addr_t address,
			enum visit_address why);
	/* A pointer that was followed up levels (1: the next) above. */
	void (*cycle)(struct visitor *visitor, unsigned up);
	/* Something in place that cannot be read. */
	void (*unreadable)(struct visitor *visitor);
	/* Nested deeper, or more of it, than one wants to see. */
	void (*deeper)(struct visitor *visitor);
	/* Behind a value that says so: an error number (LENS_ERRNO,
	 * LENS_ERRNUM). */
	void (*error)(struct visitor *visitor, int number);
};

struct visitor {
	const struct visitor_ops *ops;
	size_t string_length; /* -s */
	size_t array_length;  /* -A, also how many pointers deep */
	int error_number;     /* the thread's errno, or 0 */
	/* Set by visit_value(): how much more may be told. */
	size_t budget;
};

/* True where nothing at all is told: seen through LENS_HIDE. */
bool value_hidden(const struct value *value);

/* The error that a result says (LENS_ERRNO: it is the thread's errno, where
 * the call failed; LENS_ERRNUM); 0: none. */
int value_error(const struct value *value, int thread_errno);

/*
 * Tells visitor what value is. Ends, soon, whatever the tracee's memory looks
 * like; value is not hidden.
 */
void visit_value(struct visitor *visitor, const struct value *value);

#endif
