/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sixty-four functions of the program or of a library, whose names begin with
 * MOD, and a table of them. They have four forms: some are short, some
 * write to their stack, some have a branch.
 */
#ifndef TESTS_TORTURE_FUNCTIONS_H
#define TESTS_TORTURE_FUNCTIONS_H

#include "subject.h"

#define JOIN_(a, b, c) a##b##_##c
#define JOIN(a, b, c) JOIN_(a, b, c)

#define EACH(X, n) X(n, 0) X(n, 1) X(n, 2) X(n, 3)
#define GROUPS(X)                                                            \
	EACH(X, 0)                                                           \
	EACH(X, 1)                                                           \
	EACH(X, 2)                                                           \
	EACH(X, 3)                                                           \
	EACH(X, 4)                                                           \
	EACH(X, 5)                                                           \
	EACH(X, 6)                                                           \
	EACH(X, 7) EACH(X, 8) EACH(X, 9) EACH(X, 10) EACH(X, 11) EACH(X, 12) \
		EACH(X, 13) EACH(X, 14) EACH(X, 15)
#define FUNCTIONS 64

typedef long function(long);

#define DECLARE(group, shape) function JOIN(MOD, group, shape);
GROUPS(DECLARE)

#define DEFINE(group, shape)                                            \
	EXPORT NOINLINE long JOIN(MOD, group, shape)(long x)            \
	{                                                               \
		long there[2] = { group, x };                           \
                                                                        \
		OPAQUE(x);                                              \
		if (shape == 1)                                         \
			__asm__ volatile("" : : "r"(there) : "memory"); \
		if (shape == 2 && x & 1)                                \
			return (x + 1) * (group + 2) + 2 - group - 2;   \
		return x * (group + 2) + shape;                         \
	}
GROUPS(DEFINE)

#define LIST(group, shape) JOIN(MOD, group, shape),
#define TABLE JOIN(MOD, table, 0)
EXPORT function *const TABLE[FUNCTIONS] = { GROUPS(LIST) };

#endif
