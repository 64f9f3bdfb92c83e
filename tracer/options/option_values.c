/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One function for each kind of value. A message begins with the option as the
 * user wrote it, -s or --string-length, because the user will look for it in
 * the command line.
 */
#include "tracer/options/option_values.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/parse.h"
#include "base/pattern.h"
#include "base/str.h"
#include "conf/filter/call_filter.h"
#include "conf/filter/filter.h"
#include "conf/filter/script_filter.h"
#include "conf/filter/sdt_filter.h"
#include "conf/filter/tampering.h"
#include "conf/parse/condition.h"
#include "network/address.h"
#include "process/status.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many old files --rotate can keep at most. */
#define KEEP_MOST 10000

/* The least percentage that value_percent() accepts. */
#define PERCENT_LEAST 0.1

int
value_size(const struct given *given, uint64_t *ret_size, unsigned *ret_keep,
	   struct err *err)
{
	static const char units[] = "KMG", keep[] = ",keep=";
	size_t digits = strspn(given->text, "0123456789");
	const char *end = given->text + digits;
	const char *unit = *end ? strchr(units, *end) : NULL;
	cleanup(freep) char *number = xstrndup(given->text, digits);
	uint64_t size = 0, kept = 1;
	int r = parse_unsigned(number, UINT64_MAX >> 30, &size);

	if (unit) {
		size <<= 10 * (unsigned)(unit - units + 1);
		end++;
	}
	if (r == 0 && *end && !strncmp(end, keep, strlen(keep)))
		r = parse_unsigned(end + strlen(keep), KEEP_MOST, &kept);
	else if (*end)
		r = -EINVAL;
	if (r < 0 || kept == 0)
		return err_set(err, -EINVAL,
			       "%s: '%s' is not a size such as 100M or "
			       "100M,keep=5",
			       given->spelled, given->text);
	*ret_size = size;
	*ret_keep = (unsigned)kept;
	return 0;
}

int
value_number(const struct given *given, uint64_t least, uint64_t most,
	     uint64_t *ret_number, struct err *err)
{
	uint64_t number;

	if (parse_unsigned(given->text, most, &number) < 0 || number < least)
		return err_set(err, -EINVAL,
			       "%s: '%s' is not a number from %llu to %llu",
			       given->spelled, given->text,
			       (unsigned long long)least,
			       (unsigned long long)most);
	*ret_number = number;
	return 0;
}

int
value_time(const struct given *given, uint64_t least, uint64_t *ret_ns,
	   struct err *err)
{
	uint64_t ns;

	if (parse_duration(given->text, &ns) < 0)
		return err_set(err, -EINVAL,
			       "%s: '%s' is not a time such as 250us, 10ms, "
			       "5s or 2m",
			       given->spelled, given->text);
	if (ns < least)
		return err_set(err, -EINVAL, "%s: '%s' is less than %s",
			       given->spelled, given->text,
			       least >= CLOCK_SECOND ? "a second"
						     : "a nanosecond");
	*ret_ns = ns;
	return 0;
}

int
value_percent(const struct given *given, double *ret_percent, struct err *err)
{
	static const char form[] = "0123456789.";
	size_t length = strspn(given->text, form);
	const char *after = given->text + length;
	double percent = length > 0 ? strtod(given->text, NULL) : 0;

	if ((strcmp(after, "%") != 0 && *after) ||
	    strchr(given->text, '.') != strrchr(given->text, '.') ||
	    percent < PERCENT_LEAST || percent > 100)
		return err_set(err, -EINVAL,
			       "%s: '%s' is not a percentage from %g to 100, "
			       "such as 2%%",
			       given->spelled, given->text, PERCENT_LEAST);
	*ret_percent = percent;
	return 0;
}

int
value_word(const struct given *given, unsigned *ret_index, struct err *err)
{
	const char *word = given->row->arg;
	struct str list;
	int r;

	str_init(&list);
	for (unsigned index = 0;; index++) {
		size_t length = strcspn(word, "|");

		if (length == strlen(given->text) &&
		    !strncmp(word, given->text, length)) {
			*ret_index = index;
			str_release(&list);
			return 0;
		}
		if (index > 0)
			str_add(&list, word[length] ? ", " : " or ");
		str_add_bytes(&list, word, length);
		if (!word[length])
			break;
		word += length + 1;
	}
	r = err_set(err, -EINVAL, "%s: '%s' is not %s", given->spelled,
		    given->text, str_text(&list));
	str_release(&list);
	return r;
}

/* Adds the message, the text in which the error is, and a caret below the
 * error. */
