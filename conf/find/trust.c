/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The owner of a file is asked of its descriptor, by the caller. That alone is
 * not enough: the owner of a folder, or of a link, on the way to the file
 * chooses which of root's files it is. So each part of the path is looked at,
 * the link as well as what the link leads to:
 *
 *	/home/u/.config/xtrace
 *	/	root		read on
 *	/home	root		read on
 *	/home/u	user 1000	root reads nothing below
 *
 * The order of opening and of looking at the path does not matter: the first
 * part of a stranger is in a folder that the stranger cannot change, so it is
 * still there when we look.
 *
 * Who owns "/" owns the machine: it is root, or the user that a user namespace
 * does not know, in which even root's files belong to "nobody". And who can
 * replace the program need not wait for it to read a file, so files beside it
 * may belong to each owner of a part of the program's path: a tree that a
 * developer has built is run by root, too.
 */
#include "conf/find/trust.h"

#include "base/xmalloc.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path up to the end of its next part, to be freed; NULL: no more. */
static char *
next_part(const char *path, size_t *at)
{
	size_t from = *at + strspn(path + *at, "/");
	size_t length = strcspn(path + from, "/");

	if (length == 0)
		return NULL;
	*at = from + length;
	return xstrndup(path, *at);
}

static bool
owns(const char *path, uid_t owner)
{
	struct stat status;

	return lstat(path, &status) == 0 && status.st_uid == owner;
}

/* Could owner replace the program that runs? */
static bool
owns_program(uid_t owner)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	bool found = false;
	size_t at = 0;
	char *part;

	if (length <= 0)
		return false;
	path[length] = '\0';
	while (!found && (part = next_part(path, &at))) {
		found = owns(part, owner);
		free(part);
	}
	return found;
}

static bool
is_trusted(enum trust trust, uid_t owner)
{
	return trust == TRUST_NAMED || geteuid() != 0 || owner == 0 ||
	       owner == getuid() || owns("/", owner) ||
	       (trust == TRUST_INSTALLED && owns_program(owner));
}

int
trust_owner(enum trust trust, uid_t owner, const char *name, struct err *err)
{
	if (is_trusted(trust, owner))
		return 0;
	return err_set(err, -EPERM,
		       "not read: %s belongs to user %u, and xtrace runs as "
		       "root",
		       name, owner);
}

/* One part of a path, and what it leads to if it is a link. */
static int
check_part(enum trust trust, const char *part, const char *name,
	   struct err *err)
{
	struct stat status;
	int r = 0;

	if (lstat(part, &status) == 0)
		r = trust_owner(trust, status.st_uid, name, err);
	if (r == 0 && stat(part, &status) == 0)
		r = trust_owner(trust, status.st_uid, name, err);
	return r;
}

int
trust_path(enum trust trust, const char *path, struct err *err)
{
	const char *start = path[0] == '/' ? "/" : ".";
	size_t at = 0;
	char *part;
	int r;

	/* Nothing to find out: do not touch what may be slow. */
	if (trust == TRUST_NAMED || geteuid() != 0)
		return 0;
	r = check_part(trust, start, start, err);
	while (r == 0 && (part = next_part(path, &at))) {
		r = check_part(trust, part, path[at] ? part : "it", err);
		free(part);
	}
	return r;
}

bool
trust_shows(const char *path, uid_t owner)
{
	return owner == getuid() && trust_path(TRUST_FOUND, path, NULL) == 0;
}
