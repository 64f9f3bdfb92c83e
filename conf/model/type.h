/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A type says how many bytes a value has, what they mean, and which lens shows
 * them. hex(int) is a type of its own, a copy of int with a lens. Types are in
 * the arena of the library that declared them and do not change after parsing.
 * A struct may refer to itself.
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
	TYPE_FLOAT,   /* 4, 8 or 16 bytes; 16 is x87's or is_quad */
	TYPE_COMPLEX, /* two values of type to, a FLOAT */
	TYPE_POINTER, /* the pointer's target has the type `to` */
	/* length values of type to, in place (never a parameter) */
	TYPE_ARRAY,
	TYPE_STRUCT,
	TYPE_UNION,
	TYPE_FUNCTION, /* only behind a pointer */
};

struct type_field {
	const char *name; /* or NULL */
	const struct type *type;
	size_t offset; /* in bytes, from the start of the struct */
	/* A bit-field: its width (0 for other fields), and its lowest bit
	 * within the little-endian integer at offset. A bit-field without a
	 * name is padding and is not shown. */
	unsigned bits;
	unsigned first_bit;
	/* The field always has its place, but is valid only if its condition is
	 * true, or is NULL. */
	const struct expr *condition;
};

/* The fields of a struct or union, shared by all copies of the type. */
struct type_body {
	bool complete; /* false: only declared, its size is unknown */
	bool packed;
	const struct type_field *fields;
	size_t count;
	size_t size;
	size_t align;
};

struct type {
	enum type_kind kind;
	unsigned char bytes; /* the size of INT, FLOAT, COMPLEX and POINTER */
	unsigned char align; /* of INT, FLOAT and POINTER; 0: their size */
	bool is_signed;	     /* INT */
	bool is_char;	     /* INT: shown as a character */
	bool is_const;	     /* as declared; C only */
	/* INT: the value has its highest byte first, as in network protocols */
	bool is_big_endian;
	bool is_quad; /* FLOAT: IEEE 754's binary128, _Float128 */
	/* how deep types are nested in it, at most TYPE_DEPTH */
	unsigned char depth;
	/* The name in C ("size_t", "struct stat"); NULL: no name. */
	const char *name;
	/* How values are shown; NULL: in the natural way of the type. */
	const struct lens *lens;
	/*
	 * POINTER, ARRAY, COMPLEX: the type of the target, of the elements, of
	 * the parts.
	 */
	const struct type *to;
	/*
	 * ARRAY: the number of elements. It may depend on arguments or sibling
	 * fields. EXPR_ZERO: up to the first element of zero bytes. NULL:
	 * unknown (the flexible array at the end of a struct).
	 */
	const struct expr *length;
	/* STRUCT, UNION: the fields; never NULL. */
	const struct type_body *body;
	/* FUNCTION: its parameters; never NULL. */
	const struct proto *proto;
};

/* How deep types may be nested. The limit bounds the stack, because functions
 * recurse. */
#define TYPE_DEPTH 60
/* The most bytes of a type. Because of this limit, sums of sizes do not
 * overflow. */
#define TYPE_SIZE_MOST ((size_t)1 << 40)

/* The size of an address in programs of xtrace's own kind, in bytes. A
 * parameter `word` is the size of an address in the program in question:
 * TYPE_WORD or 4. */
#define TYPE_WORD 8u

/*
 * Size and alignment in bytes (SysV x86-64 psABI 3.1.2, i386 psABI 2.1.2). The
 * size is 0 for void, functions, structs that are only declared, and arrays
 * without a constant length.
 */
size_t type_size(const struct type *type);
size_t type_align(const struct type *type);

/* False for types without a known size: void, functions, structs and unions
 * that are only declared, and arrays of such types. */
bool type_complete(const struct type *type);

/*
 * True for a choice: a union whose members all have a condition. If the field
 * has no name, only the member whose condition is true is shown, in place of
 * the union. If that member is a struct without a name, its fields are shown as
 * fields of the enclosing struct.
 */
bool type_is_choice(const struct type *type);

/* True for a pointer that cannot usefully be followed: to void, to a function,
 * to a struct that is only declared, or with LENS_ADDRESS. */
bool type_is_address(const struct type *type);

/*
 * True if the two types are equivalent. Structs are if their fields have the
 * same names, places, kinds and sizes.
 */
bool type_same(const struct type *a, const struct type *b);

/* The next multiple that is not less than value: where what has this alignment
 * is put. */
static inline uint64_t
type_round_up(uint64_t value, uint64_t multiple)
{
	return (value + multiple - 1) / multiple * multiple;
}

/* True for a char that is shown as a character. */
bool type_is_character(const struct type *type);

/* Constructors of types. The arena owns the result. */
const struct type *type_void(void);
/* If it has 8 bytes, its alignment is that of xtrace's own kind of programs. */
struct type *type_int(struct arena *arena, unsigned bytes, bool is_signed);
/* A pointer of TYPE_WORD bytes, or of `word` bytes. */
struct type *type_pointer(struct arena *arena, const struct type *to);
struct type *type_pointer_of(struct arena *arena, unsigned word,
			     const struct type *to);
struct type *type_array(struct arena *arena, const struct type *of,
			const struct expr *length);
/* kind is TYPE_STRUCT or TYPE_UNION. The body is not complete yet. */
struct type *type_struct(struct arena *arena, enum type_kind kind,
			 const char *name);
struct type *type_copy(struct arena *arena, const struct type *type);

/*
 * Lays out the fields (computes offset and first_bit) and completes type, which
 * was incomplete. The fields are copied; their types must be complete. A field
 * that closes a unit of bit-fields ("int : 0") has no name and a first_bit of
 * TYPE_FIELD_CLOSES; it becomes padding. Returns -EFBIG if the struct is larger
 * than TYPE_SIZE_MOST.
 */
#define TYPE_FIELD_CLOSES 0xffffu
must_check int type_complete_struct(struct arena *arena, struct type *type,
				    const struct type_field *fields,
				    size_t count, bool packed);

/*
 * Finds a type that needs no declaration: C's types, the standard typedefs
 * (size_t, pid_t, FILE ...) and ltrace's words (ulong, addr, file). NULL: not
 * built in.
 */
const struct type *type_builtin(const char *name);
/* The same, in programs whose addresses have `word` bytes. */
const struct type *type_builtin_of(unsigned word, const char *name);

#endif
