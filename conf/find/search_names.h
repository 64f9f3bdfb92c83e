/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of a library's prototype files, from the most specific to the most
 * general: libfoo.so.1.2, libfoo.so.1, libfoo.so.
 */
#ifndef CONF_FIND_SEARCH_NAMES_H
#define CONF_FIND_SEARCH_NAMES_H

/* If a soname begins with this folder, the rest is not a library but a provider
 * of SDT probes, whose file is in the folder. */
#define SEARCH_PROBES "probes/"
/* The name for the file of system calls, syscalls.conf as in ltrace. */
#define SEARCH_SYSTEM_CALLS "syscalls"

struct search_names {
	char *name;  /* the next name; NULL: no more */
	char *given; /* the last name returned */
};

void search_names_init(struct search_names *names, const char *soname);
void search_names_release(struct search_names *names);
/* The next name, valid until the next call; NULL after the last. */
const char *search_names_next(struct search_names *names);

#endif
