/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each option of the table has its case here or, if it sets how lines and
 * tables look, in option_look.c. The options that select a format have no case:
 * the table of formats says what they do. Errors in one option and its argument
 * are found here; errors that depend on other options are not.
 */
#include "tracer/options/option_take.h"

#include "conf/filter/filter.h"
#include "conf/filter/script_filter.h"
#include "conf/filter/sdt_filter.h"
#include "conf/filter/tampering.h"
#include "process/status.h"
#include "stacks/packages.h"
#include "tracer/options/option_system_calls.h"
#include "tracer/options/request_frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FRAMES 10000

/* Takes a filter of system calls: the text ends in @SYS. *ret_twin, unless it
 * is NULL, gets a filter of the same calls. */
static int
take_system_calls(struct options *options, const struct given *given,
		  struct filter **ret_twin, struct err *err)
{
	size_t length = strlen(given->text) - strlen("@SYS");
	cleanup(freep) char *names = xstrndup(given->text, length);
	struct given filter = *given;
	int r;

	filter.text = names;
	options->names_system_calls = true;
	r = system_calls_take(options, &filter, err);
	if (r == 0 && ret_twin)
		r = system_calls_read(&filter, ret_twin, err);
	return r;
}

static int
take_script_filter(struct options *options, const struct given *given,
		   struct err *err)
{
	struct script_filter *filter;
	int r = value_script_filter(given, &filter, err);

	options->script_calls = true;
	if (r == 0)
		vec_push(&options->scripts, filter);
	return r;
}

static int
take_filter(struct options *options, const struct given *given, struct err *err)
{
	struct sdt_filter *sdts;
	struct filter *filter;
	int r;

	if (given->name == OPTION_LOCATIONS && script_filter_meant(given->text))
		return take_script_filter(options, given, err);
	if (given->name == OPTION_LOCATIONS && sdt_filter_meant(given->text)) {
		r = value_sdt_filter(given, &sdts, err);
		if (r == 0)
			vec_push(&options->sdts, sdts);
		return r;
	}
	if (given->name == OPTION_LOCATIONS &&
	    filter_means_system_calls(given->text))
		return take_system_calls(options, given, NULL, err);
	r = value_filter(given, &filter, err);
	if (r < 0)
		return r;
	if (given->name == OPTION_LOCATIONS)
		vec_push(&options->locations, filter);
	else
		vec_push(&options->imports, filter);
	return 0;
}

/* Bit i of tracepoint->tamperings is for options->tamperings.at[i]. */
#define TAMPERINGS_MOST 64

/* Stores an --inject. The calls that it changes are shown, as with -x. */
static int
take_tampering(struct options *options, const struct given *given,
	       struct err *err)
{
	struct tampering *tampering;
	struct given names = *given;
	struct filter *filter;
	int r = value_tampering(given, &tampering, err);

	if (r < 0)
		return r;
	vec_push(&options->tamperings, tampering);
	if (options->tamperings.count > TAMPERINGS_MOST)
		return err_set(err, -EINVAL, "%s is given more than %d times",
			       given->spelled, TAMPERINGS_MOST);
	names.text = tampering->names;
	if (tampering_of_system_calls(tampering))
		return take_system_calls(options, &names, &tampering->filter,
					 err);
	r = value_filter(&names, &filter, err);
	if (r == 0)
		vec_push(&options->locations, filter);
	return r;
}

static int
take_library(struct options *options, const struct given *given,
	     struct err *err)
{
	struct pattern *pattern;
	int r = value_pattern(given, &pattern, err);

	if (r == 0)
		vec_push(&options->libraries, pattern);
	return r;
}

static int
take_pids(struct options *options, const struct given *given, struct err *err)
{
	struct pids pids = { 0 };
	int r = value_pids(given, &pids, err);

	for (size_t i = 0; i < pids.list.count; i++)
		vec_push(&options->pids, pids.list.at[i]);
	vec_release(&pids.list);
	return r;
}

static int
take_choice(struct options *options, const struct given *given, struct err *err)
{
	struct choice choice = { CHOICE_NAME, given->text };

	if (given->name == OPTION_CGROUP)
		choice.kind = CHOICE_CGROUP;
	else if (given->name == OPTION_UNIT)
		choice.kind = CHOICE_UNIT;
	else if (given->name == OPTION_CONTAINER)
		choice.kind = CHOICE_CONTAINER;
	if (!given->text[strspn(given->text, "/*")])
		return err_set(err, -EINVAL,
			       "%s '%s' would choose every process",
			       given->spelled, given->text);
	vec_push(&options->choices, choice);
	return 0;
}