static int
point_at(const struct given *given, const char *why, size_t column,
	 struct err *err)
{
	int r = err_set(err, -EINVAL, "%s: %s", given->spelled, why);

	err_point(err, given->text, column);
	return r;
}

/* strace(1) has another option -e, with these words before a "=". */
static const struct strace_word {
	const char *word, *instead;
} strace_words[] = {
	{ "trace", NULL },
	{ "signal", "-b leaves out signals" },
	{ "status", "-Z shows only calls that fail, -z only others" },
	{ "abbrev", "-s and -A limit what is shown" },
	{ "verbose", "-s and -A limit what is shown" },
	{ "raw", "-F gives a function other types" },
	{ "read", "-s limits what is shown" },
	{ "write", "-s limits what is shown" },
	{ "fault", "--inject changes calls" },
	{ "inject", "--inject changes calls" },
	{ "quiet", "-q leaves out messages" },
	{ "silent", "-q leaves out messages" },
	{ "decode-fds", "-y shows what descriptors are" },
};

static const struct strace_word *
strace_word(const char *text)
{
	size_t length = strcspn(text, "=");

	for (size_t i = 0; text[length] && i < array_size(strace_words); i++) {
		if (strlen(strace_words[i].word) == length &&
		    !strncmp(strace_words[i].word, text, length))
			return &strace_words[i];
	}
	return NULL;
}

static int
strace_filter(const struct given *given, const struct strace_word *word,
	      struct err *err)
{
	const char *names = strchr(given->text, '=') + 1;

	if (word->instead)
		return err_set(err, -EINVAL, "%s: '%s' is meant for strace; %s",
			       given->spelled, given->text, word->instead);
	return err_set(err, -EINVAL,
		       "%s: '%s' is how strace names system calls; for library "
		       "calls write -e %s, for system calls -S %s",
		       given->spelled, given->text,
		       isalpha((unsigned char)*names) ? names : "NAME", names);
}

int
value_filter(const struct given *given, struct filter **ret_filter,
	     struct err *err)
{
	const struct strace_word *word = strace_word(given->text);
	struct err why = { "" };
	size_t column = 0;

	if (word)
		return strace_filter(given, word, err);
	if (filter_parse(given->text, NULL, ret_filter, &column, &why) < 0)
		return point_at(given, why.text, column, err);
	return 0;
}

int
value_call_filter(const struct given *given, const struct call_names *names,
		  struct filter **ret_filter, struct err *err)
{
	const struct strace_word *word = strace_word(given->text);
	struct err why = { "" };
	size_t column = 0;

	if (word)
		return strace_filter(given, word, err);
	if (call_filter_parse(given->text, names, ret_filter, &column, &why) <
	    0)
		return point_at(given, why.text, column, err);
	return 0;
}

int
value_sdt_filter(const struct given *given, struct sdt_filter **ret_filter,
		 struct err *err)
{
	struct err why = { "" };
	size_t column = 0;

	if (sdt_filter_parse(given->text, ret_filter, &column, &why) < 0)
		return point_at(given, why.text, column, err);
	return 0;
}

int
value_script_filter(const struct given *given,
		    struct script_filter **ret_filter, struct err *err)
{
	struct err why = { "" };
	size_t column = 0;

	if (script_filter_parse(given->text, ret_filter, &column, &why) < 0)
		return point_at(given, why.text, column, err);
	return 0;
}

int
value_tampering(const struct given *given, struct tampering **ret_tampering,
		struct err *err)
{
	struct err why = { "" };
	size_t column = 0;

	if (tampering_parse(given->text, ret_tampering, &column, &why) < 0)
		return point_at(given, why.text, column, err);
	return 0;
}

int
value_condition(const struct given *given, struct condition **ret_condition,
		struct err *err)
{
	struct err why = { "" };
	size_t column = 0;

	if (condition_parse(given->text, ret_condition, &column, &why) < 0)
		return point_at(given, why.text, column, err);
	return 0;
}

int
value_pattern(const struct given *given, struct pattern **ret_pattern,
	      struct err *err)
{
	struct err why = { "" };

	if (pattern_glob(given->text, ret_pattern, &why) < 0)
		return err_set(err, -EINVAL, "%s: %s", given->spelled,
			       why.text);
	return 0;
}

int
value_user(const struct given *given, const char **ret_user, struct err *err)
{
	if (!getpwnam(given->text))
		return err_set(err, -EINVAL, "%s: no user is named '%s'",
			       given->spelled, given->text);
	*ret_user = given->text;
	return 0;
}

