/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf/filter notes which rules have matched; patterns of -l are noted here.
 * For a plain name that has never matched, the most similar name is looked for
 * when a program ends, because all its modules are known then and no thread
 * waits for xtrace.
 *
 * The library part of -e is the calling module. Many users expect the module
 * that is called, so the message says it.
 */
#include "tracer/plan/unmatched.h"

#include "base/pattern.h"
#include "base/spelling.h"
#include "base/xmalloc.h"
#include "conf/filter/filter.h"
#include "symbols/plt.h"
#include "symbols/symtab.h"
#include "tracer/model/say.h"
#include "tracer/model/session.h"
#include "tracer/plan/plan_parts.h"
#include "tracer/plan/plan_scripts.h"
#include "tracer/plan/plan_sdt.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct unmatched {
	bool said;		 /* the user was told at the start */
	struct strmap libraries; /* patterns of -l that match: not NULL */
	struct strmap looked;	 /* files whose names were compared: not NULL */
	struct strmap near;	 /* what the user named -> struct near_name */
	struct arena names;
};

enum means { MEANS_DEFINED, MEANS_CALLED, MEANS_LIBRARY };

/* A rule, or a pattern of -l, that matches nothing. */
struct missing {
	enum means means;
	struct filter_rule_seen rule;
};

/* The name that is most similar to a name that was not found. */
struct near_name {
	size_t distance;
	const char *name;
};

struct missing_visitor {
	void (*visit)(const struct missing_visitor *visitor,
		      const struct missing *missing);
	struct session *session;
	/* the program in whose modules names are looked for */
	struct program *program;
	bool no_libraries; /* all programs are static */
};

static bool
wants_library(const struct missing *missing)
{
	return missing->means == MEANS_LIBRARY ||
	       (!missing->rule.any_library && !missing->rule.module_seen);
}

static void
visit_rules(const struct missing_visitor *visitor, const struct filter *filter,
	    enum means means)
{
	struct missing missing = { .means = means };

	for (size_t i = 0; filter_rule(filter, i, &missing.rule); i++) {
		if (!missing.rule.matched && missing.rule.text[0])
			visitor->visit(visitor, &missing);
	}
}

static void
visit_missing(const struct missing_visitor *visitor)
{
	const struct session *session = visitor->session;
	const struct options *options = session->options;

	for (size_t i = 0; i < options->locations.count; i++)
		visit_rules(visitor, options->locations.at[i], MEANS_DEFINED);
	for (size_t i = 0; i < options->imports.count; i++)
		visit_rules(visitor, options->imports.at[i], MEANS_CALLED);
	for (size_t i = 0; i < options->libraries.count; i++) {
		const struct pattern *pattern = options->libraries.at[i];
		const struct missing missing = {
			.means = MEANS_LIBRARY,
			.rule = { .text = pattern_text(pattern),
				  .library = pattern_exact(pattern) },
		};

		if (!strmap_get(&session->unmatched->libraries,
				missing.rule.text))
			visitor->visit(visitor, &missing);
	}
}

void
unmatched_saw(struct session *session, const struct filter_module *module)
{
	const struct options *options = session->options;

	for (size_t i = 0; i < options->locations.count; i++)
		filter_saw_module(options->locations.at[i], module);
	for (size_t i = 0; i < options->imports.count; i++)
		filter_saw_module(options->imports.at[i], module);
	for (size_t i = 0; i < options->libraries.count; i++) {
		const struct pattern *pattern = options->libraries.at[i];

		if (plan_library_matches(pattern, module))
			strmap_put(&session->unmatched->libraries,
				   pattern_text(pattern), session);
	}
}

/* ---- what is meant --------------------------------------------------------
 */

/* The name for which a similar one is looked for, or NULL. */
static const char *
looked_for(const struct missing *missing)
{
	return wants_library(missing) ? missing->rule.library
				      : missing->rule.symbol;
}

static void
compare(const struct missing_visitor *visitor, const char *name,
	const char *candidate)
{
	struct unmatched *unmatched = visitor->session->unmatched;
	struct near_name *near = strmap_get(&unmatched->near, name);
	size_t length = strlen(name), most = (length + 1) / 3;
	size_t other = strlen(candidate), distance;

	if (other > length + most || length > other + most)
		return;
	distance = spelling_distance(name, candidate);
	if (distance == 0 || distance > most ||
	    (near && near->distance <= distance))
		return;
	if (!near) {
		near = arena_zalloc(&unmatched->names, sizeof(*near));
		strmap_put(&unmatched->near, name, near);
	}
	near->distance = distance;
	near->name = arena_strdup(&unmatched->names, candidate);
}

static void
compare_functions(const struct missing_visitor *visitor, const char *name,
		  const struct module *module)
{
	const struct symtab *table =
		image_symtab(module->image,
			     module->main ? SYMTAB_ALL : SYMTAB_DYNAMIC);

	for (size_t i = 0; i < table->count; i++) {
		if (plan_is_function(&table->at[i]))
			compare(visitor, name, table->at[i].name);
	}
}

static void
compare_imports(const struct missing_visitor *visitor, const char *name,
		struct image *image)
{
	const struct plt *plt = image_imports(image);

