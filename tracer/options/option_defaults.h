/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defaults: options that the user wants in every trace. They are the words of
 * the variable XTRACE_OPTIONS or, if it is not set, of the file options in the
 * user's folder, as base/words reads them. A line holds whole options: an
 * argument is in the line of its option.
 */
#ifndef TRACER_OPTIONS_OPTION_DEFAULTS_H
#define TRACER_OPTIONS_OPTION_DEFAULTS_H

#include "tracer/options/option_take.h"

/*
 * Reads the defaults after the command line, for which reading->typed counts
 * the options. A default is left out if the command line has the same option,
 * or an option that excludes it. Returns -EINVAL and a message
 * with the place of the mistake. A file that may not be read is left out, and
 * options->unread says why.
 */
must_check int option_defaults_read(struct reading *reading, struct err *err);

/* The user's folder: $XDG_CONFIG_HOME/xtrace, or ~/.config/xtrace. NULL if
 * there is none. The caller frees the path. */
char *option_user_folder(void);

#endif
