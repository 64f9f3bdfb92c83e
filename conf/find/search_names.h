/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names under which a library may be known, from its own to the most
 * general: libfoo.so.1.2, libfoo.so.1, libfoo.so.
 */
#ifndef CONF_FIND_SEARCH_NAMES_H
#define CONF_FIND_SEARCH_NAMES_H

struct search_names {
	char *name;  /* the next one; NULL: no more */
	char *given; /* the last one given */
};

void search_names_init(struct search_names *names, const char *soname);
void search_names_release(struct search_names *names);
/* The next name, valid until asked again; NULL behind the last. */
const char *search_names_next(struct search_names *names);

#endif
