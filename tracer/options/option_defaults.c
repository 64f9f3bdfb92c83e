/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line is read first, so that its options come before the defaults.
 * An option that is in both is the command line's alone: with -t in the file,
 * -t on the command line does not mean -tt. A default never makes a command
 * line invalid: a default is left out if it contradicts the command line, or if
 * there is no command to which it applies.
 *
 * An option may start a command (-o '|command'). So a file is read only if
 * nobody but the user and root can write it, even if the user is not root.
 */
#include "tracer/options/option_defaults.h"

#include "base/fd.h"
#include "conf/find/trust.h"
#include "tracer/options/option_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define VARIABLE "XTRACE_OPTIONS"
#define FILE_MOST (1 << 20)

/* The file or the variable from which a default was read, and the line. */
struct defaults_place {
	const char *name;
	unsigned line; /* 0: the place has no lines */
};

/* Options that are meant for a single run, so that they cannot be defaults. */
static const enum option_name only_typed[] = {
	OPTION_PID,	    OPTION_ATTACH_NAME,	 OPTION_CGROUP,
	OPTION_UNIT,	    OPTION_CONTAINER,	 OPTION_FOLLOW_NEW,
	OPTION_DUMP,	    OPTION_HEAP,	 OPTION_ALLOC,
	OPTION_HISTOGRAM,   OPTION_CHECK_CONFIG, OPTION_SHOW_PROTOTYPE,
	OPTION_LIST_PROBES, OPTION_DRAW_FLAME,	 OPTION_AGAINST,
	OPTION_COMPARE,	    OPTION_HELP,	 OPTION_VERSION,
	OPTION_SERVICE,
};

/* Options of a command that are allowed in the file of a service (--service),
 * but not in the user's file. */
static const enum option_name of_services[] = {
	OPTION_ATTACH_NAME, OPTION_CGROUP,     OPTION_UNIT,
	OPTION_CONTAINER,   OPTION_FOLLOW_NEW,
};

/* Two options that contradict each other: if one of them was typed, a default
 * that is the other is left out. */
static const enum option_name contrary[][2] = {
	{ OPTION_TIME, OPTION_RELATIVE },
	{ OPTION_FAILED, OPTION_SUCCESSFUL },
	{ OPTION_NO_LIBRARY, OPTION_IMPORTS },
	{ OPTION_NO_LIBRARY, OPTION_LIBRARY },
	{ OPTION_NO_PLT, OPTION_IMPORTS },
	{ OPTION_NO_PLT, OPTION_LIBRARY },
};

static bool
is_of_services(enum option_name name)
{
	for (size_t i = 0; i < array_size(of_services); i++) {
		if (of_services[i] == name)
			return true;
	}
	return false;
}

static bool
is_only_typed(const struct options *options, enum option_name name)
{
	if (options->service_file && is_of_services(name))
		return false;
	for (size_t i = 0; i < array_size(only_typed); i++) {
		if (only_typed[i] == name)
			return true;
	}
	return false;
}

static bool
contradicts(const struct reading *reading, enum option_name name)
{
	for (size_t i = 0; i < array_size(contrary); i++) {
		if ((contrary[i][0] == name &&
		     reading->typed[contrary[i][1]]) ||
		    (contrary[i][1] == name && reading->typed[contrary[i][0]]))
			return true;
	}
	return false;
}

/* Would the default `given` select a format that replaces the trace, although
 * the command line has selected such a format already? */
static bool
place_is_taken(const struct reading *reading, const struct given *given)
{
	const struct options *options = reading->options;

	if (format_of_option(given->name) == FORMATS || given->text)
		return false;
	for (int i = 0; i < FORMATS; i++) {
		if (options->formats[i].wanted && !options->formats[i].file &&
		    reading->typed[format_rows[i].option])
			return true;
	}
	return false;
}

static int
choose(const struct reading *reading, const struct given *given,
       struct err *err)
{
	const struct options *options = reading->options;

	if (is_only_typed(options, given->name) ||
	    (given->name == OPTION_DEBUG && !strcmp(given->text, "h")) ||
	    (given->name == OPTION_SET && !strcmp(given->text, "help")))
		return err_set(err, -EINVAL, "%s is only for the command line",
			       given->spelled);
	if (!options->command &&
	    (given->name == OPTION_USER || given->name == OPTION_ENV ||
	     given->name == OPTION_GRANDCHILD))
		return 0;
	return !reading->typed[given->name] &&
	       !contradicts(reading, given->name) &&
	       !place_is_taken(reading, given);
}

/* Puts the place of the mistake before the message. If the message has no caret
 * yet, the line and a caret are added. */
static int
complain(const struct defaults_place *place, const char *line, size_t column,
	 struct err *why, struct err *err)
{
	char *rest = why->text, *first = strsep(&rest, "\n"), *more;
	int r;

	if (place->line)
		r = err_set(err, -EINVAL, "%s:%u: %s", place->name, place->line,
			    first);
	else
		r = err_set(err, -EINVAL, "%s: %s", place->name, first);
	if (!rest)
		err_point(err, line, column);
	while ((more = strsep(&rest, "\n")))
		err_add_line(err, "%s", more);
	return r;
}

