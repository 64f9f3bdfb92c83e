/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Check, with assertions that may be in long loops. Check writes the place of
 * each assertion to a file, so that it can tell where a test has crashed. Here
 * a place is written when the test comes there for the first time.
 */
#ifndef TESTS_UNIT_CHECKS_H
#define TESTS_UNIT_CHECKS_H

#include <check.h>
#include <stdbool.h>

#define _mark_point(file, line)                    \
	({                                         \
		static bool check_marked;          \
                                                   \
		if (!check_marked) {               \
			check_marked = true;       \
			(_mark_point)(file, line); \
		}                                  \
	})

#endif
