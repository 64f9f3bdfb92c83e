/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line: option_walk reads it, option_defaults adds the user's
 * defaults, and option_check checks the whole. If it is wrong, nothing has been
 * done yet.
 */
#include "tracer/options/options.h"

#include "base/clock.h"
#include "base/parse.h"
#include "base/pattern.h"
#include "conf/filter/filter.h"
#include "conf/filter/script_filter.h"
#include "conf/filter/sdt_filter.h"
#include "conf/filter/tampering.h"
#include "conf/parse/condition.h"
#include "output/group.h"
#include "output/stacks/tree.h"
#include "process/choice.h"
#include "stacks/packages.h"
#include "tracer/options/option_check.h"
#include "tracer/options/option_defaults.h"
#include "tracer/options/option_walk.h"
#include "tracer/options/request_frame.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_STRING 32
#define SET_STRING 512
#define DEFAULT_ARRAY 4
#define DEFAULT_ALIGN 50
/* How many frames of a query a page of --live shows. */
#define LIVE_FRAMES 16

static const char ltrace_name[] = "ltrace";

/* Is this argv[0] the name ltrace? */
static bool
is_ltrace(const char *name)
{
	const char *slash = strrchr(name, '/');

	return !strcmp(slash ? slash + 1 : name, ltrace_name);
}

char *
options_version(const struct options *options)
{
	return xstrdup(options->own_name == ltrace_name
			       ? "ltrace (xtrace " XTRACE_VERSION ")\n"
			       : "xtrace " XTRACE_VERSION "\n");
}

