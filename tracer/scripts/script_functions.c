/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program may make classes without end, each with a name of its own. So the
 * number of functions is bounded. */
#include "tracer/scripts/script_functions.h"

#include "base/str.h"
#include "conf/model/lens.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "tracer/options/options.h"
#include "tracer/plan/plan_scripts.h"

#include <stdlib.h>
#include <string.h>

#define FUNCTIONS_MOST 65536u
/* The common name of all functions beyond the first FUNCTIONS_MOST. */
#define REST "(further functions)"

static const char *const languages[SCRIPT_LANGUAGES] = {
	[SCRIPT_RUBY] = "ruby",
	[SCRIPT_PYTHON] = "python",
	[SCRIPT_PHP] = "php",
};

void
script_functions_init(struct script_functions *functions,
		      const struct options *options)
{
	*functions = (struct script_functions){ .options = options,
						.plan = plan_new(NULL) };
	strmap_init(&functions->known);
}

void
script_functions_release(struct script_functions *functions)
{
	strmap_release(&functions->known);
	plan_unref(functions->plan);
}

/* What is shown of each call: where its function is. */
static const struct proto *
make_proto(struct arena *arena, const char *name)
{
	static const struct lens text = { .kind = LENS_STRING,
					  .stops_at_nul = true };
	struct proto *proto = arena_zalloc(arena, sizeof(*proto));
	struct param *params = arena_zalloc(arena, 2 * sizeof(*params));
	struct type *path = arena_zalloc(arena, sizeof(*path));

	*path = (struct type){ .kind = TYPE_POINTER,
			       .bytes = 8,
			       .to = type_builtin("char"),
			       .depth = 1,
			       .lens = &text };
	params[0] = (struct param){ .name = "file", .type = path };
	params[1] =
		(struct param){ .name = "line", .type = type_builtin("int") };
	*proto = (struct proto){ .name = name,
				 .returns = type_builtin("void"),
				 .params = params,
				 .count = 2,
				 .format = -1 };
	return proto;
}

static struct known_function *
add(struct script_functions *functions, enum script_language language,
    const char *name)
{
	struct arena *arena = &functions->plan->arena;
	struct known_function *known = arena_zalloc(arena, sizeof(*known));
	const char *kept = arena_printf(arena, "%s", name);

	known->tracepoint = (struct tracepoint){
		.kind = TRACEPOINT_SCRIPT,
		.name = kept,
		.shown = kept,
		.module = languages[language],
		.proto = make_proto(arena, kept),
		.proto_known = true,
		.plan = functions->plan,
	};
	return known;
}

static struct known_function *
rest_of(struct script_functions *functions, enum script_language language)
{
	struct known_function **rest = &functions->rest[language];

	if (!*rest) {
		*rest = add(functions, language, REST);
		(*rest)->chosen = true;
	}
	return *rest;
}

static const char *
raises(const struct script_function *function)
{
	if (function->language != SCRIPT_RUBY ||
	    strcmp(function->class, "Kernel") != 0)
		return NULL;
	if (!strcmp(function->function, "raise"))
		return "raise";
	return !strcmp(function->function, "fail") ? "fail" : NULL;
}

struct known_function *
script_functions_find(struct script_functions *functions,
		      const struct script_function *function)
{
	bool by_file = function->language == SCRIPT_PYTHON;
	cleanup(freep) char *key =
		xasprintf("%d\n%s\n%s\n%s", (int)function->language,
			  function->class, function->function,
			  by_file ? function->file : "");
	struct known_function *known = strmap_get(&functions->known, key);
	cleanup(freep) char *name = NULL;

	if (known)
		return known;
	if (functions->count >= FUNCTIONS_MOST)
		return rest_of(functions, function->language);
	name = script_function_name(function);
	known = add(functions, function->language, name);
	known->raises = raises(function);
	known->chosen = plan_script_chosen(functions->options, function);
	strmap_put(&functions->known, key, known);
	functions->count++;
	return known;
}
