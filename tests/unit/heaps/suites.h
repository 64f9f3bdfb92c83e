/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_HEAPS_SUITES_H
#define TESTS_UNIT_HEAPS_SUITES_H

#include "tests/unit/checks.h"

Suite *census_suite(void);
Suite *census_strings_suite(void);
Suite *glibc_malloc_suite(void);
Suite *heap_copy_suite(void);
Suite *perl_heap_suite(void);
Suite *php_heap_suite(void);
Suite *python_heap_suite(void);
Suite *python_parts_suite(void);
Suite *python_pool_suite(void);
Suite *python_text_suite(void);
Suite *ruby_heap_suite(void);

#endif