static int
take_variable(struct options *options, const struct given *given,
	      struct err *err)
{
	if (!*given->text || *given->text == '=')
		return err_set(err, -EINVAL, "%s: name a variable",
			       given->spelled);
	vec_push(&options->environment, given->text);
	return 0;
}

static int
take_frames(struct options *options, const struct given *given, struct err *err)
{
	uint64_t number;
	int r = value_number(given, 1, MOST_FRAMES, &number, err);

	if (r == 0)
		options->frames = (unsigned)number;
	return r;
}

static int
take_stack(struct options *options, const struct given *given, struct err *err)
{
	unsigned index;
	int r = value_word(given, &index, err);

	if (r < 0)
		return r;
	options->stack = (enum stack_choice)index;
	return 0;
}

/* How many rounds per second --sample makes without an argument, and at most. A
 * round takes some microseconds, so more rounds would only disturb. */
#define SAMPLE_DEFAULT 99
#define SAMPLE_MOST 10000

/* Takes a number from 1 to `most`; `usual` if the option has no argument. */
static int
take_number(const struct given *given, uint64_t usual, uint64_t most,
	    unsigned *ret_number, struct err *err)
{
	uint64_t number = usual;
	int r = given->text ? value_number(given, 1, most, &number, err) : 0;

	if (r == 0)
		*ret_number = (unsigned)number;
	return r;
}

/* The part of the time, in percent, that --alloc may take if it has no
 * argument. */
#define ALLOC_DEFAULT 2

static int
take_sample_mode(struct options *options, const struct given *given,
		 struct err *err)
{
	unsigned index;
	int r = value_word(given, &index, err);

	if (r == 0)
		options->sample_mode = (enum sample_mode)index;
	return r;
}

static int
take_engine(struct options *options, const struct given *given, struct err *err)
{
	unsigned index;
	int r = value_word(given, &index, err);

	options->jumps = r == 0 && index > 0;
	options->eager = r == 0 && index == 3;
	return r;
}

static int
take_stack_from(struct options *options, const struct given *given,
		struct err *err)
{
	unsigned index;
	int r = value_word(given, &index, err);

	options->from_own = r == 0 && index == 1;
	return r;
}

static int
take_packages(struct options *options, const struct given *given,
	      struct err *err)
{
	const struct package_pattern pattern = { .text = given->text };

	if (!*given->text)
		return err_set(err, -EINVAL, "%s: name a folder",
			       given->spelled);
	if (!options->packages)
		options->packages = xcalloc(1, sizeof(*options->packages));
	vec_push(&options->packages->patterns, pattern);
	return 0;
}

/* The colon before the expression of --histogram, or NULL: the last colon that
 * is not a part of ::. The first colon of an SDT probe, or of a function of a
 * script, belongs to its name. */
static const char *
find_expression(const char *text)
{
	const char *found = NULL;
	bool of_name = *text == '%' || script_filter_meant(text);

	for (const char *at = text; *at; at++) {
		if (at[0] == ':' && at[1] == ':') {
			at++;
		} else if (*at == ':') {
			if (!of_name)
				found = at;
			of_name = false;
		}
	}
	return found;
}

/* Stores a --histogram. The calls that it draws are traced, as with -x. */
static int
take_histogram(struct options *options, const struct given *given,
	       struct err *err)
{
	const char *colon = find_expression(given->text);
	size_t length =
		colon ? (size_t)(colon - given->text) : strlen(given->text);
	cleanup(freep) char *names = xstrndup(given->text, length);
	struct given part = *given;
	int r;

	if (options->histogram)
		return err_set(err, -EINVAL,
			       "%s is given twice; f+g names several functions",
			       given->spelled);
	options->histogram = true;
	part.name = OPTION_LOCATIONS;
	part.text = names;
	r = take_filter(options, &part, err);
	if (r < 0 || !colon)
		return r;
	part.text = options->look.measured = colon + 1;
	return value_condition(&part, &options->measured, err);
}

static int
take_condition(struct options *options, const struct given *given,
	       struct err *err)
{
	if (options->condition)
		return err_set(err, -EINVAL,
			       "%s is given twice; && joins conditions",
			       given->spelled);
	return value_condition(given, &options->condition, err);
}

