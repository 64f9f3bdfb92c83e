/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The suites of this room's unit tests, one per file. */
#ifndef TESTS_UNIT_CONF_SUITES_H
#define TESTS_UNIT_CONF_SUITES_H

#include "tests/unit/checks.h"

Suite *bounds_suite(void);
Suite *call_filter_suite(void);
Suite *complaint_suite(void);
Suite *condition_suite(void);
Suite *data_suite(void);
Suite *deferred_suite(void);
Suite *filter_suite(void);
Suite *layout_suite(void);
Suite *library_suite(void);
Suite *sdt_filter_suite(void);
Suite *script_filter_suite(void);
Suite *search_suite(void);
Suite *tampering_suite(void);
Suite *trust_suite(void);

#endif
