/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A value is a typed view of some bytes: an argument, a result, or what is
 * nested in one or what it points to. To make a value reads nothing; the bytes
 * are read on request, which may fail. Values are small and embedded. Their
 * types, capture and arguments belong to the call.
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
struct value_items;

struct value {
	const struct type *type;
	/* The type's lens, or the lens of the enclosing value: hex(struct)
	 * applies to its fields. */
	const struct lens *lens;
	/* The struct, array or pointer that led to this value, or NULL. */
	const struct value *parent;
	/* The arguments that expressions may use; or NULL. */
	const struct arguments *arguments;
	/* Reads the tracee's memory; NULL: it cannot be read. */
	struct capture *capture;
	/* The first `room` bytes of the value, if they are known already, as
	 * from a register; or NULL. */
	const unsigned char *bytes;
	size_t room;
	/* The address in the tracee; 0: in registers. */
	addr_t address;
	/* Of a bit-field: its width and its lowest bit, as in struct
	 * type_field. 0: the value is no bit-field. */
	unsigned bits;
	unsigned first_bit;
	/* The items that the value consists of, instead of bytes
	 * (values/items.h); or NULL. */
	const struct value_items *items;
};

/* A value at address, without a parent. */
void value_at(struct value *value, const struct type *type, addr_t address,
	      struct capture *capture, const struct arguments *arguments);
/* A value whose first `room` bytes are known. They must exist as long as the
 * value. */
void value_of_bytes(struct value *value, const struct type *type,
		    const void *bytes, size_t room, struct capture *capture,
		    const struct arguments *arguments);

/* Reads length bytes at offset: 0, or -EFAULT. */
must_check int value_read(const struct value *value, size_t offset, void *to,
			  size_t length);

/*
 * INT, POINTER: reads a 64-bit number, extended according to the type (the low
 * half of larger integers). -EFAULT if unreadable, -EDOM for other types.
 */
must_check int value_integer(const struct value *value, int64_t *ret_number);
/* True for all ones or a NULL pointer: the result of a function that failed. */
bool value_is_failure(const struct value *value);
/* Reads the bits within the width of the type, without extension. */
must_check int value_bits(const struct value *value, uint64_t *ret_bits);
/* POINTER: the address. -EFAULT or -EDOM as for value_integer(). */
must_check int value_pointer(const struct value *value, addr_t *ret_address);

/* STRUCT, UNION: field i, in place. */
void value_field(const struct value *around, size_t i, struct value *ret_field);
/* Finds the field of this name; false if there is none. */
must_check bool value_field_named(const struct value *around, const char *name,
				  struct value *ret_field);
/* True if the field has no condition, or if its condition is true; false if
 * that is unknown. */
bool value_field_there(const struct value *around, size_t i);
/* ARRAY: element i, in place; i is not checked against the length. */
void value_element(const struct value *array, size_t i,
		   struct value *ret_element);
/* POINTER: what it points to. -EFAULT if the pointer cannot be read. */
must_check int value_target(const struct value *pointer,
			    struct value *ret_target);

/*
 * ARRAY: the number of elements according to its type, and whether it may end
 * earlier, at an element of zero bytes. -ENODATA if the length is not known
 * (yet), -ERANGE if it is negative.
 */
must_check int value_length(const struct value *array, uint64_t *ret_length,
			    bool *ret_zero);
/* Like value_length(), but for the length in a lens of value. Names in the
 * expression may mean fields of the struct that contains value. */
must_check int value_evaluate_length(const struct value *value,
				     const struct expr *length,
				     uint64_t *ret_length);
/* The most bytes of a bitvec that are shown; cpu_set_t has 128. */
#define BIT_SET_MOST 1024u
/*
 * How many bytes the value has, at most `most`: for an ARRAY this depends on
 * its length. -ENODATA as for value_length(); an array of a negative length has
 * no bytes.
 */
must_check int value_extent(const struct value *value, size_t most,
			    size_t *ret_bytes);
/* True if all bytes can be read and are zero. False for large values. */
bool value_is_zero(const struct value *value);

/* Characters as bytes; wide characters as UTF-8. */
struct value_chars {
	const char *bytes; /* not terminated; in the capture's arena */
	size_t length;
	/* there are more characters, beyond the limit or unreadable */
	bool cut;
};

/*
 * Reads a value with a text lens (lens_is_text()), at most `most` characters.
 * -EFAULT if it cannot be read or is a NULL pointer; -ENODATA and -ERANGE as
 * for value_length().
 */
must_check int value_text(const struct value *value, size_t most,
			  struct value_chars *ret_text);

#endif