/* 5/8 of COLUMNS or of the terminal's width, as in ltrace. */
static unsigned
default_align(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	uint64_t width;

	if (columns && parse_unsigned(columns, 10000, &width) == 0)
		return (unsigned)width * 5 / 8;
	if (isatty(STDERR_FILENO) &&
	    ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col * 5u / 8;
	return DEFAULT_ALIGN;
}

static void
set_defaults(struct options *options, const char *name)
{
	*options = (struct options){ .stack = STACK_DEFAULT,
				     .in_flight = OPTIONS_IN_FLIGHT };
	options->as_ltrace = is_ltrace(name);
	options->own_name = options->as_ltrace ? ltrace_name : "xtrace";
	options->look = (struct look){
		.epoch_offset = clock_epoch_offset(),
		.align = default_align(),
		.string_length = DEFAULT_STRING,
		.array_length = DEFAULT_ARRAY,
		.as_ltrace = options->as_ltrace,
	};
}

/* Finds the processes that were chosen by a name or a group. */
static int
find_chosen(struct options *options, struct err *err)
{
	struct pids pids = { 0 };

	options->required_pids = options->pids.count;
	for (size_t i = 0; i < options->choices.count; i++) {
		const struct choice *choice = &options->choices.at[i];
		cleanup(freep) char *nobody = choice_nobody(choice);
		struct pids found = { 0 };

		choice_find(choice, &found);
		for (size_t j = 0; j < found.list.count; j++)
			vec_push(&pids.list, found.list.at[j]);
		if (found.list.count == 0 && !options->follow_new) {
			vec_release(&pids.list);
			return err_set(err, -ESRCH, "%s", nobody);
		}
		vec_release(&found.list);
	}
	for (size_t i = 0; i < pids.list.count; i++)
		vec_push(&options->pids, pids.list.at[i]);
	vec_release(&pids.list);
	return 0;
}

/* Formats that are about queries select the set sql if no set is named.
 * --requests shows the queries of requests and the connections that the
 * requests open, so it selects the set connections, too.
 * With --budget, --otlp has no spans of requests and transactions, because some
 * of their queries may be left out. */
static void
prepare_queries(struct options *options)
{
	bool otlp = options->formats[FORMAT_OTLP].wanted;
	bool spans = otlp && options->budget <= 0;

	options->transactions =
		options->formats[FORMAT_TRANSACTIONS].wanted || spans ||
		group_has(options->look.group_by, "transaction");
	options->requests = options->formats[FORMAT_REQUESTS].wanted || spans ||
			    group_has(options->look.group_by, "request");
	if (options->sets.count > 0)
		return;
	if (options->requests || options->transactions || otlp ||
	    options->formats[FORMAT_SLOW_LOG].wanted ||
	    options->formats[FORMAT_PROMETHEUS].wanted)
		vec_push(&options->sets, "sql");
	if (options->requests)
		vec_push(&options->sets, "connections");
}

/* With a set, lines show times, and texts are long enough to be of use. Signals
 * are hidden, because a server gets many of them. */
static void
prepare_for_sets(struct reading *reading)
{
	struct look *look = &reading->options->look;

	if (look->time == LOOK_TIME_NONE)
		look->time = LOOK_TIME_MICROS;
	look->durations = true;
	look->hide_signals = true;
	look->whole_queries = look->query_ids || look->redact ||
			      reading->options->formats[FORMAT_JSON].wanted;
	if (!reading->times[OPTION_STRING])
		look->string_length = SET_STRING;
}

/*
 * Formats that sum stacks need whole stacks; -w limits their length, and prints
 * them. To group by the place of the call, the application's first frame is
 * enough. The frames also tell which request a coroutine answers.
 */
static void
prepare_stacks(struct reading *reading)
{
	struct options *options = reading->options;
	const char *group_by = options->look.group_by;
	bool sums = false;
	bool where = group_has(group_by, "where") || options->requests ||
		     options->request_frame ||
		     options->formats[FORMAT_SLOW_LOG].wanted ||
		     options->formats[FORMAT_OTLP].wanted ||
		     options->transactions;
	bool live =
		options->formats[FORMAT_LIVE].wanted && options->sets.count > 0;

	for (int i = 0; i < FORMATS; i++)
		sums |= format_rows[i].stacks && options->formats[i].wanted;
	if (!reading->times[OPTION_MERGE])
		options->look.merge = options->sets.count > 0
					      ? LOOK_MERGE_PROGRAM
					      : LOOK_MERGE_NONE;
	/* With merged stacks, a query and the samples taken during it have the
	 * same outer frames. */
	if (sums && options->sample && options->stack == STACK_DEFAULT)
		options->stack = STACK_MERGED;
	if (options->alloc) {
		sums = true;
		options->look.weight = LOOK_WEIGHT_BYTES;
		if (options->stack == STACK_DEFAULT)
			options->stack = STACK_MERGED;
	}
	options->look.frames_hidden = options->frames == 0;
	if (options->frames == 0 && sums && options->stack != STACK_CALLS)
		options->frames = TREE_DEPTH_MOST;
	else if (options->frames == 0 && live)
		options->frames = LIVE_FRAMES;
	else if (options->frames == 0 && where)
		options->frames = 1;
	if (!reading->times[OPTION_STACK_FROM])
		options->from_own = !sums && (where || options->sets.count > 0);
}

/* Users copy names from the trace, so filters are compared with the names as
 * they are printed, too. */
static void
prepare_filters(struct options *options)
{
	for (size_t i = 0; i < options->locations.count; i++)
		filter_compare_printed(options->locations.at[i]);
	for (size_t i = 0; i < options->imports.count; i++)
		filter_compare_printed(options->imports.at[i]);
}

/* --summary and --json together are one table, as JSON. */
static void
prepare_summary(struct options *options)
{
	const struct destination *summary = &options->formats[FORMAT_SUMMARY];
	struct destination *json = &options->formats[FORMAT_JSON];
	struct look *look = &options->look;

	if (summary->wanted && !summary->file && json->wanted && !json->file) {
		look->summary_json = true;
		json->wanted = false;
	}
}

/* Sets what follows from several options together. */
static void
prepare(struct reading *reading)
{
	struct options *options = reading->options;

	prepare_queries(options);
	if (options->sets.count)
		prepare_for_sets(reading);
	options->look.thread_ends = options->as_ltrace && options->follow;
	if (options->demangle)
		prepare_filters(options);
	prepare_stacks(reading);
	prepare_summary(options);
	options->look.has_queries = options->sets.count > 0;
	options->look.has_frames = options->frames > 0;
	options->look.has_samples = options->sample > 0;
	options->look.has_calls = options_trace_calls(options);
	options->look.has_requests = options->requests;
}

static int
read_all(struct reading *reading, bool with_defaults, int argc, char **argv,
	 struct err *err)
{
	struct options *options = reading->options;
	int r, at;

	r = option_walk(reading, argc, argv, NULL, &at, err);
	if (r < 0 || option_asks_about_us(options))
		return r;
	options->files = argv + at;
	if (at < argc)
		options->command = argv + at;
	memcpy(reading->typed, reading->times, sizeof(reading->typed));
	if (with_defaults && options->action == ACTION_TRACE)
		r = option_defaults_read(reading, err);
	if (r < 0)
		return r;
	prepare(reading);
	r = find_chosen(options, err);
	return r < 0 ? r : option_check(reading, err);
}

int
options_parse(struct options *options, int argc, char **argv, struct err *err)
{
	struct reading reading = { .options = options };
	int r;

	set_defaults(options, argc > 0 ? argv[0] : "xtrace");
	/* Under the name ltrace no defaults are read: scripts that call ltrace
	 * expect ltrace's behaviour. */
	r = read_all(&reading, !options->as_ltrace, argc, argv, err);
	return r;
}

void
options_release(struct options *options)
{
	for (size_t i = 0; i < options->locations.count; i++)
		filter_free(options->locations.at[i]);
	for (size_t i = 0; i < options->sdts.count; i++)
		sdt_filter_free(options->sdts.at[i]);
	for (size_t i = 0; i < options->scripts.count; i++)
		script_filter_free(options->scripts.at[i]);
	for (size_t i = 0; i < options->imports.count; i++)
		filter_free(options->imports.at[i]);
	for (size_t i = 0; i < options->system_call_filters.count; i++)
		filter_free(options->system_call_filters.at[i]);
	for (size_t i = 0; i < options->libraries.count; i++)
		pattern_free(options->libraries.at[i]);
	for (size_t i = 0; i < options->tamperings.count; i++)
		tampering_free(options->tamperings.at[i]);
	vec_release(&options->tamperings);
	vec_release(&options->locations);
	vec_release(&options->sdts);
	vec_release(&options->scripts);
	vec_release(&options->imports);
	vec_release(&options->system_call_filters);
	vec_release(&options->missing_calls);
	vec_release(&options->libraries);
	vec_release(&options->environment);
	for (size_t i = 0; i < options->paths.count; i++)
		free(options->paths.at[i]);
	vec_release(&options->paths);
	vec_release(&options->pids);
	vec_release(&options->choices);
	vec_release(&options->configs);
	vec_release(&options->sets);
	request_frame_free(options->request_frame);
	if (options->packages)
		vec_release(&options->packages->patterns);
	free(options->packages);
	condition_free(options->condition);
	condition_free(options->measured);
	words_release(&options->defaults);
	free(options->unread);
}
