/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters, applied to a few modules and symbols. A row has a filter and
 * everything that it selects, as `name@label` with spaces between; nothing else
 * may be selected.
 */
#include "tests/unit/conf/suites.h"

#include "base/attr.h"
#include "base/str.h"
#include "conf/filter/demangled.h"
#include "conf/filter/filter.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

struct world_module {
	struct filter_module module;
	const char *symbols[8]; /* each one is "name@version" or "name" */
};

static const struct world_module world[] = {
	{ { "prog", "/usr/bin/prog", NULL, true }, { "main", "free" } },
	{ { "libc.so.6", "/usr/lib/libc.so.6", "/lib64/libc.so.6", false },
	  { "malloc@GLIBC_2.2.5", "free@GLIBC_2.2.5", "memcpy@GLIBC_2.2.5",
	    "memcpy@GLIBC_2.14", "strlen@GLIBC_2.2.5" } },
	{ { "libstdc++.so.6", "/usr/lib/libstdc++.so.6", NULL, false },
	  { "_ZN3vecplEi", "_ZN2ns1fIicEEviRKc", "_Znwm", "strlen" } },
	{ { "libmy-lib.so", "/opt/my/libmy-lib.so", NULL, false },
	  { "f", "g", "free" } },
	{ { "MAIN", NULL, NULL, false }, { "f" } },
};

static const char *
demangle(const struct filter_symbol *symbol)
{
	static const char *const names[][2] = {
		{ "_ZN3vecplEi", "vec::operator+(int)" },
		{ "_ZN2ns1fIicEEviRKc",
		  "void ns::f<int, char>(int, char const&)" },
		{ "_Znwm", "operator new(unsigned long)" },
		{ "_Z4pushIiEvT_", "void push<int>(int)" },
		{ "_Z4pushIlEvT_", "void push<long>(long)" },
	};

	for (size_t i = 0; i < array_size(names); i++) {
		if (!strcmp(names[i][0], symbol->name))
			return names[i][1];
	}
	return NULL;
}

static bool
chosen(const struct filter *filter, const struct filter_module *module,
       const char *text)
{
	struct filter_symbol symbol = { .demangled = demangle };
	char name[64], *version;

	strcpy(name, text);
	version = strchr(name, '@');
	if (version)
		*version++ = '\0';
	symbol.name = name;
	symbol.version = version;
	return filter_chooses(filter, module, &symbol);
}

/* Lists everything that the filter selects. The filter must want the module of
 * each selected symbol. */
static void
list_chosen(const struct filter *filter, struct str *to)
{
	for (size_t m = 0; m < array_size(world); m++) {
		const struct filter_module *module = &world[m].module;
		bool any = false;

		for (size_t s = 0; world[m].symbols[s]; s++) {
			const char *symbol = world[m].symbols[s];

			if (!chosen(filter, module, symbol))
				continue;
			str_addf(to, "%s%s@%s", to->length ? " " : "", symbol,
				 module->label);
			any = true;
		}
		ck_assert(!any || filter_wants_module(filter, module));
	}
}

/*
 * Takes the place of a running program's sonames: does a module of the world
 * have a label that matches the glob?
 */
static bool
is_known(const struct filter_sonames *sonames, const char *text)
{
	(void)sonames;
	for (size_t m = 0; m < array_size(world); m++) {
		if (!fnmatch(text, world[m].module.label, 0))
			return true;
	}
	return false;
}

static const struct filter_sonames loaded = { is_known };

static struct filter *
parse(const char *text, const struct filter_sonames *sonames)
{
	struct filter *filter = NULL;
	struct err err = { "" };
	size_t column;
	int r = filter_parse(text, sonames, &filter, &column, &err);

	ck_assert_msg(r == 0, "%s: %s", text, err.text);
	return filter;
}

#define MAIN_ALL "main@prog free@prog"
#define LIBC_ALL                                                    \
	"malloc@GLIBC_2.2.5@libc.so.6 free@GLIBC_2.2.5@libc.so.6 "  \
	"memcpy@GLIBC_2.2.5@libc.so.6 memcpy@GLIBC_2.14@libc.so.6 " \
	"strlen@GLIBC_2.2.5@libc.so.6"
#define CXX_ALL                                                         \
	"_ZN3vecplEi@libstdc++.so.6 _ZN2ns1fIicEEviRKc@libstdc++.so.6 " \
	"_Znwm@libstdc++.so.6 strlen@libstdc++.so.6"
