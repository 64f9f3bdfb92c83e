/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An option without effect is an error, because the user meant something by it.
 * A default without effect in this run is no error.
 */
#include "tracer/options/option_check.h"

#include "base/str.h"

#include <errno.h>
#include <string.h>

/* In the tables below: any option that selects a format which sums stacks. */
#define STACK_FORMATS OPTIONS

#define NEEDS_MOST 6

/* `option` has an effect only with one of the options in `needs`. */
struct dependence {
	enum option_name option;
	unsigned count;
	enum option_name needs[NEEDS_MOST];
};

static const struct dependence dependences[] = {
	{ OPTION_SORT, 2, { OPTION_SUMMARY, OPTION_LIVE } },
	{ OPTION_TOP,
	  6,
	  { OPTION_SUMMARY, OPTION_LIVE, OPTION_REQUESTS, OPTION_TRANSACTIONS,
	    OPTION_SAMPLE, OPTION_ALLOC } },
	{ OPTION_GROUP_BY, 3, { OPTION_SUMMARY, OPTION_LIVE, OPTION_SAMPLE } },
	{ OPTION_WIDE, 2, { OPTION_SUMMARY, OPTION_LIVE } },
	{ OPTION_INTERVAL, 3, { OPTION_SUMMARY, OPTION_OTLP, STACK_FORMATS } },
	{ OPTION_WEIGHT, 1, { STACK_FORMATS } },
	{ OPTION_MERGE, 1, { STACK_FORMATS } },
	{ OPTION_COLLAPSE_RECURSION, 1, { STACK_FORMATS } },
	{ OPTION_QUERY_ID, 2, { OPTION_SQL, OPTION_SET } },
	{ OPTION_IN_FLIGHT, 2, { OPTION_SQL, OPTION_SET } },
	{ OPTION_ROTATE,
	  4,
	  { OPTION_OUTPUT, OPTION_JSON, OPTION_SLOW_LOG, OPTION_OTLP } },
	{ OPTION_FOLLOW_NEW,
	  4,
	  { OPTION_ATTACH_NAME, OPTION_CGROUP, OPTION_UNIT,
	    OPTION_CONTAINER } },
	{ OPTION_FLAME_FORM, 2, { OPTION_FLAME, OPTION_DRAW_FLAME } },
	{ OPTION_AGAINST, 1, { OPTION_DRAW_FLAME } },
	{ OPTION_STACK,
	  5,
	  { OPTION_WHERE, STACK_FORMATS, OPTION_DUMP, OPTION_SAMPLE,
	    OPTION_ALLOC } },
	{ OPTION_SAMPLE_MODE, 1, { OPTION_SAMPLE } },
	{ OPTION_STACK_MIN_TIME, 2, { OPTION_WHERE, STACK_FORMATS } },
};

/* What an option needs, each option once. */
struct needs {
	unsigned count;
	enum option_name at[NEEDS_MOST + FORMATS];
};

static void
needs_add(struct needs *needs, enum option_name option)
{
	for (unsigned i = 0; i < needs->count; i++) {
		if (needs->at[i] == option)
			return;
	}
	needs->at[needs->count++] = option;
}

static struct needs
needs_of(const struct dependence *d)
{
	struct needs needs = { 0 };

	for (unsigned i = 0; i < d->count; i++) {
		if (d->needs[i] != STACK_FORMATS) {
			needs_add(&needs, d->needs[i]);
			continue;
		}
		for (int format = 0; format < FORMATS; format++) {
			if (format_rows[format].stacks)
				needs_add(&needs, format_rows[format].option);
		}
	}
	return needs;
}

static bool
any_given(const struct needs *needs, const unsigned *times)
{
	unsigned i = 0;

	while (i < needs->count && !times[needs->at[i]])
		i++;
	return i < needs->count;
}

/* Adds the words of the needed options, such as "--summary or --folded". */
static void
add_needs(struct str *to, const struct needs *needs)
{
	for (unsigned i = 0; i < needs->count; i++)
		str_addf(to, "%s--%s",
			 i == 0			? ""
			 : i < needs->count - 1 ? ", "
						: " or ",
			 option_rows[needs->at[i]].word);
}