int
value_pids(const struct given *given, struct pids *pids, struct err *err)
{
	cleanup(freep) char *copy = xstrdup(given->text);
	char *rest = copy, *word;
	size_t before = pids->list.count;

	while ((word = strsep(&rest, " ,\n\t"))) {
		uint64_t pid;

		if (!*word)
			continue;
		if (parse_unsigned(word, INT_MAX, &pid) < 0 || pid == 0)
			return err_set(err, -EINVAL,
				       "%s: '%s' is not a process id",
				       given->spelled, word);
		vec_push(&pids->list, (pid_t)pid);
	}
	if (pids->list.count == before)
		return err_set(err, -EINVAL, "%s: no process id in '%s'",
			       given->spelled, given->text);
	return 0;
}

int
value_topics(const struct given *given, struct err *err)
{
	const char *topics = given->text;

	/* ltrace's octal masks select every topic here. */
	if (isdigit((unsigned char)topics[0]))
		topics = "all";
	if (log_choose(topics, STDERR_FILENO) < 0)
		return err_set(err, -EINVAL,
			       "%s: '%s' is neither 'all' nor a list of rooms "
			       "separated by commas; -Dh lists the rooms",
			       given->spelled, topics);
	return 0;
}

int
value_extension(const struct given *given, enum option_name option,
		enum format_name *ret_format, struct err *err)
{
	struct str list;
	int r;

	if (format_of_file(option, given->text, ret_format) == 0)
		return 0;
	str_init(&list);
	for (int i = 0; i < FORMATS; i++) {
		if (format_rows[i].option == option)
			str_addf(&list, "%s%s", list.length ? " or " : "",
				 format_rows[i].extension);
	}
	r = err_set(err, -EINVAL, "%s: '%s' is not a name that ends in %s",
		    given->spelled, given->text, list.text);
	str_release(&list);
	return r;
}

/* "chrome", or "chrome:FILE" */
static int
value_export(const struct given *given, enum format_name *ret_format,
	     const char **ret_file, struct err *err)
{
	size_t length = strcspn(given->text, ":");
	cleanup(freep) char *word = xstrndup(given->text, length);
	struct given named = *given;
	unsigned index;
	int format = 0;
	int r;

	named.text = word;
	r = value_word(&named, &index, err);
	if (r < 0)
		return r;
	if (given->text[length] && !given->text[length + 1])
		return err_set(err, -EINVAL, "%s %s: name the file",
			       given->spelled, given->text);
	while (!format_rows[format].word ||
	       strcmp(format_rows[format].word, word) != 0)
		format++;
	*ret_format = (enum format_name)format;
	*ret_file = given->text[length] ? given->text + length + 1 : NULL;
	return 0;
}

/* A file of Prometheus has an extension; anything else is an address. */
static int
value_prometheus(const struct given *given, bool *ret_network, struct err *err)
{
	enum format_name format;
	struct address address;

	*ret_network = format_of_file(given->name, given->text, &format) < 0;
	if (!*ret_network || address_parse(given->text, &address) == 0)
		return 0;
	return err_set(err, -EINVAL,
		       "%s: '%s' is not a name that ends in .prom, a port, or "
		       "an address with a port, such as 10.0.0.1:9464",
		       given->spelled, given->text);
}

/* A text with a scheme is a URL; anything else is a file. */
static int
value_otlp(const struct given *given, bool *ret_network, struct err *err)
{
	const char *separator = strstr(given->text, "://");
	bool web = !strncmp(given->text, "http://", strlen("http://")) ||
		   !strncmp(given->text, "https://", strlen("https://"));

	*ret_network = separator != NULL;
	if (!separator || (web && isalnum((unsigned char)separator[3])) ||
	    (web && separator[3] == '['))
		return 0;
	return err_set(err, -EINVAL,
		       "%s: '%s' is not a URL such as http://localhost:4318",
		       given->spelled, given->text);
}

int
value_format(const struct given *given, enum format_name *ret_format,
	     struct destination *ret_destination, struct err *err)
{
	enum format_name format = format_of_option(given->name);
	struct destination to = { .wanted = true, .file = given->text };
	int r = 0;

	if (format_rows[format].word)
		r = value_export(given, &format, &to.file, err);
	else if (format == FORMAT_PROMETHEUS)
		r = value_prometheus(given, &to.network, err);
	else if (format == FORMAT_OTLP)
		r = value_otlp(given, &to.network, err);
	else if (format_rows[format].extension)
		r = value_extension(given, given->name, &format, err);
	if (r < 0)
		return r;
	if (to.file && !*to.file)
		return err_set(err, -EINVAL, "%s=: name the file",
			       given->spelled);
	*ret_format = format;
	*ret_destination = to;
	return 0;
}
