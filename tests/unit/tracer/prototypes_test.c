/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where prototypes and sets come from, which of several applies, and which
 * names --if and --group-by may ask for. Each test has a folder of its own, in
 * which it writes files.
 */
#include "tests/unit/tracer/suites.h"

#include "base/str.h"
#include "conf/model/type.h"
#include "conf/model/proto.h"
#include "tests/unit/checks.h"
#include "tracer/options/options.h"
#include "tracer/plan/asked_names.h"
#include "tracer/plan/learned.h"
#include "tracer/plan/prototype_places.h"
#include "tracer/plan/prototypes.h"
#include "tracer/plan/sets.h"
#include "tracer/plan/show_prototype.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORDS_MOST 16

static char folder[64];

static int
remove_one(const char *path, const struct stat *stat, int kind,
	   struct FTW *where)
{
	(void)stat;
	(void)kind;
	(void)where;
	return remove(path);
}

static void
leave_folder(void)
{
	nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Makes a folder with all places where a user may have files. */
static void
enter_folder(void)
{
	static const char *const folders[] = {
		"config",	 "config/xtrace", "config/xtrace/sets",
		"config/ltrace", "home",	  "home/.ltrace",
		"dirs",		 "dirs/ltrace"
	};

	snprintf(folder, sizeof(folder), "/tmp/xtrace-prototypes.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	atexit(leave_folder);
	ck_assert_int_eq(chdir(folder), 0);
	for (size_t i = 0; i < array_size(folders); i++)
		ck_assert_int_eq(mkdir(folders[i], 0755), 0);
	setenv("XDG_CONFIG_HOME", folder, 1);
	unsetenv("HOME");
}

static void
at_home(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/config", folder);
	setenv("XDG_CONFIG_HOME", path, 1);
	snprintf(path, sizeof(path), "%s/home", folder);
	setenv("HOME", path, 1);
	snprintf(path, sizeof(path), "relative:%s/dirs", folder);
	setenv("XDG_CONFIG_DIRS", path, 1);
}

static void
write_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
}

static void
parse(const char *line, struct options *options)
{
	static char text[512];
	static char *argv[WORDS_MOST + 1];
	struct err err = { "" };
	int argc = 0;

	snprintf(text, sizeof(text), "%s", line);
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	ck_assert_msg(options_parse(options, argc, argv, &err) == 0, "%s: %s",
		      line, err.text);
}

static struct prototypes *
prototypes_of(const struct options *options)
{
	struct prototypes *prototypes;
	struct err err = { "" };

	ck_assert_msg(prototypes_new(options, TYPE_WORD, &prototypes, &err) ==
			      0,
		      "%s", err.text);
	return prototypes;
}

/* ---- which file applies ---------------------------------------------------
 */

/* The name of the first parameter of the function's prototype, or "". */
static const char *
parameter(const char *line, const char *function, const char *library)
{
	static char name[64];
	struct options options;
	struct prototypes *prototypes;
	const struct proto *proto;

	parse(line, &options);
	prototypes = prototypes_of(&options);
	proto = prototypes_find(prototypes, function, library);
	snprintf(name, sizeof(name), "%s",
		 proto && proto->count ? proto->params[0].name : "");
	/* A second search returns the same prototype. */
	ck_assert_ptr_eq(prototypes_find(prototypes, function, library), proto);
	prototypes_free(prototypes);
	options_release(&options);
	return name;
}

START_TEST(the_first_file_applies)
{
	static const char *const own = "libunit.so.1.2";

	enter_folder();
	at_home();
	ck_assert_str_eq(parameter("xtrace true", "unit_f", own), "");
	write_file("config/xtrace/xtrace.conf", "int unit_f(int for_all);\n");
	ck_assert_str_eq(parameter("xtrace true", "unit_f", own), "for_all");
	ck_assert_str_eq(parameter("xtrace true", "unit_f", "libother.so"),
			 "for_all");
	write_file("config/xtrace/libunit.so.1.conf",
		   "int unit_f(int by_name);\n");
	ck_assert_str_eq(parameter("xtrace true", "unit_f", own), "by_name");
	ck_assert_str_eq(parameter("xtrace true", "unit_f", "libother.so"),
			 "for_all");
	write_file("one.conf", "int unit_f(int one);\n");
	write_file("two.conf", "int unit_f(int two);\n");
	ck_assert_str_eq(parameter("xtrace -F one.conf -F two.conf true",
				   "unit_f", own),
			 "one");
	ck_assert_str_eq(parameter("xtrace -F two.conf:one.conf true", "unit_f",
				   own),
			 "two");
}
END_TEST

/* If the library is not known, the files of all libraries are searched. */
START_TEST(functions_of_any_library)
{
	enter_folder();
	at_home();
	write_file("config/xtrace/libunit.so.conf", "int unit_f(int some);\n");
	ck_assert_str_eq(parameter("xtrace true", "unit_f", NULL), "some");
	ck_assert_str_eq(parameter("xtrace true", "unit_f", "libother.so"), "");
	/* The prototypes of libc apply to functions of every library. */
	ck_assert_str_eq(parameter("xtrace true", "close", "libother.so"),
			 "fd");
}
END_TEST

static const struct {
	const char *file, *name;
} ltrace_files[] = {
	{ "config/ltrace/libunit.so.conf", "of_config" },
	{ "home/.ltrace/libunit.so.conf", "of_home" },
	{ "dirs/ltrace/libunit.so.conf", "of_dirs" },
	{ "home/.ltrace.conf", "of_file" },
};

/* If xtrace is called ltrace, it reads the files of ltrace. The first file
 * in ltrace_files[] applies. */
START_TEST(files_of_ltrace)
{
	char text[64];

	enter_folder();
	at_home();
	for (size_t i = array_size(ltrace_files); i-- > 0;) {
		snprintf(text, sizeof(text), "int unit_f(int %s);\n",
			 ltrace_files[i].name);
		write_file(ltrace_files[i].file, text);
		ck_assert_str_eq(parameter("ltrace true", "unit_f",
					   "libunit.so"),
				 ltrace_files[i].name);
	}
	ck_assert_str_eq(parameter("xtrace true", "unit_f", "libunit.so"), "");
	/* -F replaces the file of the user's home. */
	write_file("empty.conf", "");
	unlink(ltrace_files[0].file);
	unlink(ltrace_files[1].file);
	unlink(ltrace_files[2].file);
	ck_assert_str_eq(parameter("ltrace true", "unit_f", "libunit.so"),
			 "of_file");
	ck_assert_str_eq(parameter("ltrace -F empty.conf true", "unit_f",
				   "libunit.so"),
			 "");
}
END_TEST

START_TEST(files_that_do_not_exist)
{
	struct prototypes *prototypes;
	struct options options;
	struct err err = { "" };

	enter_folder();
	parse("xtrace -F nosuch.conf true", &options);
	ck_assert_int_eq(prototypes_new(&options, TYPE_WORD, &prototypes, &err),
			 -ENOENT);
	ck_assert_str_eq(err.text, "nosuch.conf: No such file or directory");
	options_release(&options);
}
END_TEST

/* ---- what is printed ------------------------------------------------------
 */

static int captured = -1, before_capture[2];

/* What is written to stdout and stderr is kept from now on. */
static void
capture(void)
{
	fflush(stdout);
	captured = memfd_create("written", 0);
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		before_capture[fd - STDOUT_FILENO] = dup(fd);
		ck_assert_int_eq(dup2(captured, fd), fd);
	}
}

