/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The suites of this room's unit tests, one per file. */
#ifndef TESTS_UNIT_NETWORK_SUITES_H
#define TESTS_UNIT_NETWORK_SUITES_H

#include "tests/unit/checks.h"

Suite *address_suite(void);
Suite *apart_suite(void);
Suite *board_suite(void);
Suite *http_head_suite(void);
Suite *post_suite(void);
Suite *queue_suite(void);
Suite *serve_suite(void);

#endif
