/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks up the entry of a function (learn_find), makes a prototype of it
 * (learn_function, learn_type, learn_struct), and keeps the answer. If the
 * debug information is damaged, or if libdw fails without memory, nothing of it
 * is used from then on. All calls of libdw are made in attempts (base/attempt).
 */
#include "values/learn/learn.h"

#include "base/attempt.h"
#include "base/log.h"
#include "conf/model/proto.h"
#include "symbols/demangle.h"
#include "symbols/image.h"
#include "values/learn/learn_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char no_proto;

struct learner *
learner_new(struct image *image, const struct learn_look *look)
{
	struct learner *learner = xcalloc(1, sizeof(*learner));

	learner->image = image_ref(image);
	learner->word = image_word(image);
	learner->look = *look;
	learner->fd = -1;
	arena_init(&learner->arena);
	map_init(&learner->units);
	map_init(&learner->functions);
	map_init(&learner->protos);
	map_init(&learner->types);
	return learner;
}

void
learner_free(struct learner *learner)
{
	if (!learner)
		return;
	learn_close(learner);
	map_release(&learner->units);
	map_release(&learner->functions);
	map_release(&learner->protos);
	map_release(&learner->types);
	vec_release(&learner->unfilled);
	arena_release(&learner->arena);
	free(learner->damage);
	image_unref(learner->image);
	free(learner);
}

/* The languages whose functions have C's calling convention. */
static bool
is_called_as_c(int language)
{
	switch (language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_ObjC:
	case DW_LANG_ObjC_plus_plus:
	case DW_LANG_Rust:
	/* numbers of DWARF 6, which compilers use already */
	case 0x2a: /* C++17 */
	case 0x2b: /* C++20 */
	case 0x2c: /* C17 */
		return true;
	default:
		return false;
	}
}

/* Has GCC changed the parameters? It then adds a word to the symbol. */
static bool
was_changed(const char *name)
{
	static const char *const words[] = { ".isra", ".constprop", ".part",
					     ".cold" };

	for (size_t i = 0; i < array_size(words); i++) {
		if (strstr(name, words[i]))
			return true;
	}
	return false;
}

/* The number of parameters in a demangled name: "f(int, g<a, b>) const". */
static size_t
count_parameters(const char *name)
{
	const char *end = strrchr(name, ')'), *at = end;
	size_t commas = 0;
	int depth = 0;

	for (; at && at > name; at--) {
		depth += strchr(")>]}", *at) != NULL;
		depth -= strchr("(<[{", *at) != NULL;
		commas += *at == ',' && depth == 1;
		if (depth == 0)
			break;
	}
	return !at || at + 1 >= end ? 0 : commas + 1;
}

/*
 * The name of a C++ function says how many parameters it has. clang 14 leaves
 * out the entry of an object that is passed by value and not used, and then all
 * parameters behind it would be taken from wrong places.
 */
static bool
is_whole(Dwarf_Die *die, const struct proto *proto)
{
	Dwarf_Attribute attribute;
	const char *mangled = NULL;
	cleanup(freep) char *name = NULL;
	size_t shown = proto->varargs;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute))
		mangled = dwarf_formstring(&attribute);
	name = mangled ? demangle(mangled) : NULL;
	if (!name || !strchr(name, '('))
		return true;
	for (size_t i = 0; i < proto->count; i++)
		shown += !learn_is_implicit(&proto->params[i]);
	return count_parameters(name) == shown;
}

/*
 * May the compiler have removed a parameter? It may if no other file can call
 * the function. clang 14 keeps the entry of such a parameter, without a place.
 */
static int
is_reduced(struct learner *learner, Dwarf_Die *die)
{
	Dwarf_Die child;
	int r;

	if (learn_flag(die, DW_AT_external))
		return 0;
	r = learn_child(learner, die, &child);
	for (; r == 0; r = learn_next(learner, &child)) {
		if (dwarf_tag(&child) == DW_TAG_formal_parameter &&
		    !dwarf_hasattr(&child, DW_AT_location))
			return 1;
	}
	return r < 0 ? r : 0;
}

static bool
may_be_learned(struct learner *learner, Dwarf_Die *die, const char *name)
{
	uint64_t convention = DW_CC_normal;
	Dwarf_Die unit;

	learner->language = 0;
	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return false;
	learner->language = dwarf_srclang(&unit);
	if (learn_number(learner, die, DW_AT_calling_convention, &convention) <
	    0)
		return false;
	return is_called_as_c(learner->language) && !was_changed(name) &&
	       convention != DW_CC_nocall && is_reduced(learner, die) == 0;
}

