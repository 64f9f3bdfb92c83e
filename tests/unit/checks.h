/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Check, with assertions that may be in long loops. Check writes the place of
 * each assertion to a file, so that it can tell where a test has crashed. With
 * this header, a place is written only when the test reaches it for the first
 * time.
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
