/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The suites of values/. */
#ifndef TESTS_UNIT_VALUES_SUITES_H
#define TESTS_UNIT_VALUES_SUITES_H

#include "tests/unit/checks.h"

Suite *abi_suite(void);
Suite *capture_suite(void);
Suite *command_suite(void);
Suite *fetch_suite(void);
Suite *fingerprint_suite(void);
Suite *format_suite(void);
Suite *garbage_suite(void);
Suite *learn_suite(void);
Suite *postgres_suite(void);
Suite *redact_suite(void);
Suite *scope_suite(void);
Suite *show_suite(void);

#endif
