/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line: compares the table with the enumerators of its words, and
 * command lines with their results. A command line is a string of words with
 * blanks between.
 */
#include "tracer/options/options.h"

#include "conf/filter/filter.h"
#include "tests/unit/tracer/suites.h"
#include "tracer/options/option_table.h"
#include "tracer/options/request_frame.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MOST 32

/* Parses "xtrace" and the words; text must exist as long as the options. */
static int
parse(const char *line, struct options *options, struct err *err)
{
	static char text[512];
	static char *argv[WORDS_MOST + 1];
	int argc = 0;

	snprintf(text, sizeof(text), "%s", line);
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
		ck_assert_int_lt(argc, WORDS_MOST);
		argv[argc++] = word;
	}
	argv[argc] = NULL;
	return options_parse(options, argc, argv, err);
}

static void
accepted(const char *line, struct options *options)
{
	struct err err = { "" };

	ck_assert_msg(parse(line, options, &err) == 0, "%s: %s", line,
		      err.text);
}

static void
refused(const char *line, const char *part)
{
	struct options options;
	struct err err = { "" };

	ck_assert_msg(parse(line, &options, &err) == -EINVAL, "%s", line);
	ck_assert_msg(strstr(err.text, part) != NULL, "%s: %s", line, err.text);
	options_release(&options);
}

START_TEST(table_is_unambiguous)
{
	for (int i = 0; i < OPTIONS; i++) {
		const struct option_row *a = &option_rows[i];

		ck_assert_int_eq(a->argument == OPTION_ARGUMENT_NONE, !a->arg);
		ck_assert_msg(a->help[strlen(a->help) - 1] != '.', "%s",
			      a->word);
		for (int j = 0; j < i; j++) {
			const struct option_row *b = &option_rows[j];

			ck_assert_str_ne(a->word, b->word);
			ck_assert(!a->letter || a->letter != b->letter);
		}
	}
}
END_TEST

/* ltrace's options, with their arguments (ltrace 0.8.1, options.c). */
START_TEST(ltrace_options_are_there)
{
	static const char *const lines[] = {
		"ltrace -a 5 -A 5 -b -c -C -D 77 -e f -f -F / -i -l l f",
		"ltrace -S -L -n 2 -o f -p 1 -s 5 -T -t -tt -u root -x f f",
		"ltrace -r -w 3 f",
		"ltrace --align 5 --no-signals --demangle --debug=77 f",
		"ltrace --config / --indent=2 --library l --output=f f",
		"ltrace --where=3 f",
		"ltrace -h",
		"ltrace --help",
		"ltrace -V",
		"ltrace --version",
	};
	struct options options;

	for (size_t i = 0; i < array_size(lines); i++) {
		accepted(lines[i], &options);
		ck_assert(options.as_ltrace);
		options_release(&options);
	}
}
END_TEST

/* -S is followed by other options, a filter, or the command. */
START_TEST(system_calls_are_chosen)
{
	static const struct {
		const char *line;
		size_t filters;
		bool no_library_calls;
		const char *command;
	} rows[] = {
		{ "x -S f", 0, false, "f" },
		{ "x -SL f", 0, true, "f" },
		{ "x -fSLt f", 0, true, "f" },
		{ "x -S -L f", 0, true, "f" },
		{ "x -Sopen f", 1, false, "f" },
		{ "x -LS%file f", 1, true, "f" },
		{ "x -S open*+-openat f", 1, false, "f" },
		{ "x -S read,write -S%net f", 2, false, "f" },
		{ "x -S open f", 0, false, "open" },
		{ "x -S g++ f", 0, false, "g++" },
		{ "x --syscalls f", 0, false, "f" },
		{ "x --syscalls=open f", 1, false, "f" },
		{ "x -Ssyscall_999 f", 1, false, "f" },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		struct options options;

		accepted(rows[i].line, &options);
		ck_assert(options.system_calls);
		ck_assert_uint_eq(options.system_call_filters.count,
				  rows[i].filters);
		ck_assert(options.no_library_calls == rows[i].no_library_calls);
		ck_assert_str_eq(options.command[0], rows[i].command);
		options_release(&options);
	}
	refused("x -Sopne f", "no system call is named 'opne'");
	refused("x --syscalls= f", "");
	refused("x -S%files f", "'%files' is no class of system calls");
}
END_TEST

