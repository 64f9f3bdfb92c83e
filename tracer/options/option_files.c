/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two outputs in one file would overwrite each other, so this is checked before
 * any file is opened. Existing files are compared by device and inode, because
 * one file may have several names. Files that do not exist yet are compared by
 * the real path of their directory and their last name, with links followed.
 * Character devices (/dev/null, a terminal) and commands may have several
 * writers.
 */
#include "tracer/options/option_check.h"

#include "base/str.h"
#include "output/group.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct output_place {
	char *option;
	const char *name; /* NULL: stderr */
	bool exists;
	dev_t device;
	ino_t inode;
	/* the path of a file that does not exist; NULL if its folder does not
	 * exist either */
	char *path;
};

/* stderr, -o, and one for each format. */
#define PLACES_MOST (FORMATS + 2)

/* A chain of more links than this is an error (path_resolution(7)). */
#define MOST_LINKS 40

/* The part before the last slash: the folder of the file. */
static char *
folder_of(const char *name)
{
	const char *slash = strrchr(name, '/');

	if (!slash)
		return xstrdup(".");
	return slash == name ? xstrdup("/")
			     : xstrndup(name, (size_t)(slash - name));
}

/* The target of a link, relative to the current directory; NULL if name is not
 * a link. */
static char *
link_target(const char *name)
{
	cleanup(freep) char *folder = folder_of(name);
	char target[PATH_MAX];
	ssize_t n = readlink(name, target, sizeof(target) - 1);

	if (n < 0)
		return NULL;
	target[n] = '\0';
	return target[0] == '/' ? xstrdup(target)
				: xasprintf("%s/%s", folder, target);
}

/* /real/path/of/folder/name of the file that open() will create. */
static char *
path_to_be(const char *name)
{
	cleanup(freep) char *path = xstrdup(name);
	cleanup(freep) char *folder = NULL;
	cleanup(freep) char *real = NULL;
	const char *slash;

	for (int i = 0; i < MOST_LINKS; i++) {
		char *target = link_target(path);

		if (!target)
			break;
		free(path);
		path = target;
	}
	slash = strrchr(path, '/');
	folder = folder_of(path);
	real = realpath(folder, NULL);
	return real ? xasprintf("%s/%s", real, slash ? slash + 1 : path) : NULL;
}

static void
place_release(struct output_place *place)
{
	free(place->option);
	free(place->path);
	*place = (struct output_place){ 0 };
}

/* Finds the file that an output is written to. False if several outputs may be
 * written there: to a command, a terminal, a pipe. Takes over option. */
static bool
place_find(struct output_place *place, char *option, const char *name)
{
	struct stat status;
	int r = name ? stat(name, &status) : fstat(STDERR_FILENO, &status);

	*place = (struct output_place){ .option = option, .name = name };
	if (name && name[0] == '|')
		return false;
	if (r < 0) {
		place->path = name ? path_to_be(name) : NULL;
		return place->path != NULL;
	}
	place->exists = true;
	place->device = status.st_dev;
	place->inode = status.st_ino;
	return name ? !S_ISCHR(status.st_mode) : S_ISREG(status.st_mode);
}

/* Like place_find(). If it returns false, there is nothing to release. */
static bool
place_init(struct output_place *place, char *option, const char *name)
{
	bool found = place_find(place, option, name);

	if (!found)
		place_release(place);
	return found;
}

static bool
same_place(const struct output_place *a, const struct output_place *b)
{
	if (a->exists != b->exists)
		return false;
	if (a->exists)
		return a->device == b->device && a->inode == b->inode;
	return !strcmp(a->path, b->path);
}

static int
clash(const struct output_place *a, const struct output_place *b,
      struct err *err)
{
	if (!a->name)
		return err_set(err, -EINVAL,
			       "%s names the file '%s', to which standard "
			       "error is redirected",
			       b->option, b->name);
	return err_set(err, -EINVAL, "%s and %s name the same file, '%s'",
		       a->option, b->option, b->name);
}

/* All files that are written, stderr first. */
static size_t
places_find(struct output_place *places, const struct options *options)
{
	size_t count = 0;

	count += place_init(&places[count], xstrdup("stderr"), NULL);
	if (options->output && !options->split)
		count += place_init(&places[count], xstrdup("-o"),
				    options->output);
	for (int i = 0; i < FORMATS; i++) {
		if (options->formats[i].file && !options->formats[i].network)
			count += place_init(&places[count],
					    format_spelling((enum format_name)i,
							    false),
					    options->formats[i].file);
	}
	return count;
}

int
option_check_files(const struct options *options, struct err *err)
{
	struct output_place places[PLACES_MOST];
	size_t count = places_find(places, options);
	int r = 0;

	for (size_t i = 0; i < count && r == 0; i++) {
		for (size_t j = i + 1; j < count && r == 0; j++) {
			if (same_place(&places[i], &places[j]))
				r = clash(&places[i], &places[j], err);
		}
	}
	for (size_t i = 0; i < count; i++)
		place_release(&places[i]);
	return r;
}

static bool
writes_a_file(const struct options *options)
{
	bool any = options->output != NULL;

	for (int i = 0; i < FORMATS; i++) {
		const struct destination *to = &options->formats[i];

		if (to->wanted && !to->file && !options->output)
			return false;
		any |= to->file != NULL;
	}
	return any;
}

int
option_check_service(const struct options *options, struct err *err)
{
	if (!options->service)
		return 0;
	if (options->action != ACTION_TRACE || options->command)
		return err_set(err, -EINVAL,
			       "--service traces running processes, and no "
			       "command");
	if (options->formats[FORMAT_LIVE].wanted)
		return err_set(err, -EINVAL,
			       "--service has no terminal, which --live needs");
	if (options->split)
		return err_set(err, -EINVAL,
			       "--service and -ff cannot be used together");
	if (!writes_a_file(options))
		return err_set(err, -EINVAL,
			       "--service writes no trace to stderr: give -o "
			       "FILE, or a format with a file");
	return 0;
}

/* Options that trace what --budget cannot leave out, that have a limit of their
 * own, or whose results would be wrong if calls or queries were left out. */
static const struct {
	enum option_name name;
	const char *why;
} not_with_budget[] = {
	{ OPTION_SYSCALLS, "--budget cannot leave out system calls" },
	{ OPTION_SCRIPT_CALLS,
	  "--budget cannot leave out functions of scripts" },
	{ OPTION_INJECT,
	  "--budget would leave out calls that --inject changes" },
	{ OPTION_ALLOC, "--alloc has a budget of its own" },
	{ OPTION_SAMPLE, "--sample stops threads at a rate of its own" },
	{ OPTION_REQUESTS, "--requests needs all queries of a request" },
	{ OPTION_REQUEST_FRAME,
	  "--request-frame needs all queries of a request" },
	{ OPTION_TRANSACTIONS,
	  "--transactions needs all queries of a transaction" },
};

int
option_check_budget(const struct options *options, const unsigned *times,
		    struct err *err)
{
	if (options->budget <= 0)
		return 0;
	for (size_t i = 0; i < array_size(not_with_budget); i++)
		if (times[not_with_budget[i].name])
			return err_set(
				err, -EINVAL,
				"--budget and --%s cannot be used together: %s",
				option_rows[not_with_budget[i].name].word,
				not_with_budget[i].why);
	if (group_has(options->look.group_by, "request") ||
	    group_has(options->look.group_by, "transaction"))
		return err_set(err, -EINVAL,
			       "--budget and --group-by %s cannot be used "
			       "together: some queries may be left out",
			       options->look.group_by);
	return 0;
}