#define MY_ALL "f@libmy-lib.so g@libmy-lib.so free@libmy-lib.so"
#define MALLOC "malloc@GLIBC_2.2.5@libc.so.6"
#define FREE "free@GLIBC_2.2.5@libc.so.6"
#define PLUS "_ZN3vecplEi@libstdc++.so.6"
#define NS_F "_ZN2ns1fIicEEviRKc@libstdc++.so.6"
#define NEW "_Znwm@libstdc++.so.6"

static const struct {
	const char *filter;
	const char *chosen;
} rows[] = {
	/* symbols */
	{ "malloc", MALLOC },
	{ "+malloc", MALLOC },
	{ "free", "free@prog " FREE " free@libmy-lib.so" },
	{ "m*c", MALLOC },
	{ "?alloc", MALLOC },
	{ "[a-m]alloc", MALLOC },
	{ "/allo/", MALLOC },
	{ "/^allo/", "" },
	{ "/^[fg]$/", "f@libmy-lib.so g@libmy-lib.so f@MAIN" },
	{ "nowhere", "" },
	/* libraries */
	{ "malloc@libc.so.6", MALLOC },
	{ "malloc@", MALLOC },
	{ "malloc@prog", "" },
	{ "@libc.so.6", LIBC_ALL },
	{ "@libc.so*", LIBC_ALL },
	{ "@libc*", LIBC_ALL },
	{ "@/^libc\\./", LIBC_ALL },
	{ "@MAIN", MAIN_ALL },
	{ "@[M]AIN", "f@MAIN" },
	{ "free@MAIN", "free@prog" },
	{ "/free@libc/", FREE },
	{ "/free/@/libc/", FREE },
	{ "/^f@my/", "f@libmy-lib.so free@libmy-lib.so" },
	{ "/@my/", MY_ALL },
	{ "@/usr/lib/libc.so.6", LIBC_ALL },
	{ "@/lib64/libc.so.6", LIBC_ALL },
	{ "@/usr/*/libc.so.6", LIBC_ALL },
	{ "@lib/libc.so.6", LIBC_ALL },
	{ "@./libc.so.6", LIBC_ALL },
	{ "@/lib/libc.so.6", "" },
	{ "@ib/libc.so.6", "" },
	{ "f@/opt/my/libmy-lib.so", "f@libmy-lib.so" },
	{ "@/usr/bin/prog+malloc", MAIN_ALL " " MALLOC },
	/* several rules */
	{ "malloc+free@libc.so.6", MALLOC " " FREE },
	{ "malloc+free-@libc.so*", "free@prog free@libmy-lib.so" },
	{ "malloc+@MAIN", MAIN_ALL " " MALLOC },
	{ "@libc.so*-m*", FREE " strlen@GLIBC_2.2.5@libc.so.6" },
	{ "@libc.so*-m*+malloc",
	  MALLOC " " FREE " strlen@GLIBC_2.2.5@libc.so.6" },
	{ "-@lib*", MAIN_ALL " f@MAIN" },
	{ "!@lib*", MAIN_ALL " f@MAIN" },
	{ "-@/lib/", MAIN_ALL " f@MAIN" },
	{ "free@MAIN-/x.so/", "free@prog" },
	{ "malloc@+main", "main@prog " MALLOC },
	/* commas */
	{ "malloc,main", "main@prog " MALLOC },
	{ "malloc, main ", "main@prog " MALLOC },
	{ "malloc,free@libc.so.6", MALLOC " " FREE },
	{ "malloc@libc.so.6,f@MAIN,main", "main@prog " MALLOC },
	{ "f,free@libmy-lib.so,main@MAIN",
	  "main@prog f@libmy-lib.so free@libmy-lib.so" },
	{ "@libc.so*-malloc,memcpy,strlen", FREE },
	{ "-f,g,free@lib*-@libc*-@libst*", MAIN_ALL " f@MAIN" },
	/* quotes and backslashes */
	{ "malloc@libc\\.so.6", MALLOC },
	{ "'malloc'@\"libc.so.6\"", MALLOC },
	{ "@'libstdc++.so.6'", CXX_ALL },
	{ "@libstdc\\+\\+.so.6", CXX_ALL },
	{ "@'libmy-*'", MY_ALL },
	{ "f@libmy\\-lib.so+main", "main@prog f@libmy-lib.so" },
	{ "m\\*", "" },
	/* + and - in the names of libraries: whether a sign is an operator
	 * depends on its place and on the loaded libraries */
	{ "@libstdc++.so.6", CXX_ALL },
	{ "@libstdc++.so.6-strlen+main", "main@prog " PLUS " " NS_F " " NEW },
	{ "strlen@libstdc++.so.*+main", "main@prog strlen@libstdc++.so.6" },
	{ "@libmy-lib.so-free", "f@libmy-lib.so g@libmy-lib.so" },
	{ "f@libmy-lib.so+main@MAIN", "main@prog f@libmy-lib.so" },
	{ "@libc*-m*+f@libmy-lib.so",
	  FREE " strlen@GLIBC_2.2.5@libc.so.6 f@libmy-lib.so" },
	/* demangled names */
	{ "vec::operator+", PLUS },
	{ "vec::operator+(int)", PLUS },
	{ "vec::operator+-main", PLUS },
	{ "vec::operator+@libstdc++.so.6+main", "main@prog " PLUS },
	{ "vec::operator+,vec::operator->", PLUS },
	{ "vec::*", PLUS },
	{ "ns::f<int, char>", NS_F },
	{ "ns::f<int, char>(int, char const&)", NS_F },
	{ "void ns::f<int, char>(int, char const&)", NS_F },
	{ "ns::f*,malloc", MALLOC " " NS_F },
	{ "ns::f", "" },
	{ "operator new(*", NEW },
	{ "operator new(unsigned long),main", "main@prog " NEW },
	{ "/::f<.*char/", NS_F },
	{ "/^\\(malloc\\)$/", MALLOC },
	{ "_Znwm", NEW },
	/* versions */
	{ "memcpy@@GLIBC_2.14", "memcpy@GLIBC_2.14@libc.so.6" },
	{ "memcpy@@GLIBC_2.14@libc.so.6+main",
	  "main@prog memcpy@GLIBC_2.14@libc.so.6" },
	{ "memcpy@@*", "memcpy@GLIBC_2.2.5@libc.so.6 "
		       "memcpy@GLIBC_2.14@libc.so.6" },
	{ "@@GLIBC_2.14", "memcpy@GLIBC_2.14@libc.so.6" },
	{ "main@@GLIBC_2.14", "" },
	{ "mem*-memcpy@@GLIBC_2.14", "memcpy@GLIBC_2.2.5@libc.so.6" },
};

