/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What probes remember of prepared statements: their texts, and the values that
 * are bound to their parameters. A form is a statement here. */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"

#include "base/attr.h"
#include "tests/unit/checks.h"

#include <stddef.h>

struct form {
	const char *text;
	int state;
};

/* Accessors: their code is interpreted, not executed. */
_Static_assert(offsetof(struct form, state) == 8, "see below");
__asm__(".pushsection .text\n"
	".type unit_form_own, @function\n"
	"unit_form_own:\n\t"
	"mov (%rdi),%rax\n\t"
	"ret\n"
	".size unit_form_own, . - unit_form_own\n"
	".type unit_form_state, @function\n"
	"unit_form_state:\n\t"
	"mov 8(%rdi),%eax\n\t"
	"ret\n"
	".size unit_form_state, . - unit_form_state\n"
	".popsection");

TARGET static int
unit_form_prepare(struct form *of, const char *text)
{
	of->state = 0;
	return text[0] ? 0 : -1;
}

TARGET static int
unit_form_number(struct form *of, int index, int value)
{
	return of->state + (index + value) * 0;
}

TARGET static int
unit_form_string(struct form *of, int index, const char *value)
{
	return of->state + (value ? index * 0 : 0);
}

TARGET static int
unit_form_null(struct form *of, int index)
{
	return of->state + index * 0;
}

TARGET static int
unit_form_all(struct form *of, const int *values, int count)
{
	return of->state + values[0] * 0 + count * 0;
}

TARGET static int
unit_form_run(struct form *of)
{
	return ++of->state;
}

TARGET static int
unit_form_rerun(struct form *of)
{
	of->state += 10;
	return 0;
}

TARGET static void
unit_form_close(struct form *of)
{
	of->state = 0;
}

static const char set[] =
	"set \"forms\";\n"
	"string unit_form_own(addr f);\n"
	"int unit_form_state(addr f);\n"
	"int unit_form_prepare(addr f, sql text);\n"
	"int unit_form_number(addr f, int index, int value);\n"
	"int unit_form_string(addr f, int index, string value);\n"
	"int unit_form_null(addr f, int index);\n"
	"int unit_form_all(addr f, addr(int) values, int count);\n"
	"int unit_form_run(addr f);\n"
	"int unit_form_rerun(addr f);\n"
	"void unit_form_close(addr f);\n"
	"probe unit_form_prepare {\n"
	"	keep text as statement[f] if !retval;\n"
	"	show text on error;\n"
	"	error 42, \"empty\" if retval;\n"
	"}\n"
	"probe unit_form_number, unit_form_string for bind {\n"
	"	keep value as bound[f, index];\n"
	"}\n"
	"probe unit_form_null for bind { keep \"NULL\" as bound[f, index]; }\n"
	"probe unit_form_all for bind { keep values[count] as bound[f]; }\n"
	"probe unit_form_run {\n"
	"	gather values from bound[f];\n"
	"	recall text from statement[f];\n"
	"	show text;\n"
	"	bind values;\n"
	"}\n"
	"probe unit_form_rerun {\n"
	"	recall text from unit_form_own(f) or statement[f];\n"
	"	show text;\n"
	"	result unit_form_state(f);\n"
	"}\n"
	"probe unit_form_close {\n"
	"	forget statement[f];\n"
	"	forget bound[f];\n"
	"}\n";

static struct form form, other;

static void
bind_one_by_one(void)
{
	unit_form_prepare(&form, "PUT ?");
	unit_form_prepare(&form, "");
	unit_form_null(&form, 3);
	unit_form_number(&form, 1, -7);
	unit_form_string(&form, 2, "it's");
	unit_form_string(&form, 4, NULL);
	unit_form_number(&other, 1, 9);
	unit_form_run(&form);
	/* If several values were bound to a parameter, the latest one
	 * counts. */
	unit_form_number(&form, 1, 8);
	unit_form_run(&form);
	unit_form_close(&form);
	unit_form_prepare(&form, "PUT");
	unit_form_run(&form);
}

START_TEST(values_that_are_bound_one_by_one)
{
	stage_expect("--bind --set stage.conf", set, bind_one_by_one,
		     "TIME unit_form_prepare \"\" = -1 ERROR 42 \"empty\" "
		     "<TIME>\n"
		     "TIME unit_form_run \"PUT ?\" [-7, \"it's\", NULL, NULL] "
		     "= 1 <TIME>\n"
		     "TIME unit_form_run \"PUT ?\" [8, \"it's\", NULL, NULL] "
		     "= 2 <TIME>\n"
		     "TIME unit_form_run \"PUT\" = 1 <TIME>\n"
		     "TIME +++ exited (status 0) +++\n");
}
END_TEST

START_TEST(values_that_are_not_wanted)
{
	stage_expect("--set stage.conf", set, bind_one_by_one,
		     "TIME unit_form_prepare \"\" = -1 ERROR 42 \"empty\" "
		     "<TIME>\n"
		     "TIME unit_form_run \"PUT ?\" = 1 <TIME>\n"
		     "TIME unit_form_run \"PUT ?\" = 2 <TIME>\n"
		     "TIME unit_form_run \"PUT\" = 1 <TIME>\n"
		     "TIME +++ exited (status 0) +++\n");
}
END_TEST

/* The values are kept as they were when they were bound. */
static void
bind_all(void)
{
	int values[] = { 1, 2, 3 };

	unit_form_prepare(&form, "PUT ???");
	unit_form_all(&form, values, 3);
	values[1] = 9;
	unit_form_run(&form);
	unit_form_all(&form, values, 2);
	unit_form_run(&form);
	/* An array without elements changes nothing. */
	unit_form_all(&form, values, 0);
	unit_form_run(&form);
}

START_TEST(values_that_are_bound_at_once)
{
	stage_expect("--bind --set stage.conf", set, bind_all,
		     "TIME unit_form_run \"PUT ???\" [1, 2, 3] = 1 <TIME>\n"
		     "TIME unit_form_run \"PUT ???\" [1, 9] = 2 <TIME>\n"
		     "TIME unit_form_run \"PUT ???\" [1, 9] = 3 <TIME>\n"
		     "TIME +++ exited (status 0) +++\n");
}
END_TEST

/* The probe of unit_form_rerun() has two sources for the text. xtrace takes the
 * second one if the first one has no text. xtrace interprets unit_form_state()
 * after the call; this gives the result. */
static void
run_again(void)
{
	unit_form_prepare(&form, "KEPT");
	unit_form_rerun(&form);
	form.text = "OWN";
	unit_form_rerun(&form);
	unit_form_rerun(&other);
}

START_TEST(texts_of_two_sources)
{
	stage_expect("--set stage.conf", set, run_again,
		     "TIME unit_form_rerun \"KEPT\" = 10 <TIME>\n"
		     "TIME unit_form_rerun \"OWN\" = 20 <TIME>\n"
		     "TIME unit_form_rerun ? 0xADDRESS = 10 <TIME>\n"
		     "TIME +++ exited (status 0) +++\n");
}
END_TEST

Suite *
probe_memory_suite(void)
{
	Suite *suite = suite_create("tracer/probe_memory");
	TCase *tests = tcase_create("probe_memory");

	tcase_add_test(tests, values_that_are_bound_one_by_one);
	tcase_add_test(tests, values_that_are_not_wanted);
	tcase_add_test(tests, values_that_are_bound_at_once);
	tcase_add_test(tests, texts_of_two_sources);
	suite_add_tcase(suite, tests);
	return suite;
}