/* What was written since capture(); the caller frees it. */
static char *
take_captured(void)
{
	off_t end;
	char *text;

	fflush(stdout);
	end = lseek(captured, 0, SEEK_END);
	text = calloc(1, (size_t)end + 1);
	ck_assert_int_eq(pread(captured, text, (size_t)end, 0), (ssize_t)end);
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		dup2(before_capture[fd - STDOUT_FILENO], fd);
		close(before_capture[fd - STDOUT_FILENO]);
	}
	close(captured);
	return text;
}

/* Expects this status and this text of --show-prototype. */
static void
expect_shown(const char *line, int status, const char *expected)
{
	struct options options;
	char *text;
	int got;

	parse(line, &options);
	capture();
	got = show_prototype(&options);
	text = take_captured();
	ck_assert_str_eq(text, expected);
	ck_assert_int_eq(got, status);
	free(text);
	options_release(&options);
}

START_TEST(prototypes_are_shown)
{
	enter_folder();
	write_file("unit.conf", "\nint unit_f(int one, string two);\n");
	expect_shown("xtrace -F unit.conf --show-prototype unit_f",
		     EXIT_SUCCESS,
		     "unit.conf:2: int unit_f(int one, string two);\n");
	expect_shown("xtrace -F unit.conf --show-prototype unit_f@libm.so.6",
		     EXIT_SUCCESS,
		     "unit.conf:2: int unit_f(int one, string two);\n");
	expect_shown("xtrace --show-prototype unit_f", EXIT_FAILURE,
		     "xtrace: there is no prototype for 'unit_f'\n");
	expect_shown("xtrace --show-prototype unit_f@./nosuch", EXIT_FAILURE,
		     "xtrace: ./nosuch: No such file or directory\n");
}
END_TEST

