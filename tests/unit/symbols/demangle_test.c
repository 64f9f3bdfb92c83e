/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/demangle.h"
#include "tests/unit/symbols/suites.h"

#include <stdlib.h>

static const struct {
	const char *mangled, *whole, *brief;
} rows[] = {
	/* names of C++ */
	{ "_Z3foov", "foo()", "foo" },
	{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
	  "std::vector<int, std::allocator<int> >::push_back(int const&)",
	  "std::vector<int, std::allocator<int> >::push_back" },
	{ "_ZNK3Foo3barEv", "Foo::bar() const", "Foo::bar" },
	{ "_Z3addIiET_S0_S0_", "int add<int>(int, int)", "add<int>" },
	{ "_ZN3FooC1Ev", "Foo::Foo()", "Foo::Foo" },
	{ "_ZlsRSoRK3Foo", "operator<<(std::ostream&, Foo const&)",
	  "operator<<" },
	{ "_Znwm", "operator new(unsigned long)", "operator new" },
	{ "_ZTV3Foo", "vtable for Foo", "vtable for Foo" },
	/* names of Rust, in the new form and in the old one */
	{ "_RNvCs1234_7mycrate4main", "mycrate::main", "mycrate::main" },
	{ "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE",
	  "core::fmt::Formatter::pad", "core::fmt::Formatter::pad" },
	{ "_ZN5alloc3vec12Vec$LT$T$GT$4push17hf00dfeedcafebabeE",
	  "alloc::vec::Vec<T>::push", "alloc::vec::Vec<T>::push" },
	/* the language D */
	{ "_D3std5stdio8lockFileFZv", "std.stdio.lockFile()",
	  "std.stdio.lockFile" },
	{ "_D6module3fooFiZv", "module.foo(int)", "module.foo" },
	{ "_D6module1C3barMxFZv", "module.C.bar() const", "module.C.bar" },
	{ "_Dmain", NULL, NULL },
	/* not mangled */
	{ "main", NULL, NULL },
	{ "", NULL, NULL },
	{ "_", NULL, NULL },
	{ "_Z", NULL, NULL },
	{ "_Zebra", NULL, NULL },
	{ "_Data", NULL, NULL },
	{ "_Rust", NULL, NULL },
	{ "__libc_malloc", NULL, NULL },
	{ "foo.cold", NULL, NULL },
};

static void
check_text(char *text, const char *expected)
{
	if (expected)
		ck_assert_str_eq(text, expected);
	else
		ck_assert_ptr_null(text);
	free(text);
}

START_TEST(names_are_demangled)
{
	check_text(demangle(rows[_i].mangled), rows[_i].whole);
	check_text(demangle_short(rows[_i].mangled), rows[_i].brief);
}
END_TEST

/* A name whose nesting would overflow the stack. */
START_TEST(bombs_are_refused)
{
	static char name[1 << 20] = "_Z3foo";

	for (size_t i = 6; i < sizeof(name) - 1; i++)
		name[i] = 'P';
	free(demangle(name));
	free(demangle_short(name));
}
END_TEST

Suite *
demangle_suite(void)
{
	Suite *suite = suite_create("symbols/demangle");
	TCase *tests = tcase_create("demangle");

	tcase_add_loop_test(tests, names_are_demangled, 0,
			    sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(tests, bombs_are_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