/* Checks that each option of the command line has one of the options that it
 * needs. An option that only the defaults have given counts as well. */
static int
check_dependences(const unsigned *typed, const unsigned *times, struct err *err)
{
	for (size_t i = 0; i < array_size(dependences); i++) {
		const struct dependence *d = &dependences[i];
		struct needs needs = needs_of(d);
		struct str text;
		int r;

		if (!typed[d->option] || any_given(&needs, times))
			continue;
		str_init(&text);
		add_needs(&text, &needs);
		r = err_set(err, -EINVAL, "--%s needs %s",
			    option_rows[d->option].word, text.text);
		str_release(&text);
		return r;
	}
	return 0;
}

static bool
has_file(enum format_name format)
{
	return option_rows[format_rows[format].option].argument !=
	       OPTION_ARGUMENT_NONE;
}

/* Each of these options writes one file, so it may be given once. The words of
 * --format are counted one by one when they are read. */
static int
check_once(const unsigned *times, struct err *err)
{
	for (int i = 0; i < FORMATS; i++) {
		const struct format_row *row = &format_rows[i];

		if (has_file((enum format_name)i) && !row->word &&
		    times[row->option] > 1)
			return err_set(err, -EINVAL, "--%s is given twice",
				       option_rows[row->option].word);
	}
	return 0;
}

static int
place_taken(enum format_name first, enum format_name second, struct err *err)
{
	cleanup(freep) char *one = format_spelling(first, false);
	cleanup(freep) char *other = format_spelling(second, false);
	cleanup(freep) char *with_file =
		format_spelling(has_file(second) ? second : first, true);

	return err_set(err, -EINVAL,
		       "%s and %s cannot both replace the trace; write one to "
		       "a file: %s",
		       one, other, with_file);
}

static int
histogram_taken(enum format_name format, struct err *err)
{
	cleanup(freep) char *other = format_spelling(format, false);
	cleanup(freep) char *with_file = format_spelling(format, true);

	if (!has_file(format))
		return err_set(err, -EINVAL,
			       "--histogram and %s cannot both replace the "
			       "trace",
			       other);
	return err_set(
		err, -EINVAL,
		"--histogram and %s cannot both replace the trace; write "
		"one to a file: %s",
		other, with_file);
}

/* At most one format may replace the trace. */
static int
check_place(const struct options *options, struct err *err)
{
	enum format_name first = FORMATS;

	for (int i = 0; i < FORMATS; i++) {
		const struct destination *d = &options->formats[i];

		if (!d->wanted || d->file)
			continue;
		if (options->histogram)
			return histogram_taken((enum format_name)i, err);
		if (first != FORMATS)
			return place_taken(first, (enum format_name)i, err);
		first = (enum format_name)i;
	}
	return 0;
}

static int
check_about(const struct options *options, struct err *err)
{
	if (options->action == ACTION_CHECK_CONFIG && !options->files[0])
		return err_set(err, -EINVAL,
			       "--check-config: name the files to check");
	if (options->action == ACTION_COMPARE &&
	    (!options->files[0] || options->files[1]))
		return err_set(err, -EINVAL,
			       "--compare %s: name one more file, with the "
			       "summary after the change",
			       options->before);
	if (options->action == ACTION_LIST_SETS && options->files[0])
		return err_set(err, -EINVAL,
			       "--set help runs no command; what is '%s'?",
			       options->files[0]);
	if (options->action == ACTION_SHOW_PROTOTYPE && options->files[0])
		return err_set(err, -EINVAL,
			       "--show-prototype runs no command; what is "
			       "'%s'?",
			       options->files[0]);
	if (options->action == ACTION_DRAW_FLAME && options->files[0])
		return err_set(err, -EINVAL,
			       "--draw-flame reads standard input and runs no "
			       "command; what is '%s'?",
			       options->files[0]);
	return 0;
}

