/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places of prototype files on this machine and for this user. */
#ifndef TRACER_PLAN_PROTOTYPE_PLACES_H
#define TRACER_PLAN_PROTOTYPE_PLACES_H

#include "base/attr.h"
#include "base/err.h"
#include "base/vec.h"

#include <stdbool.h>

/*
 * The functions return texts that the caller frees; NULL if the place does not
 * exist.
 *
 * The user's folder: $XDG_CONFIG_HOME/xtrace, or ~/.config/xtrace. Returns
 * -EPERM and a message if it belongs to another user and we are root: see
 * conf/find/trust.h.
 */
must_check int prototype_places_user(char **ret_path, struct err *err);
/*
 * The files that were installed with xtrace: PREFIX/share/xtrace for
 * PREFIX/bin/xtrace, even if PREFIX was moved, or etc/ of the source tree for
 * an xtrace that was built there and not installed.
 */
char *prototype_places_installed(void);
/* The sets that were installed with xtrace: sets/ in the folder that
 * prototype_places_installed() returns, recognized by the set for SQL. */
char *prototype_places_sets(void);

struct paths {
	vec_of(char *) list;
};

/*
 * Appends the files and folders in which ltrace 0.8 finds prototypes, as far as
 * they exist, in its order: $XDG_CONFIG_HOME/ltrace or ~/.config/ltrace,
 * ~/.ltrace, ltrace in each of $XDG_CONFIG_DIRS, /usr/share/ltrace; and if
 * with_files, ~/.ltrace.conf and /etc/ltrace.conf, which -F replaces (0.7.3).
 * If we are root, a file or folder that belongs to another user is left out,
 * and the reason is put into err.
 */
must_check int prototype_places_ltrace(struct paths *to, bool with_files,
				       struct err *err);

#endif
