/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the suites of symbols/ in a workshop that is removed afterwards. */
#include "tests/unit/symbols/suites.h"
#include "tests/unit/symbols/workshop.h"

int
main(void)
{
	SRunner *runner = srunner_create(image_suite());
	int failed;

	workshop_build();
	srunner_add_suite(runner, readelf_suite());
	srunner_add_suite(runner, sdt_suite());
	srunner_add_suite(runner, symtab_suite());
	srunner_add_suite(runner, plt_suite());
	srunner_add_suite(runner, narrow_suite());
	srunner_add_suite(runner, sigactions_suite());
	srunner_add_suite(runner, modmap_suite());
	srunner_add_suite(runner, content_suite());
	srunner_add_suite(runner, elf_suite());
	srunner_add_suite(runner, debugfile_suite());
	srunner_add_suite(runner, demangle_suite());
	srunner_add_suite(runner, damage_suite());
	srunner_add_suite(runner, census_suite());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	workshop_clear();
	return failed > 0;
}