/* Checks the options about what is traced. */
static int
check_what(const struct options *options, struct err *err)
{
	if (options->command && options->follow_new)
		return err_set(err, -EINVAL,
			       "--follow-new waits for processes, so it cannot "
			       "be used with a command");
	if (!options->command && options->pids.count == 0 &&
	    !options->follow_new)
		return err_set(err, -EINVAL,
			       "nothing to trace: give a command or -p PID "
			       "(--help says more)");
	if (options->no_library_calls &&
	    (options->imports.count || options->libraries.count) &&
	    !options_name_places(options) && !options->sets.count)
		return err_set(err, -EINVAL,
			       "-L and -g cannot be used with -e or -l alone");
	if (options->user && !options->command)
		return err_set(err, -EINVAL,
			       "-u needs a command to run as that user");
	if (options->grandchild && !options->command)
		return err_set(err, -EINVAL,
			       "--grandchild needs a command, of which xtrace "
			       "is the grandchild");
	if (options->environment.count && !options->command)
		return err_set(err, -EINVAL,
			       "-E needs a command, whose environment it "
			       "changes");
	return 0;
}

/* --inject excludes two options: a call that is counted inside the program or
 * passes a jump cannot be changed, and a round of --sample does not know a
 * thread that is delayed. */
static int
check_inject(const struct options *options, struct err *err)
{
	if (options->tamperings.count == 0)
		return 0;
	if (options->sample)
		return err_set(err, -EINVAL,
			       "--inject and --sample cannot be used together");
	if (options->jumps)
		return err_set(
			err, -EINVAL,
			"--inject needs --engine=ptrace, with which each "
			"call stops");
	return 0;
}

/* Checks the options about how calls are shown. */
static int
check_how(const struct options *options, const unsigned *times, struct err *err)
{
	if (times[OPTION_TIME] && times[OPTION_RELATIVE])
		return err_set(err, -EINVAL,
			       "-r and -t cannot be used together");
	if (times[OPTION_REDACT] && times[OPTION_BIND])
		return err_set(err, -EINVAL,
			       "--redact hides what --bind shows");
	if (times[OPTION_REDACT] && times[OPTION_QUERY_STRINGS])
		return err_set(err, -EINVAL,
			       "--redact hides what --query-strings shows");
	if (options->split && !options->output)
		return err_set(err, -EINVAL,
			       "-ff needs -o FILE; it writes FILE.PID for each "
			       "process");
	if (options->split && options->rotate)
		return err_set(err, -EINVAL,
			       "--rotate and -ff cannot be used together");
	if (options->split && options->output[0] == '|')
		return err_set(err, -EINVAL,
			       "-ff writes files; -o '%s' is a command",
			       options->output);
	return 0;
}

/* Returns the first option that was given and is not in the list; OPTIONS if
 * there is none. */
static enum option_name
given_besides(const unsigned *times, const enum option_name *list, size_t count)
{
	enum option_name name = 0;

	for (; name < OPTIONS; name++) {
		size_t i = 0;

		while (i < count && list[i] != name)
			i++;
		if (times[name] && i == count)
			break;
	}
	return name;
}

/* --dump reads the process once: options about calls and their lines have no
 * effect. */
static const enum option_name with_dump[] = {
	OPTION_DUMP,  OPTION_PID,	OPTION_ATTACH_NAME, OPTION_CGROUP,
	OPTION_UNIT,  OPTION_CONTAINER, OPTION_FOLLOW,	    OPTION_WHERE,
	OPTION_STACK, OPTION_JSON,	OPTION_OUTPUT,	    OPTION_DEBUG,
};

static int
check_dump(const struct options *options, const unsigned *times,
	   struct err *err)
{
	enum option_name name;
	int r;

	if (options->pids.count == 0 || options->command)
		return err_set(err, -EINVAL,
			       "--dump looks at running processes: name them "
			       "with -p or --attach-name, and no command");
	name = given_besides(times, with_dump, array_size(with_dump));
	if (name != OPTIONS)
		return err_set(err, -EINVAL,
			       "--dump traces no calls, so --%s has no effect",
			       option_rows[name].word);
	if (options->stack == STACK_CALLS)
		return err_set(err, -EINVAL,
			       "--dump traces no calls, so it cannot show "
			       "--stack=calls");
	if (options->split)
		return err_set(err, -EINVAL,
			       "--dump writes one file, so -ff has no effect");
	r = check_once(times, err);
	return r < 0 ? r : check_place(options, err);
}

