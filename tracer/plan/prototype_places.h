/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where on this machine, and for this user, prototype files are. */
#ifndef TRACER_PLAN_PROTOTYPE_PLACES_H
#define TRACER_PLAN_PROTOTYPE_PLACES_H

#include "base/attr.h"
#include "base/err.h"

/*
 * Texts to be freed; NULL: there is no such place.
 *
 * The user's: $XDG_CONFIG_HOME/xtrace, or ~/.config/xtrace. -EPERM with a
 * sentence if that is another user's and we are root: see conf/find/trust.h.
 */
must_check int prototype_places_user(char **ret_path, struct err *err);
/*
 * Those that came with the program: PREFIX/share/xtrace for PREFIX/bin/xtrace,
 * wherever PREFIX has gone, and etc/ of the source tree for one that was built
 * there and not installed.
 */
char *prototype_places_installed(void);
/* The sets that came with it: sets/ of the same, known by the one for SQL. */
char *prototype_places_sets(void);

#endif
