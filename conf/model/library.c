/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of one prototype file. If a file has two prototypes for one
 * function, the later one counts, so that a prototype can be corrected at the
 * end of a file. If two enums give a constant different values, each enum keeps
 * it, but it is no longer a constant of the library, because an expression
 * could mean either.
 *
 * A name is looked up in the file itself, then in the files that it imports, in
 * their order, and then among the built-in types. An import that is not parsed
 * yet is read when a name was found nowhere before it. Files that are read so
 * late may import each other; a lookup enters the imports of each only once.
 */
#include "conf/model/library.h"

#include "conf/model/library_parts.h"

void
library_free(struct library *library)
{
	if (!library)
		return;
	if (library->deferred)
		library->deferred->free(library->deferred);
	patterns_release(&library->patterns);
	vec_release(&library->imports);
	vec_release(&library->probes);
	vec_release(&library->constant_list);
	vec_release(&library->type_list);
	vec_release(&library->proto_list);
	strmap_release(&library->constants);
	strmap_release(&library->types);
	strmap_release(&library->protos);
	arena_release(&library->arena);
	free(library);
}

const char *
library_file(const struct library *library)
{
	return library->file;
}

/* Parses the items that may define the name. Every lookup of a type or constant
 * calls this first; a lookup of a prototype only if none is known yet. */
static void
parse_deferred(const struct library *library, const char *name)
{
	if (library->deferred)
		library->deferred->parse(library->deferred, name);
}

/* True if an item that was or is to be parsed later may define a prototype of
 * this name. */
static bool
defers_proto(const struct library *library, const char *name)
{
	return library->deferred &&
	       library->deferred->defines(library->deferred, name);
}

static struct proto *
own_proto(const struct library *library, const char *name)
{
	struct proto *proto = strmap_get(&library->protos, name);

	if (proto || !defers_proto(library, name))
		return proto;
	parse_deferred(library, name);
	return strmap_get(&library->protos, name);
}

static bool
enter_imports(const struct library *library)
{
	struct library_deferred *deferred = library->deferred;

	if (!deferred)
		return true;
	if (deferred->in_imports)
		return false;
	deferred->in_imports = true;
	return true;
}

static void
leave_imports(const struct library *library)
{
	if (library->deferred)
		library->deferred->in_imports = false;
}

/* The i-th import of the library; NULL after the last. Imports that were not
 * parsed yet are parsed. */
static const struct library *
import_at(const struct library *library, size_t i)
{
	struct library_deferred *deferred = library->deferred;

	while (i >= library->imports.count && deferred &&
	       deferred->parse_import(deferred))
		;
	return i < library->imports.count ? library->imports.at[i] : NULL;
}

void
library_parse_all(const struct library *library)
{
	if (library->deferred)
		library->deferred->parse_protos(library->deferred);
	for (size_t i = library->imports.count; import_at(library, i); i++)
		;
}

void
library_add_proto(struct library *library, const struct proto *proto)
{
	struct proto *known = own_proto(library, proto->name);

	if (known) {
		/*
		 * If two prototypes have one name, the later one in the file
		 * counts, whichever is parsed first.
		 */
		if (known->line <= proto->line)
			*known = *proto;
		return;
	}
	known = arena_copy(&library->arena, proto, sizeof(*proto));
	strmap_put(&library->protos, proto->name, known);
	vec_push(&library->proto_list, known);
}

void
library_add_type(struct library *library, const struct named_type *type)
{
	struct named_type *known = strmap_get(&library->types, type->name);

	if (known) {
		*known = *type;
		return;
	}
	known = arena_copy(&library->arena, type, sizeof(*type));
	strmap_put(&library->types, type->name, known);
	vec_push(&library->type_list, known);
}

void
library_defined_type(struct library *library, const char *name)
{
	struct named_type *named = strmap_get(&library->types, name);

	for (size_t i = 0; i < library->type_list.count; i++) {
		if (library->type_list.at[i] != named)
			continue;
		vec_remove(&library->type_list, i);
		vec_push(&library->type_list, named);
		return;
	}
}

struct named_constant *
library_add_constant(struct library *library, const char *name, int64_t value)
{
	struct named_constant *known = strmap_get(&library->constants, name);

	if (known) {
		known->ambiguous |= known->value != value;
		return known;
	}
	known = arena_zalloc(&library->arena, sizeof(*known));
	known->name = name;
	known->value = value;
	strmap_put(&library->constants, name, known);
	vec_push(&library->constant_list, known);
	return known;
}

/* The lookup of one name, and the prototype, type or number that was found. */
struct lookup {
	const char *name;
	const struct proto *proto;
	const struct named_type *type;
	int64_t *number;
};

typedef bool look_up(const struct library *library, struct lookup *lookup);

static bool
look_in_imports(const struct library *library, look_up *look,
		struct lookup *lookup)
{
	const struct library *import;
	bool found = false;

	if (!enter_imports(library))
		return false;
	for (size_t i = 0; !found && (import = import_at(library, i)); i++)
		found = look(import, lookup);
	leave_imports(library);
	return found;
}

static bool
look_for_name(const struct library *library, struct lookup *lookup)
{
	return library_has_proto(library, lookup->name);
}

static bool
look_for_proto(const struct library *library, struct lookup *lookup)
{
	lookup->proto = library_proto(library, lookup->name);
	return lookup->proto;
}

static bool
look_for_type(const struct library *library, struct lookup *lookup)
{
	lookup->type = library_named_type(library, lookup->name);
	return lookup->type;
}

static bool
look_for_constant(const struct library *library, struct lookup *lookup)
{
	return library_constant(library, lookup->name, lookup->number);
}

bool
library_has_proto(const struct library *library, const char *name)
{
	struct lookup lookup = { .name = name };

	return strmap_get(&library->protos, name) ||
	       defers_proto(library, name) ||
	       look_in_imports(library, look_for_name, &lookup);
}

const struct proto *
library_proto(const struct library *library, const char *name)
{
	const struct proto *proto = own_proto(library, name);
	struct lookup lookup = { .name = name };

	if (!proto)
		look_in_imports(library, look_for_proto, &lookup);
	return proto ? proto : lookup.proto;
}

const struct named_type *
library_named_type(const struct library *library, const char *name)
{
	const char *space = strrchr(name, ' ');
	struct lookup lookup = { .name = name };
	const struct named_type *type;

	/* The item that defines "struct x" is found by the name x. */
	parse_deferred(library, space ? space + 1 : name);
	type = strmap_get(&library->types, name);
	if (!type)
		look_in_imports(library, look_for_type, &lookup);
	return type ? type : lookup.type;
}

const struct type *
library_type(const struct library *library, const char *name)
{
	const struct named_type *named = library_named_type(library, name);

	return named ? named->type : type_builtin_of(library->word, name);
}

bool
library_constant(const struct library *library, const char *name,
		 int64_t *ret_value)
{
	struct lookup lookup = { .name = name, .number = ret_value };
	const struct named_constant *known;

	parse_deferred(library, name);
	known = strmap_get(&library->constants, name);
	if (known) {
		if (!known->ambiguous)
			*ret_value = known->value;
		return !known->ambiguous;
	}
	return look_in_imports(library, look_for_constant, &lookup);
}

const struct proto *
library_proto_at(const struct library *library, size_t i)
{
	return i < library->proto_list.count ? library->proto_list.at[i] : NULL;
}
