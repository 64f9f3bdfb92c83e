/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A type says how many bytes a value has, what they mean, and through which
 * lens they are seen. hex(int) is a type of its own, a copy of int with a
 * lens. Types live in the arena of the library that declared them and do not
 * change once it is parsed; structs may refer to themselves.
 */
#ifndef CONF_MODEL_TYPE_H
#define CONF_MODEL_TYPE_H

#include "base/arena.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expr;
struct lens;
struct proto;

enum type_kind {
	TYPE_VOID,
	TYPE_INT,     /* integers, characters, bool, C enums */
	TYPE_FLOAT,   /* of 4, 8 or 16 bytes; 16 is x87's or is_quad */
	TYPE_COMPLEX, /* two of to, a FLOAT */
	TYPE_POINTER, /* to is what it points to */
	TYPE_ARRAY,   /* length of to, in place (never a parameter) */
	TYPE_STRUCT,
	TYPE_UNION,
	TYPE_FUNCTION, /* only ever pointed to */
};

struct type_field {
	const char *name; /* or NULL */
	const struct type *type;
	size_t offset; /* in bytes, from the start of the struct */
	/* A bit-field: its width, 0 for a common field, and its lowest bit
	 * within the little-endian integer at offset. Without a name it is
	 * padding and not to be shown. */
	unsigned bits;
	unsigned first_bit;
	/* It has its place in any case, but means something only where this
	 * holds. Or NULL. */
	const struct expr *condition;
};

/* What is between the braces, shared by all copies of a struct type. */
struct type_body {
	bool complete; /* false: declared only, its size is unknown */
	bool packed;
	const struct type_field *fields;
	size_t count;
	size_t size;
	size_t align;
};

struct type {
	enum type_kind kind;
	unsigned char bytes; /* INT, FLOAT, COMPLEX and POINTER: the size */
	bool is_signed;	     /* INT */
	bool is_char;	     /* INT: shown as a character */
	bool is_const;	     /* as declared; C only */
	bool is_big_endian;  /* INT: the highest byte first, as on networks */
	bool is_quad;	     /* FLOAT: IEEE 754's binary128, _Float128 */
	unsigned char depth; /* of types within types, at most TYPE_DEPTH */
	/* As one writes it in C ("size_t", "struct stat"); NULL: no name. */
	const char *name;
	/* Through what it is seen; NULL: in the way natural for the type. */
	const struct lens *lens;
	/* POINTER, ARRAY, COMPLEX. */
	const struct type *to;
	/*
	 * ARRAY: how many elements; may ask arguments or sibling fields, and
	 * be EXPR_ZERO: up to the first that is all zero bytes. NULL: unknown
	 * (the flexible array at the end of a struct).
	 */
	const struct expr *length;
	/* STRUCT, UNION: never NULL. */
	const struct type_body *body;
	/* FUNCTION: its parameters; never NULL. */
	const struct proto *proto;
};

/* Types nest no deeper than this, so that walks may recurse. */
#define TYPE_DEPTH 60
/* Nothing is larger than this: sizes can be added without overflow. */
#define TYPE_SIZE_MOST ((size_t)1 << 40)

/*
 * Size and alignment in bytes (SysV x86-64 psABI 3.1.2). The size is 0 for
 * void, functions, declared-only structs and arrays of no constant length.
 */
size_t type_size(const struct type *type);
size_t type_align(const struct type *type);

/* False for what has no known size: void, functions, structs and unions that
 * were declared only, and arrays of those. */
bool type_complete(const struct type *type);

/*
 * A union whose members all have conditions and no name but theirs is a
 * choice: the member that is there now stands in its place, and the fields of
 * a struct without a name as if they were of what is around.
 */
bool type_is_choice(const struct type *type);

/* A pointer that there is no point in following: to void, to a function, to
 * a struct that was declared only, or seen through LENS_ADDRESS. */
bool type_is_address(const struct type *type);

/*
 * Do the two say the same? Structs do when their fields have the same names,
 * places, kinds and sizes.
 */
bool type_same(const struct type *a, const struct type *b);

/* Constructors; arena owns what comes back. */
const struct type *type_void(void);
struct type *type_int(struct arena *arena, unsigned bytes, bool is_signed);
struct type *type_pointer(struct arena *arena, const struct type *to);
struct type *type_array(struct arena *arena, const struct type *of,
			const struct expr *length);
/* kind is TYPE_STRUCT or TYPE_UNION; its body is not complete yet. */
struct type *type_struct(struct arena *arena, enum type_kind kind,
			 const char *name);
struct type *type_copy(struct arena *arena, const struct type *type);

/*
 * Lays fields out (offset and first_bit are computed) and completes type,
 * which was not. The fields are copied; the types of all are complete. What
 * closes a unit of bit-fields ("int : 0") has no name and a first_bit of
 * TYPE_FIELD_CLOSES; it becomes padding. -EFBIG when the struct gets larger
 * than TYPE_SIZE_MOST.
 */
#define TYPE_FIELD_CLOSES 0xffffu
must_check int type_complete_struct(struct arena *arena, struct type *type,
				    const struct type_field *fields,
				    size_t count, bool packed);

/*
 * The types that need no declaration: C's, the standard typedefs (size_t,
 * pid_t, FILE ...) and ltrace's words (ulong, addr, file). NULL: not one.
 */
const struct type *type_builtin(const char *name);

#endif