static int
take_path(struct options *options, const struct given *given, struct err *err)
{
	char *whole;

	if (!*given->text)
		return err_set(err, -EINVAL, "%s: name a file", given->spelled);
	vec_push(&options->paths, xstrdup(given->text));
	/* The path without symbolic links is known only if the file exists
	 * already. */
	whole = realpath(given->text, NULL);
	if (whole)
		vec_push(&options->paths, whole);
	return 0;
}

static int
take_outcome(struct options *options, const struct given *given,
	     struct err *err)
{
	enum outcome_choice outcome = given->name == OPTION_FAILED
					      ? OUTCOME_FAILED
					      : OUTCOME_SUCCESSFUL;

	if (options->outcome != OUTCOME_ANY && options->outcome != outcome)
		return err_set(err, -EINVAL,
			       "-Z and -z together leave no call");
	options->outcome = outcome;
	return 0;
}

static int
take_follow(struct options *options)
{
	options->split = options->follow;
	options->follow = true;
	return 0;
}

static int
take_format(struct options *options, const struct given *given, struct err *err)
{
	struct destination to;
	enum format_name format;
	int r = value_format(given, &format, &to, err);

	if (r < 0)
		return r;
	if (format_rows[format].word && options->formats[format].wanted)
		return err_set(err, -EINVAL, "%s %s is given twice",
			       given->spelled, format_rows[format].word);
	options->formats[format] = to;
	return 0;
}

static int
take_picture(struct options *options, const struct given *given,
	     struct err *err)
{
	int r = value_extension(given, OPTION_FLAME, &options->picture_format,
				err);

	if (r < 0)
		return r;
	options->action = ACTION_DRAW_FLAME;
	options->picture = given->text;
	return 0;
}

static int
take_output(struct options *options, const struct given *given, struct err *err)
{
	const char *name = given->text;

	if (!name[strspn(name, "| ")])
		return err_set(err, -EINVAL, "%s '%s': name the %s",
			       given->spelled, name,
			       *name == '|' ? "command" : "file");
	options->output = name;
	return 0;
}

static int
take_set(struct options *options, const struct given *given)
{
	if (!strcmp(given->text, "help"))
		options->action = ACTION_LIST_SETS;
	else
		vec_push(&options->sets, given->text);
	return 0;
}

static int
take_heap(struct options *options, const struct given *given, struct err *err)
{
	unsigned index = 2;
	int r = given->text ? value_word(given, &index, err) : 0;

	options->action = ACTION_HEAP;
	options->heap_still = index == 0;
	options->heap_native = index == 1;
	return r;
}

static int
take_action(struct options *options, const struct given *given)
{
	static const enum action actions[OPTIONS] = {
		[OPTION_DUMP] = ACTION_DUMP,
		[OPTION_CHECK_CONFIG] = ACTION_CHECK_CONFIG,
		[OPTION_SHOW_PROTOTYPE] = ACTION_SHOW_PROTOTYPE,
		[OPTION_LIST_PROBES] = ACTION_LIST_PROBES,
		[OPTION_HELP] = ACTION_HELP,
		[OPTION_VERSION] = ACTION_VERSION,
	};

	options->action = actions[given->name];
	if (given->name == OPTION_SHOW_PROTOTYPE)
		options->prototype = given->text;
	if (given->name == OPTION_LIST_PROBES)
		options->probes_of = given->text;
	return 0;
}

/* "-Dh" lists the topics, as in ltrace. */
static int
take_topics(struct options *options, const struct given *given, struct err *err)
{
	if (strcmp(given->text, "h") && strcmp(given->text, "help"))
		return value_topics(given, err);
	options->action = ACTION_TOPICS;
	return 0;
}

