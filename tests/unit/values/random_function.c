/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types and values come from random_type.c. A row of varargs[] has a directive
 * of a format, and the type that the caller passes after C's promotions.
 */
#include "tests/unit/values/random_function.h"

#include "base/attr.h"
#include "base/xmalloc.h"
#include "conf/model/lens.h"

#include <stdlib.h>
#include <string.h>

#define PADDING 3000 /* makes the format longer than any window */

static const struct lens format_lens = { .kind = LENS_FORMAT,
					 .stops_at_nul = true };
static const struct type character = {
	.kind = TYPE_INT, .bytes = 1, .is_char = true, .name = "char"
};
static const struct type format_type = { .kind = TYPE_POINTER,
					 .bytes = 8,
					 .name = "const char *",
					 .to = &character,
					 .lens = &format_lens };

/* The type that a caller passes after the promotions, and its directive. */
static const struct {
	const char *directive;
	struct type type;
} varargs[] = {
	{ "%d", { .kind = TYPE_INT, .bytes = 4, .name = "int" } },
	{ "%5u", { .kind = TYPE_INT, .bytes = 4, .name = "unsigned" } },
	{ "%-#lx", { .kind = TYPE_INT, .bytes = 8, .name = "long" } },
	{ "%lld", { .kind = TYPE_INT, .bytes = 8, .name = "long long" } },
	{ "%zu", { .kind = TYPE_INT, .bytes = 8, .name = "size_t" } },
	{ "%f", { .kind = TYPE_FLOAT, .bytes = 8, .name = "double" } },
	{ "%.3g", { .kind = TYPE_FLOAT, .bytes = 8, .name = "double" } },
	{ "%Lf", { .kind = TYPE_FLOAT, .bytes = 16, .name = "long double" } },
	{ "%s", { .kind = TYPE_POINTER, .bytes = 8, .name = "void *" } },
	{ "%p", { .kind = TYPE_POINTER, .bytes = 8, .name = "void *" } },
};

static void
add_type(struct random *random, struct function *function,
	 const struct type *type)
{
	size_t size = type_size(type);

	function->types[function->count++] = type;
	function->arguments = xrealloc(function->arguments,
				       function->arguments_size + size + 1);
	memset(function->arguments + function->arguments_size, 0, size);
	random_fill(random, type,
		    function->arguments + function->arguments_size);
	function->arguments_size += size;
}

static void
add_param(struct random *random, struct function *function,
	  const struct type *type)
{
	function->params[function->proto.count++] =
		(struct param){ .type = type };
	add_type(random, function, type);
}

static void
add_varargs(struct random *random, struct function *function)
{
	unsigned count = random_below(random, VARARGS_MOST);
	struct str *format = &function->format;
	unsigned char *passed;

	function->proto.format = (int)function->proto.count;
	function->proto.varargs = true;
	add_param(random, function, &format_type);
	if (random_below(random, 4) == 0)
		str_add_repeated(format, '.', PADDING);
	str_add(format, "");
	for (unsigned i = 0; i < count; i++) {
		unsigned row = random_below(random, array_size(varargs));

		str_addf(format, " %s%%%%", varargs[row].directive);
		add_type(random, function, &varargs[row].type);
	}
	passed = function->arguments;
	for (int i = 0; i < function->proto.format; i++)
		passed += type_size(function->types[i]);
	memcpy(passed, &format->text, sizeof(format->text));
}

void
random_function(struct random *random, struct function *function)
{
	unsigned count = random_below(random, PARAMS_MOST);
	struct proto *proto = &function->proto;

	proto->params = function->params;
	proto->format = -1;
	proto->returns = type_void();
	if (random_below(random, 8) > 0)
		proto->returns = random_type(random);
	function->result = xcalloc(1, type_size(proto->returns) + 1);
	random_fill(random, proto->returns, function->result);
	for (unsigned i = 0; i < count; i++)
		add_param(random, function, random_type(random));
	if (random_below(random, 4) == 0)
		add_varargs(random, function);
}

static void
write_parameters(const struct function *function, struct str *to)
{
	for (size_t i = 0; i < function->proto.count; i++)
		str_addf(to, "%s%s", i ? ", " : "", function->types[i]->name);
	if (function->proto.varargs)
		str_add(to, ", ...");
	else if (function->proto.count == 0)
		str_add(to, "void");
}

static void
write_function(const struct function *function, unsigned number, struct str *to)
{
	const char *returns = function->proto.returns->name;
	bool is_void = function->proto.returns->kind == TYPE_VOID;
	size_t at = 0;

	str_addf(to, "typedef %s type%u(", returns, number);
	write_parameters(function, to);
	str_addf(to, ");\n%s function%u(", returns, number);
	for (size_t i = 0; i < function->proto.count; i++)
		str_addf(to, "%s%s a%zu", i ? ", " : "",
			 function->types[i]->name, i);
	if (function->proto.varargs)
		str_add(to, ", ...");
	else if (function->proto.count == 0)
		str_add(to, "void");
	str_add(to, ")\n{\n");
	for (size_t i = 0; i < function->proto.count; i++) {
		str_addf(to, "\tmemcpy(seen + %zu, &a%zu, sizeof(a%zu));\n", at,
			 i, i);
		at += type_size(function->types[i]);
	}
	if (!is_void)
		str_addf(to,
			 "\t%s r;\n\tmemcpy(&r, wanted, sizeof(r));\n"
			 "\treturn r;\n",
			 returns);
	str_add(to, "}\n");
}

static void
write_caller(const struct function *function, unsigned number, struct str *to)
{
	bool is_void = function->proto.returns->kind == TYPE_VOID;

	str_addf(to,
		 "void call%u(type%u *function, const char *from, "
		 "void *to)\n{\n",
		 number, number);
	for (size_t i = 0; i < function->count; i++)
		str_addf(to,
			 "\t%s a%zu;\n\tmemcpy(&a%zu, from, %zu);\n"
			 "\tfrom += %zu;\n",
			 function->types[i]->name, i, i,
			 type_size(function->types[i]),
			 type_size(function->types[i]));
	if (!is_void)
		str_addf(to, "\t%s r = ", function->proto.returns->name);
	str_add(to, "\tfunction(");
	for (size_t i = 0; i < function->count; i++)
		str_addf(to, "%sa%zu", i ? ", " : "", i);
	str_add(to, ");\n");
	if (!is_void)
		str_add(to, "\tmemcpy(to, &r, sizeof(r));\n");
	str_add(to, "}\n");
}

void
random_function_write(const struct function *function, unsigned number,
		      struct str *to)
{
	write_function(function, number, to);
	write_caller(function, number, to);
}

void
random_function_release(struct function *function)
{
	free(function->arguments);
	free(function->result);
	str_release(&function->format);
}
