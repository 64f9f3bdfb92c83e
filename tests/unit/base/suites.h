/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The suites of this room's unit tests, one per file. */
#ifndef TESTS_UNIT_BASE_SUITES_H
#define TESTS_UNIT_BASE_SUITES_H

#include "tests/unit/checks.h"

Suite *arena_suite(void);
Suite *attempt_suite(void);
Suite *clock_suite(void);
Suite *die_suite(void);
Suite *err_suite(void);
Suite *escape_suite(void);
Suite *fd_suite(void);
Suite *gzip_suite(void);
Suite *hung_suite(void);
Suite *list_suite(void);
Suite *log_suite(void);
Suite *map_suite(void);
Suite *parse_suite(void);
Suite *pattern_suite(void);
Suite *reader_suite(void);
Suite *str_suite(void);
Suite *strmap_suite(void);
Suite *vec_suite(void);
Suite *words_suite(void);

#endif