int
option_take(struct reading *reading, const struct given *given, struct err *err)
{
	struct options *options = reading->options;

	if (format_of_option(given->name) < FORMATS)
		return take_format(options, given, err);
	switch (given->name) {
	case OPTION_LOCATIONS:
	case OPTION_IMPORTS:
		return take_filter(options, given, err);
	case OPTION_SCRIPT_CALLS:
		options->script_calls = true;
		return 0;
	case OPTION_INJECT:
		return take_tampering(options, given, err);
	case OPTION_LIBRARY:
		return take_library(options, given, err);
	case OPTION_NO_LIBRARY:
	case OPTION_NO_PLT:
		options->no_library_calls = true;
		return 0;
	case OPTION_PID:
		return take_pids(options, given, err);
	case OPTION_ATTACH_NAME:
	case OPTION_CGROUP:
	case OPTION_UNIT:
	case OPTION_CONTAINER:
		return take_choice(options, given, err);
	case OPTION_FOLLOW_NEW:
		options->follow_new = true;
		return 0;
	case OPTION_FOLLOW:
		return take_follow(options);
	case OPTION_CONFIG:
		vec_push(&options->configs, given->text);
		return 0;
	case OPTION_SQL:
		vec_push(&options->sets, "sql");
		return 0;
	case OPTION_SERVICE:
		options->service = options->quiet = true;
		options->service_file = given->text;
		return 0;
	case OPTION_ENGINE:
		return take_engine(options, given, err);
	case OPTION_SET:
		return take_set(options, given);
	case OPTION_ENV:
		return take_variable(options, given, err);
	case OPTION_GRANDCHILD:
		options->grandchild = true;
		return 0;
	case OPTION_USER:
		return value_user(given, &options->user, err);
	case OPTION_ROTATE:
		options->rotate = true;
		return value_size(given, &options->rotate_size,
				  &options->rotate_keep, err);
	case OPTION_LIMIT:
		return value_number(given, 1, UINT64_MAX, &options->limit, err);
	case OPTION_DURATION:
		return value_time(given, 1, &options->duration, err);
	case OPTION_PATH:
		return take_path(options, given, err);
	case OPTION_FAILED:
	case OPTION_SUCCESSFUL:
		return take_outcome(options, given, err);
	case OPTION_IN_FLIGHT:
		return value_time(given, 0, &options->in_flight, err);
	case OPTION_HISTOGRAM:
		return take_histogram(options, given, err);
	case OPTION_IF:
		return take_condition(options, given, err);
	case OPTION_DEMANGLE:
		options->demangle_types = options->demangle;
		options->demangle = true;
		return 0;
	case OPTION_OUTPUT:
		return take_output(options, given, err);
	case OPTION_DRAW_FLAME:
		return take_picture(options, given, err);
	case OPTION_COMPARE:
		options->action = ACTION_COMPARE;
		options->before = given->text;
		return 0;
	case OPTION_WALL:
		options->wall = true;
		return 0;
	case OPTION_AGAINST:
		options->against = given->text;
		return 0;
	case OPTION_QUIET:
		options->quiet = true;
		return 0;
	case OPTION_DESCRIPTORS:
		options->descriptors = true;
		return 0;
	case OPTION_STATS:
		options->stats = true;
		return 0;
	case OPTION_WHERE:
		return take_frames(options, given, err);
	case OPTION_STACK:
		return take_stack(options, given, err);
	case OPTION_SAMPLE:
		return take_number(given, SAMPLE_DEFAULT, SAMPLE_MOST,
				   &options->sample, err);
	case OPTION_ALLOC:
		return take_number(given, ALLOC_DEFAULT, 100, &options->alloc,
				   err);
	case OPTION_BUDGET:
		return value_percent(given, &options->budget, err);
	case OPTION_SAMPLE_MODE:
		return take_sample_mode(options, given, err);
	case OPTION_STACK_FROM:
		return take_stack_from(options, given, err);
	case OPTION_PACKAGES:
		return take_packages(options, given, err);
	case OPTION_REQUEST_FRAME:
		request_frame_free(options->request_frame);
		options->request_frame = NULL;
		return request_frame_read(given->text, &options->request_frame,
					  err);
	case OPTION_STACK_MIN_TIME:
		options->look.frames_late = true;
		return value_time(given, 1, &options->stack_min_time, err);
	case OPTION_SYSCALLS:
		return system_calls_take(options, given, err);
	case OPTION_HEAP:
		return take_heap(options, given, err);
	case OPTION_DUMP:
	case OPTION_CHECK_CONFIG:
	case OPTION_SHOW_PROTOTYPE:
	case OPTION_LIST_PROBES:
	case OPTION_HELP:
	case OPTION_VERSION:
		return take_action(options, given);
	case OPTION_DEBUG:
		return take_topics(options, given, err);
	default:
		return option_take_look(options, given, err);
	}
}
