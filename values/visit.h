/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A visitor is told what a value consists of, in order. Only this file follows
 * pointers, counts elements, detects cycles and decides when to stop. Formats
 * (text, JSON) are visitors.
 *
 * For every value, exactly one of scalar, text, null, address, cycle,
 * unreadable and deeper is called; or begin, then the items, then end.
 * Callbacks may be NULL.
 */
#ifndef VALUES_VISIT_H
#define VALUES_VISIT_H

#include "base/addr.h"

#include <stdbool.h>
#include <stddef.h>

struct value_chars;
struct value;
struct visitor;

enum visit_group { VISIT_STRUCT, VISIT_UNION, VISIT_ARRAY };

/* Why only the address of a pointer is shown. */
enum visit_address {
	VISIT_ADDRESS,	  /* the pointer's type is an address */
	VISIT_UNREADABLE, /* the pointer's target cannot be read */
	VISIT_LENGTH,	  /* the length of the pointer's target is unknown */
};

struct visitor_ops {
	/* value: NULL for a value of items. */
	void (*begin)(struct visitor *visitor, const struct value *value,
		      enum visit_group group);
	/* Called before each item of a group: its name, or NULL. */
	void (*item)(struct visitor *visitor, const char *name);
	/* cut: the group has more elements. */
	void (*end)(struct visitor *visitor, enum visit_group group, bool cut);

	/* A readable INT, FLOAT or COMPLEX, any value with LENS_BITVEC or
	 * LENS_INET, and a pointer that LENS_ENUM has a name for. The visitor
	 * reads it and shows it with value->lens. */
	void (*scalar)(struct visitor *visitor, const struct value *value);
	void (*text)(struct visitor *visitor, const struct value *value,
		     const struct value_chars *text);
	void (*null)(struct visitor *visitor);
	void (*address)(struct visitor *visitor, addr_t address,
			enum visit_address why);
	/* A pointer to a place that the pointer `up` levels above (1: the next)
	 * led to. */
	void (*cycle)(struct visitor *visitor, unsigned up);
	/* A value that is not behind a pointer, and cannot be read. */
	void (*unreadable)(struct visitor *visitor);
	/* The value is nested too deep, or beyond the budget. */
	void (*deeper)(struct visitor *visitor);
	/* LENS_VARS: the number of elements before the zero. If vars is NULL,
	 * the elements are visited instead. */
	void (*vars)(struct visitor *visitor, unsigned count);
	/* After a value that implies an error: its number (LENS_ERRNO,
	 * LENS_ERRNUM). */
	void (*error)(struct visitor *visitor, int number);
};

struct visitor {
	const struct visitor_ops *ops;
	size_t string_length; /* -s */
	size_t array_length;  /* -A, also how many pointers are followed */
	int error_number;     /* the thread's errno, or 0 */
	/* How many more items may be visited; visit_value() sets it. */
	size_t budget;
};

/* True if the value is not shown at all: LENS_HIDE. */
bool value_hidden(const struct value *value);

/* The error that a result implies, or 0. LENS_ERRNO: the thread's errno if the
 * call failed. LENS_ERRNUM: the value itself. */
int value_error(const struct value *value, int thread_errno);

/*
 * Calls the visitor for value, which must not be hidden. Always ends soon,
 * whatever the tracee's memory contains.
 */
void visit_value(struct visitor *visitor, const struct value *value);

#endif