	for (size_t i = 0; i < plt->count; i++) {
		if (plt->at[i].name)
			compare(visitor, name, plt->at[i].name);
	}
}

static void
look_in_modules(const struct missing_visitor *visitor,
		const struct missing *missing)
{
	const struct modmap *map = &visitor->program->modules;
	struct strmap *looked = &visitor->session->unmatched->looked;
	const char *name = looked_for(missing);

	for (size_t i = 0; name && i < map->modules.count; i++) {
		struct image *image = map->modules.at[i]->image;

		if (strmap_get(looked, image_name(image)))
			continue;
		if (wants_library(missing))
			compare(visitor, name, image_label(image));
		else if (missing->means == MEANS_CALLED)
			compare_imports(visitor, name, image);
		else
			compare_functions(visitor, name, map->modules.at[i]);
	}
}

void
unmatched_look(struct program *program)
{
	const struct missing_visitor visitor = { .visit = look_in_modules,
						 .session = program->session,
						 .program = program };
	const struct modmap *map = &program->modules;

	visit_missing(&visitor);
	for (size_t i = 0; i < map->modules.count; i++)
		strmap_put(&program->session->unmatched->looked,
			   image_name(map->modules.at[i]->image), program);
}

/* ---- what is said ---------------------------------------------------------
 */

static const char *
what_awaited(const struct missing *missing)
{
	const struct filter_rule_seen *rule = &missing->rule;

	if (rule->any_library)
		return "not loaded yet; waiting for a library that defines it";
	if (rule->module_seen)
		return "no such function there; waiting for another module of "
		       "this name";
	return "not loaded yet; waiting for this library";
}

static void
say_missing(const struct missing_visitor *visitor,
	    const struct missing *missing)
{
	const struct filter_rule_seen *rule = &missing->rule;
	bool other = !rule->any_library && rule->module_seen;

	if (visitor->no_libraries && missing->means != MEANS_DEFINED)
		return;
	if (missing->means == MEANS_DEFINED &&
	    (visitor->no_libraries || (other && rule->main))) {
		say("%s: the program has no such function", rule->text);
	} else if (missing->means == MEANS_LIBRARY) {
		say("-l %s: not loaded yet; waiting for this library",
		    rule->text);
	} else if (missing->means == MEANS_DEFINED) {
		say("%s: %s", rule->text, what_awaited(missing));
	} else if (other && rule->main) {
		say("-e %s: the program does not call it", rule->text);
	} else if (other) {
		say("-e %s: not called there; the library part of -e is the "
		    "caller (-x %s traces the function in this library)",
		    rule->text, rule->text);
	} else {
		say("-e %s: not called yet; waiting for a library that calls "
		    "it",
		    rule->text);
	}
}

static const char *
what_never(const struct missing *missing)
{
	if (wants_library(missing))
		return "no such library was ever loaded";
	if (missing->means == MEANS_CALLED)
		return missing->rule.any_library ? "no module ever called it"
						 : "it was never called there";
	return missing->rule.any_library ? "no module ever had it"
					 : "there never was such a function";
}

static void
say_never(const struct missing_visitor *visitor, const struct missing *missing)
{
	static const char *const options[] = {
		[MEANS_DEFINED] = "",
		[MEANS_CALLED] = "-e ",
		[MEANS_LIBRARY] = "-l ",
	};
	const char *name = looked_for(missing);
	const struct near_name *near =
		name ? strmap_get(&visitor->session->unmatched->near, name)
		     : NULL;

	say("%s%s: %s%s%s%s", options[missing->means], missing->rule.text,
	    what_never(missing), near ? "; is " : "", near ? near->name : "",
	    near ? " meant?" : "");
}

static bool
all_static(const struct session *session)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&session->programs, &cursor, NULL, &item)) {
		const struct program *program = item;

		if (!program->loader.absent)
			return false;
	}
	return true;
}

void
unmatched_say(struct session *session)
{
	const struct missing_visitor visitor = { .visit = say_missing,
						 .session = session,
						 .no_libraries =
							 all_static(session) };

	/* Nothing is said in ltrace's style, because a script that calls ltrace
	 * may take a message for an error. */
	if (session->unmatched->said || session->options->as_ltrace)
		return;
	session->unmatched->said = true;
	visit_missing(&visitor);
	plan_sdts_say_missing(session);
	plan_scripts_say_missing(session);
}

void
unmatched_say_never(struct session *session)
{
	const struct missing_visitor visitor = { .visit = say_never,
						 .session = session };
	size_t cursor = 0;
	void *program;

	if (!session->unmatched->said)
		return;
	while (map_next(&session->programs, &cursor, NULL, &program))
		unmatched_look(program);
	visit_missing(&visitor);
	plan_sdts_say_never(session);
	plan_scripts_say_never(session);
}

struct unmatched *
unmatched_new(void)
{
	return xcalloc(1, sizeof(struct unmatched));
}

void
unmatched_free(struct unmatched *unmatched)
{
	if (!unmatched)
		return;
	strmap_release(&unmatched->libraries);
	strmap_release(&unmatched->looked);
	strmap_release(&unmatched->near);
	arena_release(&unmatched->names);
	free(unmatched);
}
