/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Says what prototype files say, for prototypes.py to compare with headers
 * and libraries. The first argument is the size of an address in the programs
 * for which they are parsed. One fact a line, words between blanks:
 *
 *	complaint FILE:LINE:COLUMN: TEXT
 *	file FILE
 *	proto FILE LINE NAME RESULT [...] PARAMETER...
 *	struct SIZE NAME OF IT
 *	field OFFSET FIELD NAME OF STRUCT
 *	constant NAME VALUE
 *
 * A RESULT or PARAMETER is a class (v, i, u, p, f, q, c, s: void, integer with a
 * sign, without, pointer, real, _Float128, complex, struct) and its size. "?"
 * follows if the parameter depends on a condition; "..." is at the end if there
 * may be more parameters.
 */
#include "base/xmalloc.h"
#include "conf/parse/complaint.h"
#include "conf/find/files.h"
#include "conf/model/lens.h"
#include "conf/model/library_parts.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A pointer that is shown in one of several ways, only(union(...)), is passed
 * in the same register as the pointer (SysV x86-64 psABI 3.2.3).
 */
static bool
is_choice_of_pointers(const struct type *type)
{
	if (type->kind != TYPE_UNION || !lens_of_kind(type->lens, LENS_ONLY))
		return false;
	for (size_t i = 0; i < type->body->count; i++) {
		if (type->body->fields[i].type->kind != TYPE_POINTER)
			return false;
	}
	return true;
}

static const char *
class_of(const struct type *type)
{
	static const char *const classes[] = {
		[TYPE_VOID] = "v",    [TYPE_FLOAT] = "f",
		[TYPE_COMPLEX] = "c", [TYPE_POINTER] = "p",
		[TYPE_STRUCT] = "s",  [TYPE_UNION] = "s",
		[TYPE_ARRAY] = "p",   [TYPE_FUNCTION] = "p",
	};

	if (is_choice_of_pointers(type))
		return "p";
	if (type->kind == TYPE_INT)
		return type->is_signed ? "i" : "u";
	if (type->is_quad)
		return "q";
	return classes[type->kind];
}

static void
say_class(const struct type *type, bool conditional)
{
	printf(" %s%zu%s", class_of(type), type_size(type),
	       conditional ? "?" : "");
}

static void
say_constants(const struct lens *lens)
{
	for (; lens; lens = lens->under) {
		for (size_t i = 0; i < lens->name_count; i++)
			printf("constant %s %lld\n", lens->names[i].name,
			       (long long)lens->names[i].value);
	}
}

/*
 * Prints the constants of a type, and of what it points to or is an array of.
 * Structs are printed elsewhere, with their fields.
 */
static void
say_constants_of(const struct type *type)
{
	for (; type; type = type->to)
		say_constants(type->lens);
}

static void
say_proto(const struct proto *proto)
{
	printf("proto %s %u %s", proto->file, proto->line, proto->name);
	say_class(proto->returns, false);
	for (size_t i = 0; i < proto->count; i++)
		say_class(proto->params[i].type,
			  proto->params[i].condition != NULL);
	printf("%s\n", proto->varargs ? " ..." : "");
	say_constants_of(proto->returns);
	for (size_t i = 0; i < proto->count; i++)
		say_constants_of(proto->params[i].type);
}

static void
say_type(const struct type *type, const char *name)
{
	say_constants_of(type);
	if (!type->body || !type->body->complete)
		return;
	printf("struct %zu %s\n", type_size(type), name);
	for (size_t i = 0; i < type->body->count; i++) {
		const struct type_field *field = &type->body->fields[i];

		say_constants_of(field->type);
		if (field->name && !field->bits)
			printf("field %zu %s %s\n", field->offset, field->name,
			       name);
	}
}

static void
say_library(const struct library *library)
{
	const struct proto *proto;

	for (size_t i = 0; i < library->type_list.count; i++)
		say_type(library->type_list.at[i]->type,
			 library->type_list.at[i]->name);
	for (size_t i = 0; (proto = library_proto_at(library, i)); i++)
		say_proto(proto);
}

int
main(int argc, char **argv)
{
	struct files files;

	files_init(&files, (unsigned)atoi(argv[1]));
	for (int i = 2; i < argc; i++)
		files_read(&files, argv[i], TRUST_NAMED, true);
	for (size_t i = 0; i < files.complaints.list.count; i++) {
		struct str line;

		str_init(&line);
		complaint_print(&files.complaints.list.at[i], &line);
		printf("complaint %s\n", str_text(&line));
		str_release(&line);
	}
	for (size_t i = 0; i < files.list.count; i++) {
		if (files.list.at[i]->library) {
			printf("file %s\n",
			       library_file(files.list.at[i]->library));
			say_library(files.list.at[i]->library);
		}
	}
	files_release(&files);
	return 0;
}
