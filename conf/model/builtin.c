/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types that exist without a declaration, as in Linux on x86-64 and on i386
 * (SysV psABIs, glibc's <bits/typesizes.h>): the types of C, of its standard
 * library and of POSIX, and ltrace's short words. A user may redefine all of
 * them except C's own. On i386, types of files and of times have the sizes that
 * they have without _FILE_OFFSET_BITS and _TIME_BITS.
 *
 * Types that are only used through a pointer (fd_set, regex_t, stack_t) are not
 * here, because an undeclared name behind a pointer is an opaque struct.
 *
 * If a name with a leading "__" is not found, it is looked up without the "__".
 * This allows preprocessed system headers (__off_t) to be pasted.
 */
#include "conf/model/lens.h"
#include "conf/model/type.h"

#include <stdlib.h>
#include <string.h>

static const struct lens oct = { .kind = LENS_OCT };
static const struct lens truth = { .kind = LENS_BOOL };

static const struct type_body opaque = { .align = 1 };
static const struct type file = { .kind = TYPE_STRUCT,
				  .name = "FILE",
				  .body = &opaque };
static const struct type nothing = { .kind = TYPE_VOID, .name = "void" };
static const struct type float_4 = { .kind = TYPE_FLOAT,
				     .bytes = 4,
				     .name = "float" };
static const struct type float_8 = { .kind = TYPE_FLOAT,
				     .bytes = 8,
				     .name = "double" };
static const struct type float_8_narrow = {
	.kind = TYPE_FLOAT, .bytes = 8, .align = 4, .name = "double"
};
static const struct type float_16 = { .kind = TYPE_FLOAT,
				      .bytes = 16,
				      .name = "long double" };
static const struct type float_12 = {
	.kind = TYPE_FLOAT, .bytes = 12, .align = 4, .name = "long double"
};
static const struct type float_quad = {
	.kind = TYPE_FLOAT, .bytes = 16, .is_quad = true, .name = "_Float128"
};

#define OPAQUE(text) { .kind = TYPE_STRUCT, .name = text, .body = &opaque },
#define NOTHING(text) { .kind = TYPE_VOID, .name = text },
#define SCALAR(type_kind, text, size) \
	.kind = type_kind, .name = text, .bytes = size, .align = ALIGNED(size)
#define SIGNED(text, size) { SCALAR(TYPE_INT, text, size), .is_signed = true },
#define UNSIGNED(text, size) { SCALAR(TYPE_INT, text, size) },
#define CHARS(text, size, sign) \
	{ SCALAR(TYPE_INT, text, size), .is_signed = sign, .is_char = true },
#define SEEN(text, size, through) \
	{ SCALAR(TYPE_INT, text, size), .lens = through },
#define FLOATS(text, size) { SCALAR(TYPE_FLOAT, text, size) },
#define QUAD(text) { SCALAR(TYPE_FLOAT, text, 16), .is_quad = true },
#define COMPLEX(text, size, of) { SCALAR(TYPE_COMPLEX, text, size), .to = of },
#define ADDRESS(text, of) \
	{ SCALAR(TYPE_POINTER, text, WORD), .to = of, .depth = 1 },

/* Sizes and alignments of x86-64 (psABI 3.1.2). */
#define WORD 8
#define LONG_DOUBLE 16
#define FLOAT_8 float_8
#define FLOAT_LONG float_16
#define EVALUATED(size) (size)
#define ALIGNED(size) 0
static const struct type builtins[] = {
#include "conf/model/builtin.def"
};
#undef WORD
#undef LONG_DOUBLE
#undef FLOAT_8
#undef FLOAT_LONG
#undef EVALUATED
#undef ALIGNED

/* Sizes and alignments of i386: types of 8 and of 12 bytes are aligned to 4
 * (psABI 2.1.2). The x87 FPU evaluates all floats as long double. */
#define WORD 4
#define LONG_DOUBLE 12
#define FLOAT_8 float_8_narrow
#define FLOAT_LONG float_12
#define EVALUATED(size) LONG_DOUBLE
#define ALIGNED(size) ((size) == 8 || (size) == 12 ? 4 : 0)
static const struct type narrow_builtins[] = {
#include "conf/model/builtin.def"
};

_Static_assert(sizeof(builtins) == sizeof(narrow_builtins), "the same rows");

static int
compare(const void *name, const void *type)
{
	return strcmp(name, ((const struct type *)type)->name);
}

static const struct type *
find(unsigned word, const char *name)
{
	return bsearch(name, word == WORD ? narrow_builtins : builtins,
		       array_size(builtins), sizeof(builtins[0]), compare);
}

const struct type *
type_builtin_of(unsigned word, const char *name)
{
	const struct type *type = find(word, name);

	while (!type && !strncmp(name, "__", 2))
		type = find(word, name += 2);
	return type;
}

const struct type *
type_builtin(const char *name)
{
	return type_builtin_of(TYPE_WORD, name);
}