static const struct proto *
with_name(struct learner *learner, const struct proto *proto, const char *name)
{
	struct proto *named =
		arena_copy(&learner->arena, proto, sizeof(*proto));

	named->name = arena_strdup(&learner->arena, name);
	return named;
}

/* Of Go: its arguments are in other registers than those of C, or on the stack
 * (Go internal ABI specification), so registers of C must not be guessed. */
static const struct proto *
elsewhere(struct learner *learner, const char *name)
{
	struct proto *proto = arena_zalloc(&learner->arena, sizeof(*proto));

	proto->name = arena_strdup(&learner->arena, name);
	proto->returns = type_builtin("void");
	proto->format = -1;
	proto->elsewhere = true;
	return proto;
}

static const struct proto *
learn(struct learner *learner, Dwarf_Die *die, const char *name)
{
	const struct proto *proto = NULL;
	int r;

	if (!may_be_learned(learner, die, name))
		return learner->language == DW_LANG_Go
			       ? elsewhere(learner, name)
			       : NULL;
	r = learn_function(learner, die, 0, &proto);
	/* The entry of a thunk has no name, so the prototype gets the
	 * symbol's. */
	if (r == 0 && !proto->name)
		proto = with_name(learner, proto, name);
	if (r == 0 || r == -ENOTSUP) {
		int filled = learn_fill(learner);

		r = filled < 0 ? filled : r;
	}
	return r == 0 && is_whole(die, proto) ? proto : NULL;
}

/* The arguments and the result of a public function, for attempt(). */
struct inquiry {
	struct learner *learner;
	addr_t address;
	const char *name; /* of a symbol; or the path of a file */
	const struct proto *proto;
	bool mentions;
};

/* False if libdw failed; its objects are abandoned then. */
static bool
ask(void (*run)(void *), struct inquiry *inquiry)
{
	struct learner *learner = inquiry->learner;

	if (attempt(run, inquiry))
		return true;
	learn_abandon(learner);
	return false;
}

static void
open_first(struct learner *learner)
{
	if (!learner->opened)
		learn_open(learner);
}

static void
find_proto(void *argument)
{
	struct inquiry *inquiry = argument;
	struct learner *learner = inquiry->learner;
	Dwarf_Die *die;

	open_first(learner);
	if (learner_knows_nothing(learner))
		return;
	die = learn_find(learner, inquiry->address);
	if (die)
		inquiry->proto = learn(learner, die, inquiry->name);
	if (learner->damage) {
		inquiry->proto = NULL;
		learn_close(learner);
	}
}

const struct proto *
learner_proto(struct learner *learner, addr_t address, const char *name)
{
	struct inquiry inquiry = { learner, address, name, NULL, false };
	void *known;

	if (learner_knows_nothing(learner))
		return NULL;
	known = map_get(&learner->protos, address);
	if (known)
		return known == &no_proto ? NULL : known;
	/* If the learner has no file with debug information, the answer is not
	 * kept, because the learner may get a file (learner_open_file()). */
	if (!ask(find_proto, &inquiry) || learner_knows_nothing(learner))
		return NULL;
	map_put(&learner->protos, address,
		inquiry.proto ? (void *)inquiry.proto : &no_proto);
	return inquiry.proto;
}

static void
find_mention(void *argument)
{
	struct inquiry *inquiry = argument;

	open_first(inquiry->learner);
	inquiry->mentions = learn_mentions(inquiry->learner, inquiry->name);
}

bool
learner_mentions(struct learner *learner, const char *name)
{
	struct inquiry inquiry = { learner, 0, name, NULL, false };

	return ask(find_mention, &inquiry) && inquiry.mentions;
}

bool
learner_knows_nothing(const struct learner *learner)
{
	return learner->opened && !learner->dwarf;
}

bool
learner_lacks_file(const struct learner *learner)
{
	return learner_knows_nothing(learner) && !learner->damage &&
	       !learner->given;
}

static void
open_file(void *argument)
{
	const struct inquiry *inquiry = argument;

	learn_open_file(inquiry->learner, inquiry->name);
}

void
learner_open_file(struct learner *learner, const char *path)
{
	struct inquiry inquiry = { learner, 0, path, NULL, false };

	if (!learner_lacks_file(learner))
		return;
	learner->given = true;
	if (!ask(open_file, &inquiry))
		debug("%s: not used", path);
}

const char *
learner_complaint(struct learner *learner)
{
	if (!learner->damage || learner->complained)
		return NULL;
	learner->complained = true;
	return learner->damage;
}
