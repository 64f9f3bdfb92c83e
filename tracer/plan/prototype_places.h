/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places of prototype files on this machine and for this user. */
#ifndef TRACER_PLAN_PROTOTYPE_PLACES_H
#define TRACER_PLAN_PROTOTYPE_PLACES_H

#include "base/attr.h"
#include "base/err.h"

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
/* The sets that were installed with xtrace: sets/ in the same folder,
 * recognized by the set for SQL. */
char *prototype_places_sets(void);

#endif
