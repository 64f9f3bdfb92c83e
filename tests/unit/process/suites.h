/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The suites of this room's unit tests, one per file. */
#ifndef TESTS_UNIT_PROCESS_SUITES_H
#define TESTS_UNIT_PROCESS_SUITES_H

#include "tests/unit/checks.h"

Suite *attach_suite(void);
Suite *births_suite(void);
Suite *delays_suite(void);
Suite *held_suite(void);
Suite *lag_suite(void);
Suite *linkmap_suite(void);
Suite *maps_suite(void);
Suite *narrow_suite(void);
Suite *peer_suite(void);
Suite *remote_suite(void);
Suite *restart_suite(void);
Suite *seccomp_suite(void);
Suite *slice_suite(void);
Suite *smaps_suite(void);
Suite *space_suite(void);
Suite *spawn_suite(void);
Suite *status_suite(void);
Suite *choice_suite(void);
Suite *stop_times_suite(void);
Suite *table_suite(void);
Suite *wait_suite(void);
Suite *woken_suite(void);

#endif