START_TEST(one_filter)
{
	const struct filter_sonames *const known[] = { NULL, &loaded };

	for (size_t i = 0; i < array_size(known); i++) {
		struct filter *filter = parse(rows[_i].filter, known[i]);
		struct str found;

		str_init(&found);
		list_chosen(filter, &found);
		ck_assert_msg(!strcmp(str_text(&found), rows[_i].chosen),
			      "%s: %s", rows[_i].filter, str_text(&found));
		str_release(&found);
		filter_free(filter);
	}
}
END_TEST

START_TEST(everything)
{
	static const char *const all[] = {
		"*", "@", "@*", "*@*", "/@/", "*+*"
	};

	for (size_t i = 0; i < array_size(all); i++) {
		struct filter *filter = parse(all[i], NULL);
		struct str found;

		str_init(&found);
		list_chosen(filter, &found);
		ck_assert_str_eq(str_text(&found), MAIN_ALL
				 " " LIBC_ALL " " CXX_ALL " " MY_ALL " f@MAIN");
		str_release(&found);
		filter_free(filter);
	}
}
END_TEST

static const struct {
	const char *filter;
	size_t column;
	const char *why;
} errors[] = {
	{ "", 0, "an empty filter" },
	{ "  ", 0, "an empty filter" },
	{ "-", 1, "expected a function or a library" },
	{ "malloc+", 7, "expected a function or a library" },
	{ "malloc++free", 7, "expected a function or a library" },
	{ "malloc,,free", 7, "expected a function or a library" },
	{ ",malloc", 0, "expected a function or a library" },
	{ "malloc+ ", 8, "expected a function or a library" },
	{ "a@b@c", 3, "unexpected '@'" },
	{ "/a@b/+c@d@e", 9, "unexpected '@'" },
	{ "malloc@@", 8, "expected a version behind '@@'" },
	{ "free+/ma", 5, "no '/' at the end of this expression" },
	{ "free+'malloc", 5, "this quote is not closed" },
	{ "free@\"x", 5, "this quote is not closed" },
	{ "free+mal\\", 8, "nothing behind the backslash" },
	{ "free+''", 5, "an empty name" },
	{ "free@''", 5, "an empty name" },
	{ "free+/a\\(/", 6, "bad expression 'a\\(': Unmatched ( or \\(" },
	{ "free@/[a/", 6,
	  "bad expression '[a': Unmatched [, [^, [:, [., or "
	  "[=" },
};