START_TEST(words_are_enumerators)
{
	static const struct {
		const char *line;
		enum look_sort sort;
	} rows[] = {
		{ "x --summary --sort=total f", LOOK_SORT_TOTAL },
		{ "x --summary --sort=self f", LOOK_SORT_SELF },
		{ "x --summary --sort=calls f", LOOK_SORT_CALLS },
		{ "x --summary --sort=mean f", LOOK_SORT_MEAN },
		{ "x --summary --sort=p50 f", LOOK_SORT_P50 },
		{ "x --summary --sort=p95 f", LOOK_SORT_P95 },
		{ "x --summary --sort=p99 f", LOOK_SORT_P99 },
		{ "x --summary --sort=max f", LOOK_SORT_MAX },
		{ "x --summary --sort=fetch f", LOOK_SORT_FETCH },
		{ "x --summary --sort=errors f", LOOK_SORT_ERRORS },
		{ "x --summary --sort=rows f", LOOK_SORT_ROWS },
		{ "x --summary --sort=bytes f", LOOK_SORT_BYTES },
		{ "x --summary --sort=name f", LOOK_SORT_NAME },
	};
	struct options options;

	ck_assert_uint_eq(array_size(rows), LOOK_SORTS);
	for (size_t i = 0; i < array_size(rows); i++) {
		accepted(rows[i].line, &options);
		ck_assert_int_eq(options.look.sort, rows[i].sort);
		options_release(&options);
	}
	accepted("x --folded --weight calls --pid never --color always f",
		 &options);
	ck_assert_int_eq(options.look.weight, LOOK_WEIGHT_CALLS);
	ck_assert_int_eq(options.look.thread_column, LOOK_NEVER);
	ck_assert_int_eq(options.color, LOOK_ALWAYS);
	options_release(&options);
	accepted("x --folded --weight time --pid auto --color never f",
		 &options);
	ck_assert_int_eq(options.look.weight, LOOK_WEIGHT_TIME);
	ck_assert_int_eq(options.look.thread_column, LOOK_AUTO);
	ck_assert_int_eq(options.color, LOOK_NEVER);
	options_release(&options);
}
END_TEST

START_TEST(clusters_and_what_follows)
{
	struct options options;

	accepted("/usr/bin/xtrace -F / -ttTgx f -n3 -s 5 -p 12 prog -x y",
		 &options);
	ck_assert(!options.as_ltrace);
	ck_assert_int_eq(options.look.time, LOOK_TIME_MICROS);
	ck_assert(options.look.durations && options.no_library_calls);
	ck_assert_uint_eq(options.locations.count, 1);
	ck_assert_uint_eq(options.look.indent, 3);
	ck_assert_uint_eq(options.look.string_length, 5);
	ck_assert_uint_eq(options.pids.count, 1);
	ck_assert_int_eq(options.pids.at[0], 12);
	ck_assert_str_eq(options.command[0], "prog");
	ck_assert_str_eq(options.command[1], "-x");
	options_release(&options);
	accepted("xtrace --lim 5 --duration=2m --min-time 10ms -tttt -- -x",
		 &options);
	ck_assert_uint_eq(options.limit, 5);
	ck_assert_uint_eq(options.duration, UINT64_C(120000000000));
	ck_assert_uint_eq(options.look.min_duration, 10000000);
	ck_assert_int_eq(options.look.time, LOOK_TIME_EPOCH);
	ck_assert_str_eq(options.command[0], "-x");
	options_release(&options);
}
END_TEST

START_TEST(following)
{
	struct options options;

	accepted("xtrace -f prog", &options);
	ck_assert(options.follow && !options.split);
	options_release(&options);
	accepted("xtrace -ff -o file prog", &options);
	ck_assert(options.follow && options.split);
	options_release(&options);
	accepted("xtrace -f --follow -f -o file prog", &options);
	ck_assert(options.follow && options.split);
	options_release(&options);
}
END_TEST

START_TEST(outputs)
{
	struct options options;

	accepted("xtrace --json --folded=/dev/null --summary=/dev/null f",
		 &options);
	ck_assert(options.formats[FORMAT_JSON].wanted &&
		  !options.formats[FORMAT_JSON].file);
	ck_assert_str_eq(options.formats[FORMAT_FOLDED].file, "/dev/null");
	options_release(&options);
	refused("xtrace --json --folded f", "--folded=FILE");
	refused("xtrace --json=/no-such -o /no-such f", "the same file");
	refused("xtrace --json=/etc/passwd --folded=/etc/../etc/passwd f",
		"the same file");
	accepted("xtrace --json=/no-such/a --folded=/no-such/a f", &options);
	options_release(&options);
	accepted("x --format chrome:/dev/null --format=pprof --flame=a.html f",
		 &options);
	ck_assert_str_eq(options.formats[FORMAT_CHROME].file, "/dev/null");
	ck_assert(options.formats[FORMAT_PPROF].wanted &&
		  !options.formats[FORMAT_PPROF].file);
	ck_assert(!options.formats[FORMAT_CALLGRIND].wanted);
	ck_assert_str_eq(options.formats[FORMAT_FLAME_HTML].file, "a.html");
	options_release(&options);
	refused("x --format pprof --json f", "--format pprof:FILE");
	refused("x --format pprof: f", "name the file");
	refused("x --format=pprof:/no-such --flame=/no-such.svg --folded=/"
		"no-such f",
		"the same file");
	accepted("x --draw-flame a.svg --weight bytes", &options);
	ck_assert_int_eq(options.action, ACTION_DRAW_FLAME);
	ck_assert(options.weighed);
	options_release(&options);
}
END_TEST

/* A command line that asks for this format, and names a file if the format can
 * have one. The caller frees it. */
