/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A value is a typed view of some bytes: of an argument, of a result, or of
 * what lies within or behind one. It is abstract until read: making one reads
 * nothing, and what its bytes are, or that they cannot be read, comes out
 * when it is asked. Values are small and embedded; the types, the capture and
 * the arguments they refer to belong to the call.
 */
#ifndef VALUES_VALUE_H
#define VALUES_VALUE_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arguments;
struct capture;
struct expr;
struct lens;
struct type;

struct value {
	const struct type *type;
	/* The type's, or that of what is around: hex(struct) is hex within. */
	const struct lens *lens;
	/* The struct, array or pointer that it was reached through, or NULL. */
	const struct value *parent;
	/* Whose expressions may ask for each other; or NULL. */
	const struct arguments *arguments;
	/* Through what memory is read; NULL: not at all. */
	struct capture *capture;
	/* What is known already (a register): room bytes; or NULL. */
	const unsigned char *bytes;
	size_t room;
	/* Where it lies in the tracee; 0: in registers. */
	addr_t address;
	/* A bit-field, as in struct type_field; 0: none. */
	unsigned bits;
	unsigned first_bit;
};

/* What lies at address; of no parent. */
void value_at(struct value *value, const struct type *type, addr_t address,
	      struct capture *capture, const struct arguments *arguments);
/* What is known: room bytes, which outlive value. */
void value_of_bytes(struct value *value, const struct type *type,
		    const void *bytes, size_t room, struct capture *capture,
		    const struct arguments *arguments);

/* length bytes of it from offset on: 0, or -EFAULT. */
must_check int value_read(const struct value *value, size_t offset, void *to,
			  size_t length);

/*
 * INT, POINTER: as a 64-bit number, extended as the type says (of larger
 * integers the low half). -EFAULT when unreadable, -EDOM for other types.
 */
must_check int value_integer(const struct value *value, int64_t *ret_number);
/* All ones, or a NULL pointer: what a function returns that failed. */
bool value_is_failure(const struct value *value);
/* The bits, not extended: within the width of the type. */
must_check int value_bits(const struct value *value, uint64_t *ret_bits);
/* POINTER. -EFAULT, -EDOM. */
must_check int value_pointer(const struct value *value, addr_t *ret_address);

/* STRUCT, UNION: field i, in place. */
void value_field(const struct value *around, size_t i, struct value *ret_field);
/* The field of this name; false where there is none. */
must_check bool value_field_named(const struct value *around, const char *name,
				  struct value *ret_field);
/* Whether its condition, if it has one, holds; false where nobody knows. */
bool value_field_there(const struct value *around, size_t i);
/* ARRAY: element i, in place; i is not checked against the length. */
void value_element(const struct value *array, size_t i,
		   struct value *ret_element);
/* POINTER: what it points to; -EFAULT when the pointer cannot be read. */
must_check int value_target(const struct value *pointer,
			    struct value *ret_target);

/*
 * ARRAY: how many elements there are as far as its type says, and whether it
 * ends earlier where one is all zero bytes. -ENODATA where nobody knows (yet),
 * -ERANGE where the length is negative.
 */
must_check int value_length(const struct value *array, uint64_t *ret_length,
			    bool *ret_zero);
/* The same for the length of a text in value: what expr says there. */
must_check int value_evaluate_length(const struct value *value,
				     const struct expr *length,
				     uint64_t *ret_length);
/* True where all the bytes can be read and are zero; not of what is large. */
bool value_is_zero(const struct value *value);

/* Characters as bytes; wide ones as UTF-8. */
struct text {
	const char *bytes; /* not terminated; of the capture's arena */
	size_t length;
	bool cut; /* there is more, beyond what was asked or readable */
};

/*
 * A value seen through a text lens (lens_is_text()): at most most characters
 * of it. -EFAULT when it cannot be read, -ENODATA and -ERANGE as for
 * value_length(). A NULL pointer is -EFAULT.
 */
must_check int value_text(const struct value *value, size_t most,
			  struct text *ret_text);

#endif
