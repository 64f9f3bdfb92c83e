/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -S: which system calls are traced. */
#ifndef TRACER_OPTIONS_OPTION_SYSTEM_CALLS_H
#define TRACER_OPTIONS_OPTION_SYSTEM_CALLS_H

#include "tracer/options/option_values.h"
#include "tracer/options/options.h"

/*
 * -S was read, and *text is what follows in the same word, or NULL. In ltrace
 * the option has no argument. Therefore what follows may be other options
 * (-SL): they are left for the next look. The next word is the argument if it
 * has a character of filters (* + , %) and names system calls.
 */
void system_calls_find_filter(char **argv, int *next, char **text);

/* Reads a filter of system calls and their classes. Returns -EINVAL and a
 * message, also for a name that no system call has. */
must_check int system_calls_read(const struct given *given,
				 struct filter **ret_filter, struct err *err);

/* Stores the filter of -S. Returns -EINVAL and a message, also for a name that
 * no system call has. */
must_check int system_calls_take(struct options *options,
				 const struct given *given, struct err *err);

#endif
