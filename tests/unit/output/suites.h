/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The suites of the room output; main.c runs them all. */
#ifndef TESTS_UNIT_OUTPUT_SUITES_H
#define TESTS_UNIT_OUTPUT_SUITES_H

#include "tests/unit/checks.h"

Suite *out_suite(void);
Suite *jsonw_suite(void);
Suite *exponential_suite(void);
Suite *histogram_suite(void);
Suite *powers_suite(void);
Suite *stamp_suite(void);
Suite *tables_suite(void);
Suite *folded_suite(void);
Suite *formats_suite(void);
Suite *frames_suite(void);
Suite *tree_suite(void);
Suite *text_suite(void);
Suite *min_time_suite(void);
Suite *json_suite(void);
Suite *split_suite(void);
Suite *query_suite(void);
Suite *flame_suite(void);
Suite *samples_suite(void);
Suite *requests_suite(void);
Suite *slow_log_suite(void);
Suite *otlp_suite(void);
Suite *compare_suite(void);
Suite *heap_compare_suite(void);
Suite *heap_table_suite(void);
Suite *growths_suite(void);
Suite *live_suite(void);
Suite *terminal_suite(void);

#endif
