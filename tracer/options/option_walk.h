/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The walk over a list of options: the command line's, or a line of a file. */
#ifndef TRACER_OPTIONS_OPTION_WALK_H
#define TRACER_OPTIONS_OPTION_WALK_H

#include "tracer/options/option_take.h"

/* Decides about an option before it is stored: returns 1 to store it, 0 to
 * leave it out, or -EINVAL with a message. */
typedef int option_choice(const struct reading *reading,
			  const struct given *given, struct err *err);

/*
 * Stores the options of argv, from argv[1] on, up to the first word that is no
 * option, or to an option that only asks about xtrace (--help). Returns
 * -EINVAL and a message if one of them is wrong. *ret_at is the index of the
 * word that ended the walk, or of the word that is wrong. choose may be NULL.
 */
must_check int option_walk(struct reading *reading, int argc, char **argv,
			   option_choice *choose, int *ret_at, struct err *err);

/* Do the options only ask about xtrace, by --help, --version or -Dh? */
bool option_asks_about_us(const struct options *options);

#endif
