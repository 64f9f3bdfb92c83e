/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the suites of arch/. */
#include "tests/unit/arch/suites.h"

int
main(void)
{
	SRunner *runner = srunner_create(regs_suite());
	int failed;

	srunner_add_suite(runner, arch_suite());
	srunner_add_suite(runner, insn_suite());
	srunner_add_suite(runner, i386_suite());
	srunner_add_suite(runner, i386_waits_suite());
	srunner_add_suite(runner, operand_suite());
	srunner_add_suite(runner, quick_suite());
	srunner_add_suite(runner, argument_suite());
	srunner_add_suite(runner, relocate_suite());
	srunner_add_suite(runner, libc_suite());
	srunner_add_suite(runner, run_suite());
	srunner_add_suite(runner, libc_places_suite());
	srunner_add_suite(runner, accessor_suite());
	srunner_add_suite(runner, bpf_suite());
	srunner_add_suite(runner, branch_suite());
	srunner_add_suite(runner, stub_suite());
	srunner_add_suite(runner, caller_suite());
	srunner_add_suite(runner, window_suite());
	srunner_add_suite(runner, check_suite());
	srunner_add_suite(runner, meter_suite());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