/* Reads one line. Its words live as long as the options, which point to
 * them. */
static int
read_line(struct reading *reading, const struct defaults_place *place,
	  const char *line, struct err *err)
{
	struct words *words = &reading->options->defaults;
	const size_t before = words->list.count;
	cleanup(freep) char **argv = NULL;
	size_t column = 0, count;
	struct err why = { "" };
	int at = 0;
	int r = words_split(line, words, &column, &why);

	if (r < 0)
		return complain(place, line, column, &why, err);
	count = words->list.count - before;
	argv = xcalloc(count + 2, sizeof(*argv));
	argv[0] = words->list.count ? words->list.at[0].text : NULL;
	for (size_t i = 0; i < count; i++)
		argv[i + 1] = words->list.at[before + i].text;
	r = option_walk(reading, (int)count + 1, argv, choose, &at, &why);
	if (r == 0 && at <= (int)count)
		r = err_set(&why, -EINVAL,
			    "'%s' is no option; a command is given on the "
			    "command line",
			    argv[at]);
	if (r == 0)
		return 0;
	column = words->list.at[before + (size_t)at - 1].column;
	return complain(place, line, column, &why, err);
}

/* Reads the defaults in the text line by line, and changes the text. */
static int
read_lines(struct reading *reading, struct defaults_place *place, char *text,
	   struct err *err)
{
	char *line;
	int r = 0;

	while (r == 0 && (line = strsep(&text, "\n"))) {
		r = read_line(reading, place, line, err);
		place->line += place->line > 0;
	}
	return r;
}

/* ---- the file --------------------------------------------------------------
 */

char *
option_user_folder(void)
{
	const char *config = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	/* A relative path must be ignored (XDG Base Directory, "Basics"). */
	if (config && config[0] == '/')
		return xasprintf("%s/xtrace", config);
	if (home && *home)
		return xasprintf("%s/.config/xtrace", home);
	return NULL;
}

/* May the file be read that is open as fd? */
static int
check_file(int fd, const char *path, struct err *err)
{
	struct stat status;
	int r;

	if (fstat(fd, &status) < 0)
		return err_set(err, -errno, "%s", strerror(errno));
	if (!S_ISREG(status.st_mode))
		return err_set(err, -EPERM, "not a regular file");
	r = trust_path(TRUST_OWN, path, err);
	if (r == 0)
		r = trust_owner(TRUST_OWN, status.st_uid, "it", err);
	if (r == 0 && status.st_mode & (S_IWGRP | S_IWOTH))
		r = err_set(err, -EPERM, "not read: other users may write it");
	return r;
}

/* Reads the file. Returns -ENOENT without a sentence if it does not exist. */
static int
read_file(const char *path, char **ret_text, struct err *err)
{
	cleanup(fd_closep) int fd =
		open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	size_t length;
	int r;

	/* A file that we cannot look for counts as missing: after su(1), HOME
	 * may be another user's folder that we cannot search. */
	if (fd < 0 && access(path, F_OK) < 0)
		return -ENOENT;
	if (fd < 0)
		return err_set(err, -EPERM, "not read: %s", strerror(errno));
	r = check_file(fd, path, err);
	if (r < 0)
		return r;
	r = fd_read(fd, FILE_MOST, ret_text, &length);
	if (r < 0)
		return err_set(err, r, "not read: %s", strerror(-r));
	if (strlen(*ret_text) == length)
		return 0;
	free(take(*ret_text));
	return err_set(err, -EPERM, "not read: it is not a text");
}

/* Reads the file of a service instead of the user's file. It must exist. */
static int
read_service_file(struct reading *reading, struct err *err)
{
	const char *path = reading->options->service_file;
	struct defaults_place place = { .name = path, .line = 1 };
	cleanup(freep) char *text = NULL;
	struct err why = { "there is no such file" };
	int r = read_file(path, &text, &why);

	if (r < 0)
		return err_set(err, r, "%s: %s", path, why.text);
	return read_lines(reading, &place, text, err);
}

int
option_defaults_read(struct reading *reading, struct err *err)
{
	/* A program with more rights than its user obeys no variable. */
	const char *variable = secure_getenv(VARIABLE);
	cleanup(freep) char *folder = option_user_folder();
	cleanup(freep) char *path = NULL;
	cleanup(freep) char *text = NULL;
	struct defaults_place place = { .name = VARIABLE };
	struct err why;
	int r;

	if (reading->options->service_file)
		return read_service_file(reading, err);
	if (variable) {
		text = xstrdup(variable);
		return read_lines(reading, &place, text, err);
	}
	if (!folder)
		return 0;
	path = xasprintf("%s/options", folder);
	r = read_file(path, &text, &why);
	if (r < 0 && r != -ENOENT)
		reading->options->unread = xasprintf("%s: %s", path, why.text);
	if (r < 0)
		return 0;
	place = (struct defaults_place){ .name = path, .line = 1 };
	return read_lines(reading, &place, text, err);
}
