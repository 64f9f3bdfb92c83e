/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Base types: integers, characters, floating and complex numbers, by their
 * encoding and size. A type that the model has built in is used under its name.
 */
#include "values/learn/learn_parts.h"

#include <errno.h>
#include <string.h>

static bool
is_integer(int encoding)
{
	return encoding == DW_ATE_signed || encoding == DW_ATE_unsigned ||
	       encoding == DW_ATE_signed_char ||
	       encoding == DW_ATE_unsigned_char || encoding == DW_ATE_UTF ||
	       encoding == DW_ATE_boolean || encoding == DW_ATE_address;
}

int
learn_integer(struct learner *learner, const char *name, unsigned encoding,
	      size_t bytes, const struct type **ret_type)
{
	bool is_signed =
		encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	struct type *type;

	if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16)
		return -ENOTSUP;
	if (encoding == DW_ATE_boolean && bytes == 1) {
		*ret_type = type_builtin_of(learner->word, "bool");
		return 0;
	}
	type = type_int(&learner->arena, (unsigned)bytes, is_signed);
	type->is_char =
		encoding == DW_ATE_UTF || (encoding == DW_ATE_signed_char &&
					   name && !strcmp(name, "char"));
	*ret_type = type;
	return 0;
}

static int
learn_real(struct learner *learner, const char *name, size_t bytes,
	   const struct type **ret_type)
{
	bool is_quad = name && bytes == 16 && strcmp(name, "long double") != 0;
	const struct type *type =
		type_builtin_of(learner->word, is_quad	    ? "_Float128"
					       : bytes == 4 ? "float"
					       : bytes == 8 ? "double"
							    : "long double");

	if (bytes != type_size(type))
		return -ENOTSUP;
	*ret_type = type;
	return 0;
}

static int
learn_complex(const struct learner *learner, size_t bytes,
	      const struct type **ret_type)
{
	*ret_type = type_builtin_of(learner->word,
				    bytes == 8	  ? "float _Complex"
				    : bytes == 16 ? "double _Complex"
						  : "long double _Complex");
	return bytes == type_size(*ret_type) ? 0 : -ENOTSUP;
}

int
learn_base(struct learner *learner, Dwarf_Die *die,
	   const struct type **ret_type)
{
	const char *name = dwarf_diename(die);
	uint64_t encoding = 0, bytes = 0;
	const struct type *known =
		name ? type_builtin_of(learner->word, name) : NULL;
	int r = learn_number(learner, die, DW_AT_encoding, &encoding);

	if (r >= 0)
		r = learn_number(learner, die, DW_AT_byte_size, &bytes);
	if (r < 0)
		return r;
	if (is_integer((int)encoding))
		r = learn_integer(learner, name, (unsigned)encoding, bytes,
				  ret_type);
	else if (encoding == DW_ATE_float)
		r = learn_real(learner, name, bytes, ret_type);
	else if (encoding == DW_ATE_complex_float)
		r = learn_complex(learner, bytes, ret_type);
	else
		r = -ENOTSUP;
	if (r == 0 && known && type_same(known, *ret_type))
		*ret_type = known;
	return r;
}