static const enum option_name with_heap[] = {
	OPTION_HEAP,	   OPTION_PID,		OPTION_ATTACH_NAME,
	OPTION_FOLLOW,	   OPTION_CGROUP,	OPTION_UNIT,
	OPTION_CONTAINER,  OPTION_OUTPUT,	OPTION_TOP,
	OPTION_DEBUG,	   OPTION_JSON,		OPTION_INTERVAL,
	OPTION_DURATION,   OPTION_USER,		OPTION_ENV,
	OPTION_GRANDCHILD, OPTION_HEAP_STRINGS,
};

static int
check_heap(const struct options *options, const unsigned *times,
	   struct err *err)
{
	enum option_name name;
	int r;

	if ((options->pids.count == 0) == (options->command == NULL))
		return err_set(
			err, -EINVAL,
			"--heap counts the objects of running processes, "
			"or of a command at its end: give -p PID, "
			"--attach-name or a command");
	name = given_besides(times, with_heap, array_size(with_heap));
	if (name != OPTIONS)
		return err_set(err, -EINVAL,
			       "--heap traces no calls, so --%s has no effect",
			       option_rows[name].word);
	if (options->command &&
	    (times[OPTION_INTERVAL] || times[OPTION_DURATION]))
		return err_set(err, -EINVAL,
			       "--heap counts a command at its end, so "
			       "--interval and --duration have no effect");
	if (times[OPTION_DURATION] && !times[OPTION_INTERVAL])
		return err_set(err, -EINVAL,
			       "--heap counts once, so --duration has no "
			       "effect without --interval");
	if (options->split)
		return err_set(err, -EINVAL,
			       "--heap writes one file, so -ff has no effect");
	if (options->heap_native && options->heap_strings)
		return err_set(err, -EINVAL,
			       "--heap=native counts no strings, so "
			       "--heap-strings has no effect");
	r = check_what(options, err);
	if (r == 0)
		r = check_once(times, err);
	return r < 0 ? r : check_place(options, err);
}

/* The options that have an effect with --sample alone: options about calls have
 * none. */
static const enum option_name with_samples[] = {
	OPTION_SAMPLE_MODE, OPTION_SAMPLE,     OPTION_PID,
	OPTION_ATTACH_NAME, OPTION_CGROUP,     OPTION_UNIT,
	OPTION_CONTAINER,   OPTION_FOLLOW_NEW, OPTION_FOLLOW,
	OPTION_USER,	    OPTION_ENV,	       OPTION_GRANDCHILD,
	OPTION_DURATION,    OPTION_WHERE,      OPTION_STACK,
	OPTION_DEMANGLE,    OPTION_OUTPUT,     OPTION_QUIET,
	OPTION_GROUP_BY,    OPTION_TOP,	       OPTION_INTERVAL,
	OPTION_JSON,	    OPTION_FOLDED,     OPTION_FLAME,
	OPTION_FLAME_FORM,  OPTION_FORMAT,     OPTION_WEIGHT,
	OPTION_STATS,	    OPTION_DEBUG,      OPTION_COLLAPSE_RECURSION,
	OPTION_MERGE,	    OPTION_ROTATE,     OPTION_LIVE,
};

/* Can the table of samples be grouped by this field? */
static bool
groups_samples(const char *field)
{
	return !strcmp(field, "where") || !strcmp(field, "function") ||
	       !strcmp(field, "thread");
}

static int
check_sample(const struct options *options, const unsigned *typed,
	     struct err *err)
{
	const char *field = options->look.group_by;
	enum option_name name;

	if (options->sample == 0)
		return 0;
	if (options->stack == STACK_CALLS)
		return err_set(err, -EINVAL,
			       "--sample shows frames, so it cannot show "
			       "--stack=calls");
	if (field && !options->formats[FORMAT_SUMMARY].wanted &&
	    !groups_samples(field))
		return err_set(err, -EINVAL,
			       "--group-by '%s': --sample groups by where, "
			       "function or thread",
			       field);
	if (options_trace_calls(options))
		return 0;
	name = given_besides(typed, with_samples, array_size(with_samples));
	if (name != OPTIONS)
		return err_set(err, -EINVAL,
			       "--sample alone traces no calls, so --%s has no "
			       "effect",
			       option_rows[name].word);
	if (options->look.weight == LOOK_WEIGHT_BYTES)
		return err_set(err, -EINVAL,
			       "--sample alone traces no calls, so --weight "
			       "bytes has no effect");
	return 0;
}

