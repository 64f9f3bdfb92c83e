/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The suites of this room's unit tests, one per file. */
#ifndef TESTS_UNIT_BREAKPOINTS_SUITES_H
#define TESTS_UNIT_BREAKPOINTS_SUITES_H

#include "tests/unit/checks.h"

Suite *action_suite(void);
Suite *area_suite(void);
Suite *jumps_suite(void);
Suite *jumps_parked_suite(void);
Suite *pages_suite(void);
Suite *sites_suite(void);
Suite *slots_suite(void);
Suite *step_suite(void);
Suite *survive_suite(void);
Suite *watcher_suite(void);

#endif
