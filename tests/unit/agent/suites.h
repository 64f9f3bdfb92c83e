/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The suites of this room's unit tests, one per file. */
#ifndef TESTS_UNIT_AGENT_SUITES_H
#define TESTS_UNIT_AGENT_SUITES_H

#include "tests/unit/checks.h"

Suite *area_suite(void);
Suite *area_blocks_suite(void);
Suite *cells_suite(void);
Suite *mapping_suite(void);

#endif
