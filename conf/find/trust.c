/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The caller reads the owner of a file from its descriptor. The owner alone is
 * not enough: the owner of a folder or a link on the path chooses which file
 * the path means, and may choose one of root's files. Therefore each part of
 * the path is checked, and for a link both the link and its target:
 *
 *	/home/u/.config/xtrace
 *	/	root		continue
 *	/home	root		continue
 *	/home/u	user 1000	root reads nothing below
 *
 * It does not matter whether the file is opened before or after the path is
 * checked. The first part that a stranger owns is in a folder that the stranger
 * cannot change, so it still exists when it is checked. For the same reason a
 * stranger cannot change a path whose parts were all trusted, so the folder of
 * many files is checked once.
 *
 * The owner of "/" controls the machine. This is root, or in a user namespace
 * the overflow user "nobody", to which even root's files belong there. A user
 * who can replace the xtrace program can run code as its user anyway. Therefore
 * files beside the program may belong to each owner of a part of the program's
 * path: root may run a tree that a developer has built.
 */
#include "conf/find/trust.h"

#include "base/xmalloc.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path up to the end of its next part; the caller frees it. NULL: no
 * more. */
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

/* True if owner could replace the running program. */
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

/* Root is trusted first, because most files belong to root. */
static bool
is_trusted(enum trust trust, uid_t owner)
{
	if (owner == 0 || trust == TRUST_NAMED)
		return true;
	if (trust == TRUST_OWN)
		return owner == geteuid() || owns("/", owner);
	return geteuid() != 0 || owner == getuid() || owns("/", owner) ||
	       (trust == TRUST_INSTALLED && owns_program(owner));
}

int
trust_owner(enum trust trust, uid_t owner, const char *name, struct err *err)
{
	if (is_trusted(trust, owner))
		return 0;
	if (trust == TRUST_OWN)
		return err_set(err, -EPERM, "not read: %s belongs to user %u",
			       name, owner);
	return err_set(err, -EPERM,
		       "not read: %s belongs to user %u, and xtrace runs as "
		       "root",
		       name, owner);
}

/* Checks one part of a path, and its target if it is a link. */
static int
check_part(enum trust trust, const char *part, const char *name,
	   struct err *err)
{
	struct stat status;
	int r;

	if (lstat(part, &status) < 0)
		return 0;
	r = trust_owner(trust, status.st_uid, name, err);
	if (r == 0 && S_ISLNK(status.st_mode) && stat(part, &status) == 0)
		r = trust_owner(trust, status.st_uid, name, err);
	return r;
}

/* Any owner is allowed: avoid reading file systems that may be slow. */
static bool
trusts_all(enum trust trust)
{
	return trust == TRUST_NAMED || (trust != TRUST_OWN && geteuid() != 0);
}

int
trust_path(enum trust trust, const char *path, struct err *err)
{
	const char *start = path[0] == '/' ? "/" : ".";
	size_t at = 0;
	char *part;
	int r;

	if (trusts_all(trust))
		return 0;
	r = check_part(trust, start, start, err);
	while (r == 0 && (part = next_part(path, &at))) {
		r = check_part(trust, part, path[at] ? part : "it", err);
		free(part);
	}
	return r;
}

void
trusted_release(struct trusted *trusted)
{
	for (size_t i = 0; i < TRUSTS; i++) {
		free(trusted->folder[i]);
		trusted->folder[i] = NULL;
	}
}

int
trust_file(struct trusted *trusted, enum trust trust, const char *path,
	   struct err *err)
{
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) + 1 : 0;
	char **folder = &trusted->folder[trust];
	int r;

	if (trusts_all(trust))
		return 0;
	if (*folder && strlen(*folder) == length &&
	    !strncmp(path, *folder, length))
		return check_part(trust, path, "it", err);
	r = trust_path(trust, path, err);
	if (r == 0 && length > 0 && slash[1]) {
		free(*folder);
		*folder = xstrndup(path, length);
	}
	return r;
}

bool
trust_shows(struct trusted *trusted, const char *path, uid_t owner)
{
	return owner == getuid() &&
	       trust_file(trusted, TRUST_FOUND, path, NULL) == 0;
}
