/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A vector: a growing array of any type.
 *
 *	vec_of(struct site *) sites = { 0 };
 *	vec_push(&sites, site);
 *	for (size_t i = 0; i < sites.count; i++)
 *		use(sites.at[i]);
 *	vec_release(&sites);
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/xmalloc.h"

#include <stdlib.h>
#include <string.h>

#define vec_of(type)          \
	struct {              \
		type *at;     \
		size_t count; \
		size_t room;  \
	}

#define vec_push(vec, item)                                               \
	do {                                                              \
		if ((vec)->count == (vec)->room) {                        \
			(vec)->room = (vec)->room ? (vec)->room * 2 : 8;  \
			(vec)->at = xreallocarray((vec)->at, (vec)->room, \
						  sizeof((vec)->at[0]));  \
		}                                                         \
		(vec)->at[(vec)->count++] = (item);                       \
	} while (0)

/* Removes item i and keeps the order of the rest. */
#define vec_remove(vec, i)                                            \
	do {                                                          \
		size_t at_ = (i);                                     \
		(vec)->count--;                                       \
		memmove((vec)->at + at_, (vec)->at + at_ + 1,         \
			((vec)->count - at_) * sizeof((vec)->at[0])); \
	} while (0)

#define vec_clear(vec) ((void)((vec)->count = 0))

#define vec_release(vec)                        \
	do {                                    \
		free((vec)->at);                \
		(vec)->at = NULL;               \
		(vec)->count = (vec)->room = 0; \
	} while (0)

#define vec_sort(vec, compare)                                               \
	do {                                                                 \
		if ((vec)->count > 1)                                        \
			qsort((vec)->at, (vec)->count, sizeof((vec)->at[0]), \
			      (compare));                                    \
	} while (0)

#endif
