/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A learner makes prototypes from the debug information of an image: DWARF 4
 * and 5 in the file itself, in its separate debug file (symbols/debugfile), in
 * .dwo files and in the supplementary file of dwz. It finds a function by its
 * address, so the names of symbols do not matter.
 *
 * Only what is certain becomes a prototype. A function of a language whose
 * calling convention differs from C's (Go, Fortran), a function whose
 * parameters the compiler has changed (.isra), and a type that the model does
 * not have (a vector) give none.
 */
#ifndef VALUES_LEARN_LEARN_H
#define VALUES_LEARN_LEARN_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/err.h"

#include <stdbool.h>

struct image;
struct learner;
struct proto;
struct type;

/* How a learner understands types, and what it looks up. */
struct learn_look {
	/*
	 * True: types are understood as ltrace 0.8 does. Every pointer is
	 * followed, a pointer to characters shows one character, and separate
	 * debug files are not searched. False: a pointer to characters is a
	 * string, and a pointer in a struct is followed only if it is a string.
	 */
	bool as_ltrace;
	/* True: find the file and the line of a declaration, too, which makes
	 * libdw read the table of lines. */
	bool places;
	/* The user's own type of this name, which replaces the type of the
	 * debug information; NULL if there is none. named may be NULL. */
	const struct type *(*named)(void *user, const char *name);
	void *user;
};

/* Makes a learner, which opens no file yet. It takes a reference to the
 * image. */
struct learner *learner_new(struct image *image, const struct learn_look *look);
void learner_free(struct learner *learner);

/*
 * The prototype of the function whose first instruction is at this address of
 * the file; the learner owns it. name is the symbol's. NULL if there is no
 * debug information about it, or if it cannot be used. Reads files at the
 * first call.
 */
const struct proto *learner_proto(struct learner *learner, addr_t address,
				  const char *name);

/*
 * Does the debug information contain this name, of whatever it is? A quick
 * search, which may also say yes if this is only the end of another name, or if
 * the search cannot decide. Reads files at the first call.
 */
bool learner_mentions(struct learner *learner, const char *name);

/* True if a further learner_proto() would find nothing and read nothing: there
 * is no debug information, or it cannot be used. */
bool learner_knows_nothing(const struct learner *learner);

/* True if no file with debug information was found. */
bool learner_lacks_file(const struct learner *learner);
/* Uses the debug information of this file, if the learner lacks one. */
void learner_open_file(struct learner *learner, const char *path);

/*
 * A sentence that says why the debug information cannot be used (it is damaged,
 * or there is not enough memory). NULL if it can be used. Only the first call
 * gives the sentence; all further calls give NULL.
 */
const char *learner_complaint(struct learner *learner);

#endif
