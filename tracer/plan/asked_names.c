/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A misspelled name in --if would hide every call. Which functions are traced
 * is not known before the libraries are loaded, so the filters are asked about
 * the functions of all prototypes. The files of libc and of -F are read in any
 * case, the others only if these do not have the name, and the debug
 * information of the programs last.
 */
#include "tracer/plan/asked_names.h"

#include "conf/filter/filter.h"
#include "conf/filter/sdt_filter.h"
#include "conf/model/expr.h"
#include "conf/model/library.h"
#include "conf/model/probe.h"
#include "conf/parse/condition.h"
#include "output/group.h"
#include "tracer/model/interest.h"
#include "tracer/options/options.h"
#include "tracer/plan/learned.h"
#include "tracer/plan/prototypes.h"
#include "values/scope.h"

#include <errno.h>
#include <string.h>

struct asked_name {
	const struct options *options;
	struct prototypes *prototypes;
	struct learned *learned;
	const char *name;
	/* the name is in an expression, so it may be that of a constant */
	bool of_value;
	const char *option; /* the option whose argument has the name */
};

static bool
may_be_traced(const struct options *options, const char *function)
{
	bool narrow = options_name_places(options) || options->imports.count ||
		      options->sets.count;
	bool may = options->libraries.count || !narrow || options->as_ltrace ||
		   options->sdts.count;

	for (size_t i = 0; i < options->locations.count && !may; i++)
		may = filter_could_choose(options->locations.at[i], function);
	for (size_t i = 0; i < options->imports.count && !may; i++)
		may = filter_could_choose(options->imports.at[i], function);
	return may;
}

static bool
has_name(const struct asked_name *asked, const struct proto *proto)
{
	return scope_has_parameter(proto, asked->name) ||
	       (asked->of_value && scope_has_constant(proto, asked->name));
}

/* Does the probe have this name? It may be a parameter of its function, or a
 * text that was kept from another call. */
static bool
probe_has_name(const struct asked_name *asked, const struct probe *probe)
{
	for (size_t i = 0; i < probe->count; i++) {
		if (probe->acts[i].name &&
		    !strcmp(probe->acts[i].name, asked->name))
			return true;
	}
	return probe->proto && has_name(asked, probe->proto);
}

static bool
library_has_name(const struct asked_name *asked, const struct library *library)
{
	const struct probe *probe;
	const struct proto *proto;

	library_parse_all(library);
	for (size_t i = 0; (probe = library_probe_at(library, i)); i++) {
		if (probe_has_name(asked, probe))
			return true;
	}
	for (size_t i = 0; (proto = library_proto_at(library, i)); i++) {
		if (has_name(asked, proto) &&
		    may_be_traced(asked->options, proto->name))
			return true;
	}
	/* Queries that are read from a connection (tracer/queries/wire) have no
	 * prototype. Their arguments are always called `query` and `name`. */
	return library_wire(library) &&
	       (!strcmp(asked->name, "query") || !strcmp(asked->name, "name"));
}

static bool
read_file_has_name(const struct asked_name *asked)
{
	const struct library *library;
	size_t cursor = 0;

	while ((library = prototypes_next_read(asked->prototypes, &cursor))) {
		if (library_has_name(asked, library))
			return true;
	}
	return false;
}

/* If the provider is a pattern, it is not known yet which probes it means. */
static bool
sdts_have_name(const struct asked_name *asked)
{
	const struct options *options = asked->options;
	struct sdt_rule_seen rule;

	for (size_t i = 0; i < options->sdts.count; i++) {
		for (size_t n = 0;
		     sdt_filter_rule(options->sdts.at[i], n, &rule); n++) {
			if (!rule.provider)
				return true;
			prototypes_expect_sdt(asked->prototypes, rule.provider);
		}
	}
	return options->sdts.count > 0 && read_file_has_name(asked);
}

/* The names that functions of scripts have (tracer/scripts). */
static bool
scripts_have_name(const struct asked_name *asked)
{
	return asked->options->script_calls &&
	       (!strcmp(asked->name, "file") || !strcmp(asked->name, "line"));
}

static bool
is_known(const struct asked_name *asked)
{
	static const char *const modules[] = { "libc.so.6", NULL };

	if (read_file_has_name(asked) || sdts_have_name(asked) ||
	    scripts_have_name(asked))
		return true;
	for (size_t i = 0; i < array_size(modules); i++) {
		prototypes_expect(asked->prototypes, NULL, modules[i]);
		if (read_file_has_name(asked))
			return true;
	}
	return learned_mentions(asked->learned, asked->options, asked->name);
}

/* This recursion is bounded, because the parser limits the depth of
 * expressions. */
static int
check_expr(struct asked_name *asked, const struct expr *expr, struct err *err)
{
	int r = 0;

	if (expr->kind == EXPR_NAME && !interest_knows(expr->name)) {
		asked->name = expr->name;
		if (!is_known(asked))
			return err_set(err, -EINVAL,
				       "%s: no function that may be traced "
				       "has '%s' in its prototype",
				       asked->option, expr->name);
	}
	if (expr->left)
		r = check_expr(asked, expr->left, err);
	if (r == 0 && expr->right)
		r = check_expr(asked, expr->right, err);
	return r;
}

static bool
is_own_field(const char *field)
{
	static const char *const fields[] = {
		"query",   "text",  "function", "caller",     "thread",
		"process", "where", "request",	"transaction"
	};

	for (size_t i = 0; i < array_size(fields); i++) {
		if (!strcmp(fields[i], field))
			return true;
	}
	return false;
}

static int
check_fields(const struct asked_name *about, const char *fields,
	     struct err *err)
{
	char field[GROUP_FIELD_MOST];
	struct asked_name asked = *about;

	asked.name = field;
	while (group_next(&fields, field)) {
		if (!is_own_field(field) && !is_known(&asked))
			return err_set(
				err, -EINVAL,
				"--group-by: '%s' is not query, where, "
				"request, transaction, function, caller, "
				"thread, process or text, and no function that "
				"may be "
				"traced has an argument of that name",
				field);
	}
	return 0;
}

int
asked_names_check(const struct options *options, struct prototypes *prototypes,
		  struct learned *learned, struct err *err)
{
	struct asked_name asked = { .options = options,
				    .prototypes = prototypes,
				    .learned = learned };
	int r = check_fields(&asked, options->look.group_by, err);

	asked.of_value = true;
	asked.option = "--if";
	if (r == 0 && options->condition)
		r = check_expr(&asked, condition_expr(options->condition), err);
	asked.option = "--histogram";
	if (r == 0 && options->measured)
		r = check_expr(&asked, condition_expr(options->measured), err);
	return r;
}
