/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the argument of an option. Each function reads the whole text, or
 * returns -EINVAL and a message that names the option as the user wrote it.
 */
#ifndef TRACER_OPTIONS_OPTION_VALUES_H
#define TRACER_OPTIONS_OPTION_VALUES_H

#include "base/attr.h"
#include "base/err.h"
#include "tracer/options/format_table.h"

#include <stdint.h>

struct call_names;
struct condition;
struct filter;
struct pattern;
struct pids;
struct script_filter;
struct sdt_filter;
struct tampering;

/* An option as given on the command line. */
struct given {
	enum option_name name;
	const struct option_row *row;
	char spelled[40]; /* "-s", or "--string-length" */
	const char *text; /* its argument, or NULL */
};

must_check int value_number(const struct given *given, uint64_t least,
			    uint64_t most, uint64_t *ret_number,
			    struct err *err);
/* Reads a size in bytes ("100M"), and how many old files are kept:
 * "100M,keep=5". */
must_check int value_size(const struct given *given, uint64_t *ret_size,
			  unsigned *ret_keep, struct err *err);
/* Reads a percentage: "2%", or "0.5" without the sign. */
must_check int value_percent(const struct given *given, double *ret_percent,
			     struct err *err);
/* "10ms", in nanoseconds. */
must_check int value_time(const struct given *given, uint64_t least,
			  uint64_t *ret_ns, struct err *err);
/* Tells which of the words in the row's arg ("auto|always|never") the argument
 * is, counted from 0. */
must_check int value_word(const struct given *given, unsigned *ret_index,
			  struct err *err);
/* Reads a filter. If the filter is wrong, the message has a caret below the
 * error. */
must_check int value_filter(const struct given *given,
			    struct filter **ret_filter, struct err *err);
must_check int value_call_filter(const struct given *given,
				 const struct call_names *names,
				 struct filter **ret_filter, struct err *err);
must_check int value_sdt_filter(const struct given *given,
				struct sdt_filter **ret_filter,
				struct err *err);
must_check int value_script_filter(const struct given *given,
				   struct script_filter **ret_filter,
				   struct err *err);
must_check int value_tampering(const struct given *given,
			       struct tampering **ret_tampering,
			       struct err *err);
must_check int value_condition(const struct given *given,
			       struct condition **ret_condition,
			       struct err *err);
must_check int value_pattern(const struct given *given,
			     struct pattern **ret_pattern, struct err *err);

must_check int value_user(const struct given *given, const char **ret_user,
			  struct err *err);
/* Adds the numbers in "1234", or in "12, 34 56", to pids. */
must_check int value_pids(const struct given *given, struct pids *pids,
			  struct err *err);
/* Reads the topics of -D, which take effect at once. */
must_check int value_topics(const struct given *given, struct err *err);
/* Reads the name of a file. Its extension must be that of a format that the
 * option selects. */
must_check int value_extension(const struct given *given,
			       enum option_name option,
			       enum format_name *ret_format, struct err *err);
/*
 * Reads which format is selected, and where it is written. The argument is
 * "FILE", "chrome", "chrome:FILE", an address, or missing. The file's name in
 * *ret_destination points into the argument.
 */
must_check int value_format(const struct given *given,
			    enum format_name *ret_format,
			    struct destination *ret_destination,
			    struct err *err);

#endif
