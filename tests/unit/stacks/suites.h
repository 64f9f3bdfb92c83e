/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The suites of this room's unit tests, one per file. */
#ifndef TESTS_UNIT_STACKS_SUITES_H
#define TESTS_UNIT_STACKS_SUITES_H

#include "tests/unit/checks.h"

Suite *php_names_suite(void);
Suite *captured_suite(void);
Suite *merge_suite(void);
Suite *lines_suite(void);
Suite *native_suite(void);
Suite *narrow_suite(void);
Suite *python_loop_suite(void);
Suite *python_suite(void);
Suite *read_cache_suite(void);
Suite *stack_suite(void);
Suite *statement_perl_suite(void);
Suite *statement_php_suite(void);
Suite *awaited_python_suite(void);
Suite *statement_python_suite(void);
Suite *fiber_ruby_suite(void);
Suite *statement_ruby_suite(void);
Suite *traceparent_ruby_suite(void);

#endif
