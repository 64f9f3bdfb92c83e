/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes expressions as text. Every operand that is itself an operation is put
 * in brackets, so that a reader needs no precedences.
 */
#include "conf/dump/dump.h"
#include "conf/model/expr.h"
#include "conf/model/library.h"

#include <ctype.h>
#include <string.h>

static const char *const operators[EXPR_KINDS] = {
	[EXPR_NOT] = "!",	  [EXPR_NEGATE] = "-",
	[EXPR_COMPLEMENT] = "~",  [EXPR_MULTIPLY] = "*",
	[EXPR_DIVIDE] = "/",	  [EXPR_REMAINDER] = "%",
	[EXPR_ADD] = "+",	  [EXPR_SUBTRACT] = "-",
	[EXPR_SHIFT_LEFT] = "<<", [EXPR_SHIFT_RIGHT] = ">>",
	[EXPR_LESS] = "<",	  [EXPR_LESS_EQUAL] = "<=",
	[EXPR_GREATER] = ">",	  [EXPR_GREATER_EQUAL] = ">=",
	[EXPR_EQUAL] = "==",	  [EXPR_UNEQUAL] = "!=",
	[EXPR_MATCH] = "~",	  [EXPR_MISMATCH] = "!~",
	[EXPR_BIT_AND] = "&",	  [EXPR_BIT_XOR] = "^",
	[EXPR_BIT_OR] = "|",	  [EXPR_AND] = "&&",
	[EXPR_OR] = "||",	  [EXPR_CHOOSE] = "?",
	[EXPR_EITHER] = ":",
};

static void
dump_quoted(const char *text, struct str *to)
{
	str_add_char(to, '"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			str_addf(to, "\\%c", c);
		else if (isprint(c))
			str_add_char(to, (char)c);
		else
			str_addf(to, "\\%03o", c);
	}
	str_add_char(to, '"');
}

static void
dump_real(double real, struct str *to)
{
	size_t start = to->length;

	str_addf(to, "%.17g", real);
	if (!strpbrk(to->text + start, ".e"))
		str_add(to, ".0");
}

/* Writes the number as in the file: in octal, or by the name of a constant. */
static void
dump_number(const struct library *library, const struct expr *expr,
	    struct str *to)
{
	bool digits = expr->name && isdigit((unsigned char)expr->name[0]);
	int64_t value;

	if (expr->name && (digits || !library ||
			   (library_constant(library, expr->name, &value) &&
			    value == expr->number)))
		str_add(to, expr->name);
	else
		str_add_signed(to, expr->number);
}

static void
dump_operand(const struct library *library, const struct expr *expr,
	     struct str *to)
{
	if (expr->kind < EXPR_NOT) {
		dump_expr(library, expr, to);
		return;
	}
	str_add_char(to, '(');
	dump_expr(library, expr, to);
	str_add_char(to, ')');
}

static bool
is_unary(const struct expr *expr)
{
	return expr->kind >= EXPR_NOT && expr->kind <= EXPR_COMPLEMENT;
}

static void
dump_operation(const struct library *library, const struct expr *expr,
	       struct str *to)
{
	if (expr->kind <= EXPR_COMPLEMENT) {
		str_add(to, operators[expr->kind]);
		/* "--1" is correct, but "!~" would be one operator. */
		if (is_unary(expr->left) && expr->kind != EXPR_NOT)
			dump_expr(library, expr->left, to);
		else
			dump_operand(library, expr->left, to);
		return;
	}
	dump_operand(library, expr->left, to);
	str_addf(to, " %s ", operators[expr->kind]);
	if (expr->kind == EXPR_CHOOSE)
		dump_operation(library, expr->right, to);
	else
		dump_operand(library, expr->right, to);
}

static void
dump_zero(const struct library *library, const struct expr *expr,
	  struct str *to)
{
	str_add(to, "zero");
	if (!expr->left)
		return;
	str_add_char(to, '(');
	dump_expr(library, expr->left, to);
	str_add_char(to, ')');
}

/* Writes the name if the file has a name, else the number. */
static void
dump_reference(const struct expr *expr, const char *word, struct str *to)
{
	if (expr->name)
		str_add(to, expr->name);
	else
		str_addf(to, "%s%lld", word, (long long)expr->number);
}

void
dump_expr(const struct library *library, const struct expr *expr,
	  struct str *to)
{
	switch (expr->kind) {
	case EXPR_NUMBER:
		dump_number(library, expr, to);
		break;
	case EXPR_REAL:
		dump_real(expr->real, to);
		break;
	case EXPR_TEXT:
	case EXPR_REGEX:
		dump_quoted(expr->name, to);
		break;
	case EXPR_ARG:
		dump_reference(expr, "arg", to);
		break;
	case EXPR_ELEMENT:
		dump_reference(expr, "elt", to);
		break;
	case EXPR_RETVAL:
		str_add(to, "retval");
		break;
	case EXPR_NAME:
		str_addf(to, "%s%s", library ? "arg." : "", expr->name);
		break;
	case EXPR_FIELD:
		dump_operand(library, expr->left, to);
		str_addf(to, ".%s", expr->name);
		break;
	case EXPR_BESIDE:
		dump_operand(library, expr->left, to);
		str_add(to, "[]");
		break;
	case EXPR_BEFORE:
		str_add(to, "before(");
		dump_expr(library, expr->left, to);
		str_add_char(to, ')');
		break;
	case EXPR_CALL:
		str_addf(to, "%s(", expr->name);
		dump_expr(library, expr->left, to);
		if (expr->right) {
			str_add(to, ", ");
			dump_expr(library, expr->right, to);
		}
		str_add_char(to, ')');
		break;
	case EXPR_ZERO:
		dump_zero(library, expr, to);
		break;
	default:
		dump_operation(library, expr, to);
		break;
	}
}
