/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a whole library as text. The constants of #define come first. Then
 * come the declarations of all structs that a typedef names, then the
 * definitions of all types in their order, so that a name is always known
 * before its use, and then the prototypes.
 */
#include "conf/dump/dump_parts.h"

#include "conf/dump/dump.h"
#include "conf/model/lens.h"
#include "conf/model/library_parts.h"

#include <string.h>

/* Writes struct tag { ... }; or, if it is opaque, struct tag; */
static void
dump_tag(const struct library *library, const struct named_type *named,
	 struct str *to)
{
	const struct type_body *body = named->type->body;
	const char *tag = strchr(named->name, ' ') + 1;

	if (!body->complete) {
		str_addf(to, "%s;\n", named->name);
		return;
	}
	str_addf(to, "%s %s%s {\n",
		 named->type->kind == TYPE_UNION ? "union" : "struct",
		 body->packed ? "__attribute__((packed)) " : "", tag);
	for (size_t i = 0; i < body->count; i++) {
		str_add_char(to, '\t');
		dump_field(library, &body->fields[i], to);
		str_add(to, ";\n");
	}
	str_add(to, "};\n");
}

static void
dump_enum(const struct library *library, const struct named_type *named,
	  struct str *to)
{
	struct type under = *named->type;

	under.lens = under.lens->under;
	str_addf(to, "%s : ", named->name);
	dump_bare(library, &under, to);
	str_add(to, " { ");
	dump_constants(named->type->lens, to);
	str_add(to, " };\n");
}

static void
dump_named(const struct library *library, const struct named_type *named,
	   struct str *to)
{
	struct type type = *named->type;

	if (named->name[0] == '?')
		return; /* an opaque struct needs no declaration */
	if (!strncmp(named->name, "enum ", 5)) {
		dump_enum(library, named, to);
		return;
	}
	if (strchr(named->name, ' ')) {
		dump_tag(library, named, to);
		return;
	}
	if (named->defines && !named->type->body->complete)
		return; /* the struct is declared already, but not defined */
	if (named->type->kind == TYPE_FUNCTION) {
		str_add(to, "typedef ");
		dump_function(library, named->type->proto, named->name, to);
		str_add(to, ";\n");
		return;
	}
	str_addf(to, "typedef %s = ", named->name);
	if (type.name && !strcmp(type.name, named->name))
		type.name = NULL;
	if (named->defines && !type.lens)
		dump_anonymous(library, &type, to);
	else
		dump_out(library, &type, to);
	str_add(to, ";\n");
}

/* Collects the names of constants that the library's types define. */
static void
collect_constants(const struct library *library, struct strmap *names)
{
	for (size_t i = 0; i < library->type_list.count; i++) {
		const struct lens *lens = library->type_list.at[i]->type->lens;

		for (; lens; lens = lens->under) {
			for (size_t n = 0; n < lens->name_count; n++)
				strmap_put(names, lens->names[n].name,
					   (void *)lens);
		}
	}
}

/* Writes the constants that expressions use and no type defines. */
static void
dump_defines(const struct library *library, struct str *to)
{
	struct strmap names;

	strmap_init(&names);
	collect_constants(library, &names);
	for (size_t i = 0; i < library->constant_list.count; i++) {
		const struct named_constant *constant =
			library->constant_list.at[i];

		if (constant->used && !constant->ambiguous &&
		    !strmap_get(&names, constant->name))
			str_addf(to, "#define %s %lld\n", constant->name,
				 (long long)constant->value);
	}
	strmap_release(&names);
}

/* Declares the structs that a typedef names: those with a definition if
 * complete is true, else those without. */
static void
dump_forward(const struct library *library, bool complete, struct str *to)
{
	for (size_t i = 0; i < library->type_list.count; i++) {
		const struct named_type *named = library->type_list.at[i];
		bool is_union = named->type->kind == TYPE_UNION;

		if (named->defines && !strchr(named->name, ' ') &&
		    named->type->body->complete == complete)
			str_addf(to, "typedef %s = %s;\n", named->name,
				 is_union ? "union" : "struct");
	}
}

void
dump_library(const struct library *library, struct str *to)
{
	dump_defines(library, to);
	dump_forward(library, false, to);
	dump_forward(library, true, to);
	for (size_t i = 0; i < library->type_list.count; i++)
		dump_named(library, library->type_list.at[i], to);
	for (size_t i = 0; i < library->proto_list.count; i++) {
		dump_proto(library, library->proto_list.at[i], to);
		str_add_char(to, '\n');
	}
}