static char *
asking_line(enum format_name format)
{
	const struct format_row *row = &format_rows[format];
	const struct option_row *option = &option_rows[row->option];

	if (option->argument == OPTION_ARGUMENT_NONE)
		return xasprintf("x --%s f", option->word);
	return xasprintf("x --%s=%s%s/no-such/name%s f", option->word,
			 row->word ? row->word : "", row->word ? ":" : "",
			 row->extension ? row->extension : "");
}

START_TEST(each_format_has_its_line)
{
	enum format_name format = (enum format_name)_i;
	cleanup(freep) char *line = asking_line(format);
	cleanup(freep) char *spelling = format_spelling(format, false);
	cleanup(freep) char *word = xasprintf(" %s", spelling);
	struct options options;

	accepted(line, &options);
	for (int i = 0; i < FORMATS; i++)
		ck_assert_int_eq(options.formats[i].wanted, i == _i);
	/* Formats that add up stacks need whole stacks; others need the line
	 * that makes a query. */
	ck_assert_int_eq(options.frames > 0,
			 format_rows[format].stacks ||
				 format == FORMAT_REQUESTS ||
				 format == FORMAT_SLOW_LOG ||
				 format == FORMAT_OTLP ||
				 format == FORMAT_TRANSACTIONS);
	options_release(&options);
	for (char *at = word; (at = strchr(at + 1, ' '));)
		*at = '=';
	word[0] = ' ';
	ck_assert_ptr_eq(strstr(line, word), line + 1);
	ck_assert_ptr_nonnull(format_rows[format].make);
}
END_TEST

static const struct {
	const char *path;
	enum format_name format; /* FORMATS: none */
} pictures[] = {
	{ "a.svg", FORMAT_FLAME_SVG },
	{ "b.svg/a.b.html", FORMAT_FLAME_HTML },
	{ "svg", FORMATS },
	{ "a.svg/b", FORMATS },
	{ "/x/.html", FORMATS },
	{ "", FORMATS },
};

START_TEST(formats_by_file_name)
{
	enum format_name found = FORMATS;

	ck_assert_int_eq(format_of_file(OPTION_FLAME, pictures[_i].path,
					&found) == 0,
			 pictures[_i].format != FORMATS);
	ck_assert_int_eq(found, pictures[_i].format);
}
END_TEST

/* The pattern of --request-frame, a function, its file, and whether they match.
 */
static const struct {
	const char *pattern, *function, *file;
	bool matches;
} frames[] = {
	{ "perform", "perform", NULL, true },
	{ "perform", "perform2", "jobs.py", false },
	{ "per*", "perform", "/srv/jobs.py", true },
	{ "perform@jobs.py", "perform", "/srv/jobs.py", true },
	{ "perform@jobs.py", "perform", "/srv/other.py", false },
	{ "perform@jobs.py", "perform", NULL, false },
	{ "perform@/srv/*", "perform", "/srv/a/jobs.py", true },
	{ "perform@srv/*", "perform", "/srv/jobs.py", false },
	{ "a@b@c.py", "a@b", "/c.py", true },
	{ "perform", NULL, "/srv/jobs.py", false },
};

START_TEST(frames_of_requests)
{
	struct request_frame *frame;
	struct err err = { "" };

	ck_assert_int_eq(request_frame_read(frames[_i].pattern, &frame, &err),
			 0);
	ck_assert_int_eq(request_frame_matches(frame, frames[_i].function,
					       frames[_i].file),
			 frames[_i].matches);
	request_frame_free(frame);
}
END_TEST

START_TEST(what_helps)
{
	refused("xtrace", "nothing to trace");
	refused("xtrace --jsom f", "did you mean '--json'");
	refused("xtrace --no-plot f", "did you mean '--no-plt'");
	refused("xtrace --completely-else f", "--help lists them");
	refused("xtrace -x", "needs FILTER");
	refused("xtrace -x /[/ f", "-x: ");
	refused("xtrace --trace /[/ f", "--trace: ");
	refused("xtrace --top 3 f", "--summary");
	refused("xtrace --requests --request-frame f --stack-min-time 1s f",
		"--stack-min-time");
	refused("xtrace -ff f", "-o FILE");
	refused("xtrace -t -r f", "-r and -t");
}
END_TEST

Suite *
options_suite(void)
{
	Suite *suite = suite_create("options");
	TCase *tests = tcase_create("options");

	tcase_add_test(tests, table_is_unambiguous);
	tcase_add_test(tests, ltrace_options_are_there);
	tcase_add_test(tests, system_calls_are_chosen);
	tcase_add_test(tests, words_are_enumerators);
	tcase_add_test(tests, clusters_and_what_follows);
	tcase_add_test(tests, following);
	tcase_add_test(tests, outputs);
	tcase_add_loop_test(tests, each_format_has_its_line, 0, FORMATS);
	tcase_add_loop_test(tests, formats_by_file_name, 0,
			    array_size(pictures));
	tcase_add_loop_test(tests, frames_of_requests, 0, array_size(frames));
	tcase_add_test(tests, what_helps);
	suite_add_tcase(suite, tests);
	return suite;
}
