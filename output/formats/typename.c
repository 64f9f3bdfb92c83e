/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Most types have the name from the prototype. The names of others are made
 * from their parts, without C's inside-out declarators, because the reader of a
 * JSON line wants to distinguish an int from a char * and not to compile it.
 */
#include "output/formats/typename.h"

#include "conf/model/expr.h"
#include "conf/model/type.h"

/* The name of an integer of this size on x86-64 (SysV x86-64 psABI 3.1.2). */
static const char *
int_name(unsigned bytes)
{
	switch (bytes) {
	case 1:
		return "char";
	case 2:
		return "short";
	case 4:
		return "int";
	case 8:
		return "long";
	default:
		return "__int128";
	}
}

static void
add_int(struct str *to, const struct type *type)
{
	if (!type->is_signed)
		str_add(to, "unsigned ");
	str_add(to, int_name(type->bytes));
}

static void
add_float(struct str *to, const struct type *type)
{
	if (type->is_quad)
		str_add(to, "_Float128");
	else if (type->bytes == 4)
		str_add(to, "float");
	else
		str_add(to, type->bytes == 8 ? "double" : "long double");
}

static void
add_pointer(struct str *to, const struct type *type)
{
	typename_add(to, type->to);
	if (to->length > 0 && to->text[to->length - 1] != '*')
		str_add_char(to, ' ');
	str_add_char(to, '*');
}

static void
add_array(struct str *to, const struct type *type)
{
	int64_t length;

	typename_add(to, type->to);
	str_add_char(to, '[');
	if (type->length && expr_constant(type->length, &length))
		str_add_signed(to, length);
	str_add_char(to, ']');
}

static void
add_nameless(struct str *to, const struct type *type)
{
	switch (type->kind) {
	case TYPE_VOID:
		str_add(to, "void");
		break;
	case TYPE_INT:
		add_int(to, type);
		break;
	case TYPE_FLOAT:
		add_float(to, type);
		break;
	case TYPE_COMPLEX:
		typename_add(to, type->to);
		str_add(to, " complex");
		break;
	case TYPE_POINTER:
		add_pointer(to, type);
		break;
	case TYPE_ARRAY:
		add_array(to, type);
		break;
	case TYPE_STRUCT:
		str_add(to, "struct");
		break;
	case TYPE_UNION:
		str_add(to, "union");
		break;
	case TYPE_FUNCTION:
		str_add(to, "function");
		break;
	}
}

void
typename_add(struct str *to, const struct type *type)
{
	if (type->is_const && type->kind != TYPE_POINTER)
		str_add(to, "const ");
	if (type->name)
		str_add(to, type->name);
	else
		add_nameless(to, type);
}
