/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The suites of this room's unit tests, one per file. */
#ifndef TESTS_UNIT_PROTOCOLS_SUITES_H
#define TESTS_UNIT_PROTOCOLS_SUITES_H

#include "tests/unit/checks.h"

Suite *conversation_suite(void);
Suite *detect_suite(void);
Suite *http_suite(void);
Suite *lines_suite(void);
Suite *memcached_suite(void);
Suite *mysql_database_suite(void);
Suite *mysql_suite(void);
Suite *postgres_suite(void);
Suite *redis_suite(void);
Suite *stream_suite(void);
Suite *texts_suite(void);
Suite *traceparent_suite(void);
Suite *served_suite(void);

#endif
