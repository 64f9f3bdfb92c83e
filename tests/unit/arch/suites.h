/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The suites of this room's unit tests, one per file. */
#ifndef TESTS_UNIT_ARCH_SUITES_H
#define TESTS_UNIT_ARCH_SUITES_H

#include "tests/unit/checks.h"

Suite *regs_suite(void);
Suite *arch_suite(void);
Suite *operand_suite(void);
Suite *argument_suite(void);
Suite *insn_suite(void);
Suite *i386_suite(void);
Suite *i386_waits_suite(void);
Suite *quick_suite(void);
Suite *relocate_suite(void);
Suite *libc_suite(void);
Suite *run_suite(void);
Suite *libc_places_suite(void);
Suite *accessor_suite(void);
Suite *bpf_suite(void);
Suite *branch_suite(void);
Suite *stub_suite(void);
Suite *caller_suite(void);
Suite *window_suite(void);
Suite *check_suite(void);
Suite *meter_suite(void);

#endif
