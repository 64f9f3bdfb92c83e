/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where on this machine, and for this user, prototype files are. */
#ifndef TRACER_PROTOTYPE_PLACES_H
#define TRACER_PROTOTYPE_PLACES_H

/*
 * Texts to be freed; NULL: there is no such place.
 *
 * The user's: $XDG_CONFIG_HOME/xtrace, or ~/.config/xtrace.
 */
char *prototype_places_user(void);
/*
 * Those that came with the program: PREFIX/share/xtrace for PREFIX/bin/xtrace,
 * wherever PREFIX has gone, and etc/ of the source tree for one that was built
 * there and not installed.
 */
char *prototype_places_installed(void);
/* The sets that came with it: sets/ of the same, known by the one for SQL. */
char *prototype_places_sets(void);

#endif