/* Only debug information has the prototype of this function. */
int unit_learned(unsigned char letter, const char *text);

int
unit_learned(unsigned char letter, const char *text)
{
	return letter == text[0];
}

START_TEST(prototypes_of_debug_information)
{
	struct options options;
	char *text;

	enter_folder();
	parse("xtrace --show-prototype unit_learned@/proc/self/exe", &options);
	capture();
	ck_assert_int_eq(show_prototype(&options), EXIT_SUCCESS);
	text = take_captured();
	ck_assert_msg(strstr(text, "prototypes_test.c:") &&
			      strstr(text,
				     ": int unit_learned(unsigned char letter, "
				     "string text); /* from the debug "
				     "information of /proc/self/exe */\n"),
		      "%s", text);
	free(text);
	options_release(&options);
}
END_TEST

/* ---- sets ------------------------------------------------------------------
 */

static void
refuse_set(const char *line, const char *why)
{
	struct prototypes *prototypes;
	struct options options;
	struct sets *sets;
	struct err err = { "" };

	parse(line, &options);
	prototypes = prototypes_of(&options);
	ck_assert_int_eq(sets_new(&options, prototypes, &sets, &err), -EINVAL);
	ck_assert_str_eq(err.text, why);
	ck_assert_ptr_null(sets);
	prototypes_free(prototypes);
	options_release(&options);
}

START_TEST(sets_that_are_none)
{
	enter_folder();
	write_file("plain.conf", "int unit_f(int);\n");
	refuse_set("xtrace --set nosuch true",
		   "there is no set 'nosuch'; --set help lists those there "
		   "are");
	refuse_set("xtrace --set ./plain.conf true",
		   "./plain.conf is no set: it does not begin with set \"what "
		   "it is about\"");
}
END_TEST

START_TEST(sets_of_the_user)
{
	struct prototypes *prototypes;
	struct options options;
	struct sets *sets;
	struct err err = { "" };

	enter_folder();
	at_home();
	write_file("config/xtrace/sets/own.conf",
		   "set \"what is its own\";\n"
		   "int unit_f(int one);\n"
		   "probe unit_f { show one; }\n");
	parse("xtrace --set own --set sql true", &options);
	prototypes = prototypes_of(&options);
	ck_assert_msg(sets_new(&options, prototypes, &sets, &err) == 0, "%s",
		      err.text);
	ck_assert_str_eq(sets_about(sets, 0), "what is its own");
	ck_assert_ptr_nonnull(sets_about(sets, 1));
	ck_assert_ptr_null(sets_about(sets, 2));
	ck_assert_ptr_nonnull(sets_probe(sets, "unit_f"));
	ck_assert_ptr_nonnull(sets_probe(sets, "mysql_real_query"));
	ck_assert_ptr_null(sets_probe(sets, "unit_g"));
	ck_assert_uint_ne(sets_wire(sets), 0);
	sets_free(sets);
	prototypes_free(prototypes);
	options_release(&options);
}
END_TEST

START_TEST(sets_are_listed)
{
	struct options options;
	char *text;

	enter_folder();
	at_home();
	write_file("config/xtrace/sets/own.conf", "set \"its own\";\n");
	write_file("config/xtrace/sets/sql.conf", "set \"other SQL\";\n");
	write_file("config/xtrace/sets/none.conf", "int f(int);\n");
	write_file("config/xtrace/sets/ignored.txt", "set \"ignored\";\n");
	parse("xtrace --set help", &options);
	capture();
	ck_assert_int_eq(sets_list(&options), EXIT_SUCCESS);
	text = take_captured();
	ck_assert_msg(!strncmp(text,
			       "own            its own\n"
			       "sql            other SQL\n",
			       strlen("own            its own\n"
				      "sql            other SQL\n")),
		      "%s", text);
	ck_assert_msg(strstr(text, "\nredis ") != NULL, "%s", text);
	ck_assert_msg(strstr(text + 30, "\nsql ") == NULL, "%s", text);
	ck_assert_ptr_null(strstr(text, "none "));
	ck_assert_ptr_null(strstr(text, "ignored"));
	free(text);
	options_release(&options);
}
END_TEST

/* ---- names of arguments ---------------------------------------------------
 */

#define NOT_IN "no function that may be traced has 'nosuch' in its prototype"

