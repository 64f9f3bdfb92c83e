/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that were installed with xtrace are found by the path of the
 * program, so that a tree can be installed under DESTDIR, moved, or used as it
 * was built. A source tree is recognized by its table of options.
 */
#include "tracer/plan/prototype_places.h"

#include "base/str.h"
#include "base/xmalloc.h"
#include "conf/find/trust.h"
#include "tracer/options/option_defaults.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* how deep a program may be below the source tree: build/xtrace,
 * build/asan/tests/unit-tracer */
#define BUILD_DEPTH 4

int
prototype_places_user(char **ret_path, struct err *err)
{
	cleanup(freep) char *path = option_user_folder();
	struct err why;
	int r = 0;

	*ret_path = NULL;
	if (path)
		r = trust_path(TRUST_FOUND, path, &why);
	/* After su(1), HOME may be another user's directory that we cannot
	 * read. A folder that does not exist needs no message. */
	if (!path || access(path, R_OK | X_OK) < 0)
		return 0;
	if (r < 0)
		return err_set(err, r, "%s: %s", path, why.text);
	*ret_path = take(path);
	return 0;
}

/* ---- ltrace's -------------------------------------------------------------
 */

struct finding {
	struct paths *to;
	struct err *err;
	int r;
};

/* A path in the user's own folder may lead to another user's files. */
static void
find_place(struct finding *finding, char *path)
{
	cleanup(freep) char *place = path;
	int r;

	if (access(place, R_OK) < 0)
		return;
	r = trust_path(TRUST_FOUND, place, NULL);
	if (r == 0)
		vec_push(&finding->to->list, take(place));
	else if (finding->r == 0)
		finding->r = err_set(finding->err, r,
				     "%s: it belongs to another user", place);
}

/* The paths are directories between colons. A relative path is invalid and is
 * ignored (XDG Base Directory Specification, "Environment variables"). */
static void
find_in_each(struct finding *finding, const char *paths)
{
	while (*paths) {
		size_t length = strcspn(paths, ":");

		if (paths[0] == '/')
			find_place(finding, xasprintf("%.*s/ltrace",
						      (int)length, paths));
		paths += length;
		paths += *paths == ':';
	}
}

int
prototype_places_ltrace(struct paths *to, bool with_files, struct err *err)
{
	struct finding finding = { .to = to, .err = err };
	const char *config = getenv("XDG_CONFIG_HOME");
	const char *dirs = getenv("XDG_CONFIG_DIRS"), *home = getenv("HOME");

	if (home && home[0] != '/')
		home = NULL;
	if (config && config[0] == '/')
		find_place(&finding, xasprintf("%s/ltrace", config));
	else if (home)
		find_place(&finding, xasprintf("%s/.config/ltrace", home));
	if (home)
		find_place(&finding, xasprintf("%s/.ltrace", home));
	find_in_each(&finding, dirs && *dirs ? dirs : "/etc/xdg");
	find_place(&finding, xstrdup("/usr/share/ltrace"));
	if (with_files && home)
		find_place(&finding, xasprintf("%s/.ltrace.conf", home));
	if (with_files)
		find_place(&finding, xstrdup("/etc/ltrace.conf"));
	return finding.r;
}

/* Removes the last part of the path, in place; returns false at the root. */
static bool
go_up(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return true;
}

/* FOLDER/within, if FOLDER/mark exists. */
static char *
beside(const char *folder, const char *mark, const char *within)
{
	cleanup(freep) char *there = xasprintf("%s/%s", folder, mark);

	if (access(there, R_OK) < 0)
		return NULL;
	return xasprintf("%s/%s", folder, within);
}

static char *
find_installed(const char *mark, const char *in_tree, const char *in_prefix)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *found = NULL;

	if (length <= 0)
		return NULL;
	path[length] = '\0';
	if (!go_up(path) || !go_up(path))
		return NULL;
	found = beside(path, in_prefix, in_prefix);
	for (int depth = 1; !found && depth < BUILD_DEPTH; depth++) {
		found = beside(path, mark, in_tree);
		if (!go_up(path))
			break;
	}
	return found;
}

char *
prototype_places_installed(void)
{
	return find_installed("tracer/options/options.def", "etc",
			      "share/xtrace");
}

char *
prototype_places_sets(void)
{
	return find_installed("etc/sets/sql.conf", "etc/sets",
			      "share/xtrace/sets");
}