START_TEST(one_error)
{
	struct filter *filter = NULL;
	size_t column = 777;
	struct err err;
	int r = filter_parse(errors[_i].filter, NULL, &filter, &column, &err);

	ck_assert_msg(r == -EINVAL, "%s", errors[_i].filter);
	ck_assert_str_eq(err.text, errors[_i].why);
	ck_assert_msg(column == errors[_i].column, "%s: %zu", errors[_i].filter,
		      column);
	ck_assert_ptr_null(filter);
}
END_TEST

static const struct {
	const char *filter;
	const char *names; /* names with spaces between them */
	bool only;
} plain_names[] = {
	{ "malloc+free", "malloc free", true },
	{ "malloc,malloc@libc*", "malloc", true },
	{ "malloc@@GLIBC_2.2.5", "malloc", true },
	{ "malloc-free", "malloc", true },
	{ "malloc+m*", "malloc", false },
	{ "@libc.so.6", "", false },
	{ "-malloc", "", false },
	{ "malloc+ns::f", "malloc", false },
	{ "/malloc/", "", false },
};

START_TEST(one_list_of_plain_names)
{
	struct filter *filter = parse(plain_names[_i].filter, NULL);
	const char *const *name;
	struct str found;
	bool only;

	str_init(&found);
	for (name = filter_plain_names(filter, &only); *name; name++)
		str_addf(&found, "%s%s", found.length ? " " : "", *name);
	ck_assert_str_eq(str_text(&found), plain_names[_i].names);
	ck_assert(only == plain_names[_i].only);
	str_release(&found);
	filter_free(filter);
}
END_TEST

START_TEST(modules_that_cannot_have_any)
{
	struct filter *filter = parse("@libc*+free@MAIN-@libc.so.6", NULL);

	ck_assert(filter_wants_module(filter, &world[0].module));
	ck_assert(!filter_wants_module(filter, &world[1].module));
	ck_assert(!filter_wants_module(filter, &world[2].module));
	filter_free(filter);
	filter = parse("@libc*-malloc", NULL);
	ck_assert(filter_wants_module(filter, &world[1].module));
	filter_free(filter);
	filter_free(NULL);
}
END_TEST

/* Writes "text: symbol, library" for each rule that adds functions, and what
 * the rule has seen and matched. */
static void
list_rules(const struct filter *filter, struct str *to)
{
	struct filter_rule_seen rule;

	for (size_t i = 0; filter_rule(filter, i, &rule); i++)
		str_addf(to, "%s: %s, %s%s%s%s%s\n", rule.text,
			 rule.symbol ? rule.symbol : "-",
			 rule.library ? rule.library : "-",
			 rule.any_library ? " any" : "",
			 rule.main ? " main" : "",
			 rule.module_seen ? " seen" : "",
			 rule.matched ? " matched" : "");
}

START_TEST(rules_and_what_they_matched)
{
	struct filter *filter = parse("malloc+mal*-free+ns::f*+nosuch,a@libc*+"
				      "/x\\(y\\)*/@MAIN+f@@V+f@no.so",
				      NULL);
	struct str rules;

	str_init(&rules);
	for (size_t m = 0; m < array_size(world); m++) {
		filter_saw_module(filter, &world[m].module);
		for (size_t s = 0; world[m].symbols[s]; s++)
			(void)chosen(filter, &world[m].module,
				     world[m].symbols[s]);
	}
	list_rules(filter, &rules);
	ck_assert_str_eq(str_text(&rules),
			 "malloc: malloc, - any seen matched\n"
			 "mal*: -, - any seen matched\n"
			 "ns::f*: -, - any seen matched\n"
			 "nosuch@libc*: nosuch, - seen\n"
			 "a@libc*: a, - seen\n"
			 "/x\\(y\\)*/@MAIN: -, - main seen\n"
			 "f@@V: f, - any seen\n"
			 "f@no.so: f, no.so\n");
	str_release(&rules);
	filter_free(filter);
}
END_TEST

static unsigned asked;

static const char *
count_and_demangle(const struct filter_symbol *symbol)
{
	asked++;
	return demangle(symbol);
}

START_TEST(demangled_only_where_needed)
{
	struct filter *filter =
		parse("malloc+ns::f*@libst*+ns::g@libst*", NULL);
	struct filter_symbol symbol = { "_Znwm", NULL, count_and_demangle,
					NULL };

	ck_assert(!filter_chooses(filter, &world[1].module, &symbol));
	ck_assert_uint_eq(asked, 0);
	ck_assert(!filter_chooses(filter, &world[2].module, &symbol));
	ck_assert_uint_eq(asked, 1);
	symbol.demangled = NULL;
	ck_assert(!filter_chooses(filter, &world[2].module, &symbol));
	filter_free(filter);
}
END_TEST

