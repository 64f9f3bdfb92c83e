/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trust says whose prototype files are read, and whose words are shown.
 *
 * Root does not read a file of another user that root has not named: with
 * HOME kept (sudo -E) that user would choose what root opens. Another user may
 * read what the kernel lets that user read. In a message, words of a file are
 * shown only to the user whose file it is.
 */
#ifndef CONF_FIND_TRUST_H
#define CONF_FIND_TRUST_H

#include "base/attr.h"
#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/* How xtrace came to a file. */
enum trust {
	TRUST_NAMED,	/* the user named it, so its owner may be anybody */
	TRUST_FOUND,	/* in a place where xtrace looks: the user's, /etc */
	TRUST_INSTALLED /* beside the program */
};

/*
 * May what belongs to owner be read? If not, -EPERM with a sentence about
 * name, which may be "it".
 */
must_check int trust_owner(enum trust trust, uid_t owner, const char *name,
			   struct err *err);

/*
 * May what is at path be opened? -EPERM with a sentence if the path, one of
 * its folders or a link on it belongs to an owner whose files are not read:
 * that owner decides what is at path. What does not exist belongs to nobody.
 * err may be NULL.
 */
must_check int trust_path(enum trust trust, const char *path, struct err *err);

/* May words of the file at path, which belongs to owner, be shown? */
bool trust_shows(const char *path, uid_t owner);

#endif