static const enum option_name with_growth[] = {
	OPTION_ALLOC,	   OPTION_PID,	      OPTION_ATTACH_NAME,
	OPTION_CGROUP,	   OPTION_UNIT,	      OPTION_CONTAINER,
	OPTION_FOLLOW_NEW, OPTION_FOLLOW,     OPTION_USER,
	OPTION_ENV,	   OPTION_GRANDCHILD, OPTION_DURATION,
	OPTION_STACK,	   OPTION_DEMANGLE,   OPTION_OUTPUT,
	OPTION_QUIET,	   OPTION_TOP,	      OPTION_FOLDED,
	OPTION_FLAME,	   OPTION_FLAME_FORM, OPTION_STATS,
	OPTION_DEBUG,	   OPTION_MERGE,      OPTION_COLLAPSE_RECURSION,
	OPTION_JSON,
};

static int
check_alloc(const struct options *options, const unsigned *typed,
	    struct err *err)
{
	enum option_name name;

	if (options->alloc == 0)
		return 0;
	name = given_besides(typed, with_growth, array_size(with_growth));
	if (name != OPTIONS)
		return err_set(err, -EINVAL,
			       "--alloc and --%s cannot be used together",
			       option_rows[name].word);
	return options->stack == STACK_CALLS
		       ? err_set(err, -EINVAL,
				 "--alloc traces no calls, so it cannot show "
				 "--stack=calls")
		       : 0;
}

/* --request-frame looks for its function in the script's frames. */
static int
check_request_frame(const struct options *options, struct err *err)
{
	if (!options->request_frame)
		return 0;
	if (!options->requests)
		return err_set(err, -EINVAL,
			       "--request-frame needs --requests, --group-by "
			       "request or --otlp");
	if (options->stack == STACK_NATIVE || options->stack == STACK_CALLS)
		return err_set(err, -EINVAL,
			       "--request-frame needs the script's frames, "
			       "which --stack=%s leaves out",
			       options->stack == STACK_NATIVE ? "native"
							      : "calls");
	if (options->stack_min_time)
		return err_set(err, -EINVAL,
			       "--request-frame and --stack-min-time cannot be "
			       "used together");
	return 0;
}

static int
check_live(const struct options *options, struct err *err)
{
	if (!options->formats[FORMAT_LIVE].wanted)
		return 0;
	if (options->split)
		return err_set(err, -EINVAL,
			       "--live has one page, so -ff has no effect");
	return 0;
}

int
option_check(const struct reading *reading, struct err *err)
{
	const struct options *options = reading->options;
	const unsigned *times = reading->times, *typed = reading->typed;
	int r;

	if (options->action == ACTION_DUMP)
		return check_dump(options, typed, err);
	if (options->heap_strings && options->action != ACTION_HEAP)
		return err_set(err, -EINVAL, "--heap-strings needs --heap");
	if (options->action == ACTION_HEAP)
		return check_heap(options, typed, err);
	if (options->action != ACTION_TRACE)
		return check_about(options, err);
	r = option_check_service(options, err);
	if (r == 0)
		r = check_what(options, err);
	if (r == 0)
		r = check_inject(options, err);
	if (r == 0)
		r = check_how(options, times, err);
	if (r == 0)
		r = check_dependences(typed, times, err);
	if (r == 0)
		r = check_sample(options, typed, err);
	if (r == 0)
		r = check_alloc(options, typed, err);
	if (r == 0)
		r = option_check_budget(options, times, err);
	if (r == 0)
		r = check_request_frame(options, err);
	if (r == 0)
		r = check_once(times, err);
	if (r == 0)
		r = check_place(options, err);
	if (r == 0)
		r = check_live(options, err);
	if (r == 0)
		r = option_check_files(options, err);
	return r;
}
