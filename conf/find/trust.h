/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trust says which users' prototype files are read, and which text of them is
 * shown.
 *
 * Root does not read a file of another user unless root has named it.
 * Otherwise, with HOME kept (sudo -E), the other user would choose what root
 * opens. A user other than root may read what the kernel permits. A message
 * shows text of a file only to the owner of the file.
 */
#ifndef CONF_FIND_TRUST_H
#define CONF_FIND_TRUST_H

#include "base/attr.h"
#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/* Why xtrace reads a file. */
enum trust {
	TRUST_NAMED, /* the user has named the file: any owner is allowed */
	/*
	 * the file is in a place that xtrace searches: the user's folder, /etc
	 */
	TRUST_FOUND,
	TRUST_INSTALLED, /* beside the program */
	/* its text may start a command: only files of the user of xtrace and
	 * of root are allowed, even if the user is not root */
	TRUST_OWN,
	TRUSTS
};

/* The folder that was last found to be trusted, for each trust; see
 * trust_file(). */
struct trusted {
	char *folder[TRUSTS]; /* with its last slash, or NULL */
};

void trusted_release(struct trusted *trusted);

/*
 * Returns 0 if a file of owner may be read, else -EPERM with a sentence about
 * name, which may be "it".
 */
must_check int trust_owner(enum trust trust, uid_t owner, const char *name,
			   struct err *err);

/*
 * Returns 0 if the file at path may be opened. Returns -EPERM with a sentence
 * if the path, one of its folders or a link on it belongs to an owner whose
 * files are not read, because that owner decides which file is at path. A part
 * that does not exist has no owner. err may be NULL.
 */
must_check int trust_path(enum trust trust, const char *path, struct err *err);

/* Like trust_path(), but does not check the folder of the file again if it is
 * the folder that was last found to be trusted. */
must_check int trust_file(struct trusted *trusted, enum trust trust,
			  const char *path, struct err *err);

/* True if text of the file at path, which belongs to owner, may be shown. */
bool trust_shows(struct trusted *trusted, const char *path, uid_t owner);

#endif
