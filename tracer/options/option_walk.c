/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * getopt_long() walks the words with the tables that option_table makes of
 * options.def, and option_take() stores what each option says. getopt_long()
 * does not tell which word it has read. A cluster (-fT) keeps optind until its
 * last letter is read, and an argument may be a word of its own. Therefore the
 * word is found by optind before the step and by the argument after it.
 */
#include "tracer/options/option_walk.h"

#include "tracer/options/option_system_calls.h"

#include <getopt.h>
#include <stdio.h>

bool
option_asks_about_us(const struct options *options)
{
	return options->action == ACTION_HELP ||
	       options->action == ACTION_VERSION ||
	       options->action == ACTION_TOPICS;
}

static struct given
given_by(int code)
{
	struct given given = { .name = option_of_code(code), .text = optarg };

	given.row = &option_rows[given.name];
	if (option_code_is_long(code))
		snprintf(given.spelled, sizeof(given.spelled), "--%s",
			 given.row->word);
	else
		snprintf(given.spelled, sizeof(given.spelled), "-%c", code);
	return given;
}

static int
take_one(struct reading *reading, const struct given *given, struct err *err)
{
	reading->times[given->name]++;
	return option_take(reading, given, err);
}

int
option_walk(struct reading *reading, int argc, char **argv,
	    option_choice *choose, int *ret_at, struct err *err)
{
	struct option longs[OPTIONS + 1];
	char shorts[OPTION_SHORTS_ROOM];
	struct given given;
	int code, r, at = 1;

	option_getopt_tables(longs, shorts);
	opterr = 0;
	optind = 0;
	while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		*ret_at = at;
		if (code == '?' && !optopt)
			code = option_code_of_old(argv[optind - 1]);
		if (code == '?' || code == ':')
			return option_bad(code, optopt, argv[optind - 1], err);
		if (option_of_code(code) == OPTION_SYSCALLS &&
		    !option_code_is_long(code))
			system_calls_find_filter(argv, &optind, &optarg);
		given = given_by(code);
		r = choose ? choose(reading, &given, err) : 1;
		if (r >= 0 && optarg && optarg == argv[optind - 1])
			*ret_at = optind - 1;
		if (r > 0)
			r = take_one(reading, &given, err);
		if (r < 0 || option_asks_about_us(reading->options))
			return r;
		at = optind;
	}
	*ret_at = optind;
	return 0;
}