/* -C: the filter is compared with demangled names. A symbol is demangled only
 * if it may contain the name in the filter. */
START_TEST(printed_names_are_compared)
{
	static const struct {
		const char *filter, *symbol;
		bool chosen;
		unsigned asked;
	} filters[] = {
		{ "push<int>", "_Z4pushIiEvT_", true, 1 },
		{ "push<int>", "_Z4pushIlEvT_", false, 1 },
		{ "push<int>", "_Znwm", false, 0 },
		{ "push<int>", "push", false, 0 },
		{ "push*-push<int>", "_Z4pushIiEvT_", false, 1 },
		{ "_Z4pushIiEvT_", "_Z4pushIiEvT_", true, 0 },
		{ "operator new", "_Znwm", true, 1 },
		{ "/^push/", "_Z4pushIlEvT_", true, 1 },
	};

	for (size_t i = 0; i < array_size(filters); i++) {
		struct filter *filter = parse(filters[i].filter, NULL);
		struct filter_symbol symbol = { filters[i].symbol, NULL,
						count_and_demangle, NULL };

		filter_compare_printed(filter);
		asked = 0;
		ck_assert_msg(filter_chooses(filter, &world[1].module,
					     &symbol) == filters[i].chosen,
			      "%zu", i);
		ck_assert_uint_eq(asked, filters[i].asked);
		filter_free(filter);
	}
}
END_TEST

/* Demangled texts, each with the name that it contains. */
static const char *const demangled_names[][2] = {
	{ "malloc", "malloc" },
	{ "f(int)", "f" },
	{ "ns::f(int) const", "ns::f" },
	{ "void f<int>(char*)", "f<int>" },
	{ "std::map<int, char>::at(int const&)", "std::map<int, char>::at" },
	{ "unsigned long ns::g<(x)1>(int) const &", "ns::g<(x)1>" },
	{ "(anonymous namespace)::f(int)", "(anonymous namespace)::f" },
	{ "f(int)::{lambda(char)#1}::operator()(char) const",
	  "f(int)::{lambda(char)#1}::operator()" },
	{ "f(int)::count", "f(int)::count" },
	{ "a::operator()(int)", "a::operator()" },
	{ "operator<<(std::ostream&, a)", "operator<<" },
	{ "bool operator< <int>(a, b)", "operator< <int>" },
	{ "a::operator->()", "a::operator->" },
	{ "a::operator unsigned long()", "a::operator unsigned long" },
	{ "operator new[](unsigned long)", "operator new[]" },
	{ "decltype (x(1)) ns::f<int>(int)", "ns::f<int>" },
	{ "my_operator(int)", "my_operator" },
	{ "f(int) [clone .cold]", "f" },
	{ "vtable for ns::a", "vtable for ns::a" },
	{ "non-virtual thunk to ns::a::f(int)",
	  "non-virtual thunk to ns::a::f(int)" },
	{ "", "" },
	{ ")>f(", ")>f(" },
};

START_TEST(one_demangled_name)
{
	const char *text = demangled_names[_i][0];
	size_t start, end;
	char name[100] = "";

	demangled_name(text, &start, &end);
	ck_assert_uint_le(start, end);
	ck_assert_uint_le(end, strlen(text));
	memcpy(name, text + start, end - start);
	ck_assert_str_eq(name, demangled_names[_i][1]);
}
END_TEST

Suite *
filter_suite(void)
{
	Suite *suite = suite_create("conf/filter");
	TCase *tests = tcase_create("filter");

	tcase_add_loop_test(tests, one_filter, 0, array_size(rows));
	tcase_add_test(tests, everything);
	tcase_add_loop_test(tests, one_error, 0, array_size(errors));
	tcase_add_loop_test(tests, one_list_of_plain_names, 0,
			    array_size(plain_names));
	tcase_add_test(tests, modules_that_cannot_have_any);
	tcase_add_test(tests, rules_and_what_they_matched);
	tcase_add_test(tests, demangled_only_where_needed);
	tcase_add_test(tests, printed_names_are_compared);
	tcase_add_loop_test(tests, one_demangled_name, 0,
			    array_size(demangled_names));
	suite_add_tcase(suite, tests);
	return suite;
}