static const struct {
	const char *line, *refusal; /* NULL: accepted */
} asked[] = {
	{ "xtrace -x close --if fd>2 true", NULL },
	{ "xtrace -x close --if nosuch>2 true", "--if: " NOT_IN },
	{ "xtrace -x close --if fd>2||(1&&nosuch) true", "--if: " NOT_IN },
	{ "xtrace -x close --histogram close:nosuch true",
	  "--histogram: " NOT_IN },
	{ "xtrace -x close --histogram close:fd true", NULL },
	/* what is known of every call */
	{ "xtrace -x close --if duration>1ms&&retval!=arg1 true", NULL },
	/* only_of_f is an argument of unit_f(), which is not traced here. */
	{ "xtrace -x unit_g --if only_of_f>2 true",
	  "--if: no function that may be traced has 'only_of_f' in its "
	  "prototype" },
	{ "xtrace -x unit_f --if only_of_f>2 true", NULL },
	{ "xtrace -e unit_[f] --if only_of_f>2 true", NULL },
	{ "xtrace -l libunit.so --if only_of_f>2 true", NULL },
	/* a constant of a type */
	{ "xtrace -x unit_f --if only_of_f==UNIT_RED true", NULL },
	{ "xtrace -x unit_f --summary --group-by only_of_f true", NULL },
	{ "xtrace -x unit_f --summary --group-by function,thread true", NULL },
	{ "xtrace -x unit_f --summary --group-by UNIT_RED true",
	  "--group-by: 'UNIT_RED' is not query, where, request, transaction, "
	  "function, caller, thread, process or text, and no function that may "
	  "be traced has an argument of that name" },
	/* functions of scripts */
	{ "xtrace --script-calls --if line>2 true", NULL },
	{ "xtrace --script-calls --if column>2 true",
	  "--if: no function that may be traced has 'column' in its "
	  "prototype" },
	/* probes: their types are known if their provider is */
	{ "xtrace -x %unit*:* --if nosuch>2 true", NULL },
	{ "xtrace -x %unit:* --if nosuch>2 true", "--if: " NOT_IN },
	{ "xtrace -x %unit:* --if only_of_f>2 true", NULL },
	/* the names of a query */
	{ "xtrace --sql --if query~/x/ true", NULL },
	{ "xtrace --sql --if nosuch~/x/ true", "--if: " NOT_IN },
};

static void
ask_names(struct prototypes *prototypes, const char *line, const char *refusal)
{
	struct learned *learned;
	struct options options;
	struct sets *sets;
	struct err err = { "" };
	int r;

	parse(line, &options);
	ck_assert_int_eq(sets_new(&options, prototypes, &sets, &err), 0);
	learned = learned_new(&options, prototypes);
	r = asked_names_check(&options, prototypes, learned, &err);
	ck_assert_msg(!strcmp(err.text, refusal ? refusal : ""), "%s: '%s'",
		      line, err.text);
	ck_assert_int_eq(r, refusal ? -EINVAL : 0);
	learned_free(learned);
	sets_free(sets);
	options_release(&options);
}

/* All rows have the same prototypes, because a name that is refused makes
 * xtrace parse all of them, which takes 100 ms. */
START_TEST(names_of_arguments)
{
	struct prototypes *prototypes;
	struct options options;

	enter_folder();
	write_file("unit.conf",
		   "int unit_f(enum(UNIT_RED=1, UNIT_BLUE=2) only_of_f);\n"
		   "int unit_g(int of_g);\n");
	parse("xtrace -F unit.conf true", &options);
	prototypes = prototypes_of(&options);
	for (size_t i = 0; i < array_size(asked); i++)
		ask_names(prototypes, asked[i].line, asked[i].refusal);
	prototypes_free(prototypes);
	options_release(&options);
}
END_TEST

Suite *
prototypes_suite(void)
{
	Suite *suite = suite_create("tracer/prototypes");
	TCase *tests = tcase_create("prototypes");

	tcase_add_test(tests, the_first_file_applies);
	tcase_add_test(tests, functions_of_any_library);
	tcase_add_test(tests, files_of_ltrace);
	tcase_add_test(tests, files_that_do_not_exist);
	tcase_add_test(tests, prototypes_are_shown);
	tcase_add_test(tests, prototypes_of_debug_information);
	tcase_add_test(tests, sets_that_are_none);
	tcase_add_test(tests, sets_of_the_user);
	tcase_add_test(tests, sets_are_listed);
	tcase_add_test(tests, names_of_arguments);
	suite_add_tcase(suite, tests);
	return suite;
}
