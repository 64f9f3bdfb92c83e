/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The suites of this room's unit tests, one per file. */
#ifndef TESTS_UNIT_SYMBOLS_SUITES_H
#define TESTS_UNIT_SYMBOLS_SUITES_H

#include "tests/unit/checks.h"

Suite *image_suite(void);
Suite *symtab_suite(void);
Suite *readelf_suite(void);
Suite *sdt_suite(void);
Suite *plt_suite(void);
Suite *narrow_suite(void);
Suite *sigactions_suite(void);
Suite *modmap_suite(void);
Suite *content_suite(void);
Suite *elf_suite(void);
Suite *debugfile_suite(void);
Suite *demangle_suite(void);
Suite *damage_suite(void);
Suite *census_suite(void);

#endif
