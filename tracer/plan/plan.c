/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The moments of a module, and of the whole: each is a wish, filled by the
 * parts that it concerns and planted.
 */
#include "tracer/plan.h"

#include "base/pattern.h"
#include "conf/filter.h"
#include "tracer/plan_parts.h"
#include "tracer/say.h"
#include "tracer/sockets.h"

int
plan_mapped(struct program *program, struct module *module,
	    struct thread *thread)
{
	struct wish wish;

	wish_init(&wish, program, module);
	plan_wish_functions(&wish);
	if (sockets_wanted(program->session->options))
		socket_calls_wish(&wish);
	return wish_plant(&wish, thread);
}

int
plan_imports(struct program *program, struct module *module,
	     struct thread *thread)
{
	struct wish wish;

	wish_init(&wish, program, module);
	plan_wish_gates(&wish);
	return wish_plant(&wish, thread);
}

bool
plan_names_library(const struct program *program, const struct module *module)
{
	const struct options *options = program->session->options;
	const char *label = image_label(module->image);

	for (size_t i = 0; i < options->libraries.count; i++) {
		if (pattern_matches(options->libraries.at[i], label))
			return true;
	}
	return false;
}

int
plan_relocated(struct program *program, struct module *module,
	       struct thread *thread)
{
	struct wish wish;

	wish_init(&wish, program, module);
	plan_wish_ifuncs(&wish);
	plan_wish_callees(&wish);
	plan_wish_pointed(&wish);
	return wish_plant(&wish, thread);
}

int
plan_resolved(struct program *program, const struct traced *resolver,
	      addr_t target, struct thread *thread)
{
	struct module *module = modmap_covering(&program->modules, target);
	struct wish wish;

	if (!module)
		return 0;
	wish_init(&wish, program, module);
	plan_wish_target(&wish, resolver->name, target);
	return wish_plant(&wish, thread);
}

static void
say_missing_of(struct session *session, const struct filter *filter)
{
	bool only;
	const char *const *names = filter_plain_names(filter, &only);

	for (; *names; names++) {
		if (!strmap_get(&session->found, *names))
			say("%s is in no module yet; xtrace waits for one "
			    "that has it",
			    *names);
	}
}

void
plan_say_missing(struct session *session)
{
	const struct options *options = session->options;

	if (session->said_nowhere)
		return;
	session->said_nowhere = true;
	for (size_t i = 0; i < options->locations.count; i++)
		say_missing_of(session, options->locations.at[i]);
}
