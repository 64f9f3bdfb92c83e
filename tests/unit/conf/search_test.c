/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which prototype file is used for a function, in a small tree of files. */
#include "base/xmalloc.h"
#include "conf/model/library.h"
#include "conf/find/search.h"
#include "conf/find/search_names.h"
#include "tests/unit/conf/suites.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[] = "/tmp/xtrace-search-XXXXXX";

/* Every file has one prototype of f; its argument tells the file. */
static const struct {
	const char *path, *text;
} files[] = {
	{ "one.conf", "int f(string one);\n" },
	{ "bad.conf", "int f(foo);\nint bad(int);\nint worse(foo);\n" },
	{ "dir/libx.so.conf", "int f(string dir);\nint only_x(int);\n" },
	{ "user/libx.so.1.conf", "int f(string user_1);\n" },
	{ "user/libx.so.conf", "int f(string user);\nint g(string user);\n" },
	{ "user/xtrace.conf", "int h(string user_all);\n" },
	{ "system.conf", "int f(string system);\nint s(int);\n" },
	{ "installed/libx.so.1.2.conf", "int f(string installed);\n" },
	{ "installed/liby.so.conf", "import \"types\";\nint y(color);\n" },
	{ "installed/libpython3.so.conf", "int p(string installed);\n" },
	{ "installed/types.conf", "typedef color = enum(RED);\nint t(int);\n" },
	{ "user/mine.conf", "int m(string mine);\n" },
	{ "user/libw.so.conf", "import \"shade\";\nint w(shade);\n" },
	{ "user/aliases", "# ours\n"
			  "libaa.so  mine\n"
			  "\n"
			  "libbb.so.1\tlibpython3.so.conf # of another place\n"
			  "libw.so mine\n"
			  "libcc.so libaa.so\n" },
	{ "installed/aliases", "libz.so core\nprogram core.conf\n"
			       "libv.so libv.so\n" },
	{ "installed/parts/core.conf",
	  "import \"shade.conf\";\nint c(string core);\n" },
	{ "installed/parts/shade.conf", "typedef shade = enum(DARK);\n" },
	{ "installed/sets/set.conf",
	  "import \"../core.conf\";\nimport \"../program.conf\";\n" },
	{ "loop/a.conf", "import \"b\";\nint a(int);\n" },
	{ "loop/b.conf", "import \"a.conf\";\nint b(int);\n" },
	{ "wrong/aliases", "libd.so\n"
			   " dir/libe.so a\n"
			   "libf.so a b\n"
			   "libg.so ../one.conf\n"
			   "libg.so b\n"
			   "libh.so #\n"
			   "libi.so absent" },
	{ "loop/none.conf", "import \"nothing\";\nint n(int);\n" },
	{ "loop/folder.conf", "import \"../dir\";\nint n(int);\n" },
	{ "loop/beside.conf", "import \"../loop/dir\";\nint n(int);\n" },
	{ "loop/dir.conf", "int d(int);\n" },
};

static char *
path_of(const char *name)
{
	return xasprintf("%s/%s", top, name);
}

static void
make_tree(void)
{
	static const char *const directories[] = { "dir",
						   "user",
						   "installed",
						   "loop",
						   "wrong",
						   "installed/parts",
						   "installed/sets",
						   "loop/dir" };

	ck_assert_ptr_nonnull(mkdtemp(strcpy(top + strlen(top) - 6, "XXXXXX") -
				      (sizeof(top) - 7)));
	for (size_t i = 0; i < array_size(directories); i++) {
		char *path = path_of(directories[i]);

		ck_assert_int_eq(mkdir(path, 0700), 0);
		free(path);
	}
	for (size_t i = 0; i < array_size(files); i++) {
		char *path = path_of(files[i].path);
		FILE *file = fopen(path, "w");

		ck_assert_ptr_nonnull(file);
		fputs(files[i].text, file);
		fclose(file);
		free(path);
	}
}

static void
remove_tree(void)
{
	char *command = xasprintf("rm -r %s", top);

	ck_assert_int_eq(system(command), 0);
	free(command);
}

/*
 * Makes a search with the files of -F. If `rest`, the search also has the file
 * of the system and the directories of the user and of the installation.
 */
static struct search *
begin(const char *const *forced, size_t count, bool rest)
{
	struct search_places places = { .forced_count = count };
	const char **paths = xcalloc(count + 1, sizeof(*paths));
	char *user = path_of("user"), *system = path_of("system.conf");
	char *installed = path_of("installed");
	struct search *search;

	for (size_t i = 0; i < count; i++)
		paths[i] = path_of(forced[i]);
	places.forced = paths;
	if (rest) {
		places.user_directory = user;
		places.system_file = system;
		places.installed_directory = installed;
	}
	search = search_new(&places);
	for (size_t i = 0; i < count; i++)
		free((char *)paths[i]);
	free(paths);
	free(user);
	free(system);
	free(installed);
	return search;
}

static void
expect(struct search *search, const char *name, const char *soname,
       const char *param)
{
	const struct library *library = NULL;
	const struct proto *proto =
		search_proto(search, name, soname, &library);

	if (!param) {
		ck_assert_ptr_null(proto);
		return;
	}
	ck_assert_msg(proto != NULL, "%s@%s", name, soname);
	ck_assert_str_eq(proto->params[0].name, param);
	ck_assert_ptr_eq(library_proto(library, name), proto);
}

START_TEST(order)
{
	static const char *const one[] = { "one.conf" };
	static const char *const both[] = { "dir", "one.conf" };
	struct search *search = begin(one, 1, true);

	expect(search, "f", "libx.so.1.2", "one");
	search_free(search);
	search = begin(both, 2, true);
	expect(search, "f", "libx.so.1.2", "dir");
	expect(search, "f", "libz.so.1", "one");
	search_free(search);
	search = begin(NULL, 0, true);
	expect(search, "f", "libx.so.1.2", "user_1");
	expect(search, "f", "libx.so.2", "user");
	expect(search, "f", "libx.so", "user");
	expect(search, "g", "libx.so.1.2", "user");
	expect(search, "h", "libx.so.1.2", "user_all");
	expect(search, "h", NULL, "user_all");
	expect(search, "f", "libz.so.1", "system");
	expect(search, "f", NULL, "system");
	expect(search, "only_x", "libx.so.1", NULL);
	expect(search, "p", "libpython3.11.so.1.0", "installed");
	expect(search, "p", "libpython.so", NULL);
	ck_assert_uint_eq(search_complaints(search)->list.count, 0);
	search_free(search);
	search_free(NULL);
}
END_TEST

START_TEST(colons)
{
	static const char *const none[] = { "nothing" };
	char *both = xasprintf("%s/bad.conf::%s/one.conf", top, top);
	struct search_places places = { .forced = (const char *[]){ both },
					.forced_count = 1 };
	struct search *search = search_new(&places);

	/* f in bad.conf has a mistake, so f in one.conf is the first. */
	expect(search, "f", "libx.so.1", "one");
	ck_assert_ptr_nonnull(search_proto(search, "bad", NULL, NULL));
	ck_assert_uint_eq(search_complaints(search)->list.count, 2);
	search_free(search);
	free(both);
	search = begin(none, 1, false);
	ck_assert_uint_eq(search_complaints(search)->list.count, 1);
	ck_assert_str_eq(search_complaints(search)->list.at[0].text,
			 "No such file or directory");
	search_free(search);
}
END_TEST

START_TEST(imports)
{
	struct search *search = begin(NULL, 0, true);

	ck_assert_ptr_nonnull(search_proto(search, "y", "liby.so.3", NULL));
	ck_assert_ptr_nonnull(search_proto(search, "t", "liby.so.3", NULL));
	ck_assert_uint_eq(search_complaints(search)->list.count, 0);
	search_free(search);
}
END_TEST

/* The messages if user/xtrace.conf is not a readable file, and if it is
 * imported. */
START_TEST(what_is_no_file)
{
	static const char *const sentences[] = { "not a regular file",
						 "not a regular file",
						 "too large: 16 MiB or more" };
	cleanup(freep) char *path = path_of("user/xtrace.conf");
	cleanup(freep) char *importing = path_of("one.conf");
	const struct complaint *complaint;
	struct search *search;
	struct err err;
	FILE *file;

	ck_assert_int_eq(unlink(path), 0);
	if (_i == 0)
		ck_assert_int_eq(mkfifo(path, 0600), 0);
	else if (_i == 1)
		ck_assert_int_eq(symlink("/dev/zero", path), 0);
	else
		ck_assert_int_eq(close(creat(path, 0600)), 0);
	if (_i == 2)
		ck_assert_int_eq(truncate(path, 16 << 20), 0);
	file = fopen(importing, "w");
	ck_assert_ptr_nonnull(file);
	fputs("import \"user/xtrace\";\n", file);
	fclose(file);
	search = begin((const char *[]){ "one.conf" }, 1, true);
	ck_assert_int_eq(search_check_forced(search, &err), 0);
	ck_assert_uint_eq(search_complaints(search)->list.count, 2);
	complaint = &search_complaints(search)->list.at[0];
	ck_assert_str_eq(complaint->file, importing);
	ck_assert_ptr_nonnull(strstr(complaint->text, sentences[_i]));
	complaint = &search_complaints(search)->list.at[1];
	ck_assert_str_eq(complaint->file, path);
	ck_assert_str_eq(complaint->text, sentences[_i]);
	search_free(search);
	search = begin((const char *[]){ "user/xtrace.conf" }, 1, false);
	ck_assert_int_lt(search_check_forced(search, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, sentences[_i]));
	search_free(search);
}
END_TEST

/* A directory's table of aliases names the file for a library that has no file
 * of its own there. */
START_TEST(aliases)
{
	struct search *search = begin(NULL, 0, true);

	expect(search, "m", "libaa.so.2", "mine");
	expect(search, "f", "libaa.so.2", "system");
	expect(search, "p", "libbb.so.1.2", "installed");
	expect(search, "p", "libbb.so.2", NULL);
	expect(search, "c", "libz.so.1", "core");
	expect(search, "c", "/usr/bin/program", "core");
	/*
	 * libw.so.1 has no alias here, because the directory has a file for it.
	 */
	expect(search, "m", "libw.so.1", NULL);
	ck_assert_ptr_nonnull(search_proto(search, "w", "libw.so.1", NULL));
	ck_assert_uint_eq(search_complaints(search)->list.count, 0);
	/* An alias names a file, not another alias, and not itself. */
	for (int i = 0; i < 2; i++) {
		expect(search, "m", "libcc.so.1", NULL);
		expect(search, "m", "libv.so.1", NULL);
		ck_assert_uint_eq(search_complaints(search)->list.count, 2);
	}
	search_free(search);
}
END_TEST

/*
 * Imports of files in parts/: by their names, by the path of a folder without
 * parts/, and in the folder of a file that -F names.
 */
START_TEST(parts)
{
	static const char *const forced[] = { "installed/sets/set.conf" };
	struct search *search = begin(forced, 1, false);

	expect(search, "c", NULL, "core");
	ck_assert_uint_eq(search_complaints(search)->list.count, 0);
	search_free(search);
}
END_TEST

static void
expect_check(struct search *search, const char *name, size_t count,
	     const char *sentence)
{
	char *path = path_of(name);
	struct str to;

	str_init(&to);
	ck_assert_uint_eq(search_check(search, path, &to), count);
	if (sentence)
		ck_assert_msg(strstr(str_text(&to), sentence) != NULL, "%s",
			      str_text(&to));
	else
		ck_assert_str_eq(str_text(&to), "");
	str_release(&to);
	free(path);
}

START_TEST(check)
{
	struct search *search = begin(NULL, 0, false);

	expect_check(search, "one.conf", 0, NULL);
	expect_check(search, "bad.conf", 2,
		     "bad.conf:1:7: unknown type 'foo'\n"
		     "  int f(foo);\n"
		     "        ^\n");
	expect_check(search, "loop/a.conf", 1,
		     "b.conf:1:8: 'a.conf' imports this file\n");
	expect_check(search, "loop/none.conf", 1,
		     "there is no 'nothing' to import\n");
	expect_check(search, "loop/folder.conf", 1, "dir: a directory\n");
	expect_check(search, "loop/beside.conf", 0, NULL);
	expect_check(search, "absent", 1, "absent: No such file");
	expect_check(search, "absent/aliases", 1, "aliases: No such file");
	search_free(search);
}
END_TEST

/* Lines with a mistake in a table of aliases, and files with mistakes. */
START_TEST(check_aliases)
{
	static const char *const sentences[] = {
		":1:8: expected the name of a file\n"
		"  libd.so\n"
		"         ^\n",
		":2:2: the name of a library has no '/'\n",
		":3:11: expected the end of the line\n",
		":5:1: this name has an alias already\n",
		":6:9: expected the name of a file\n",
		":7:9: there is no 'absent'\n"
		"  libi.so absent\n"
		"          ^\n",
	};

	for (size_t i = 0; i < array_size(sentences); i++) {
		struct search *search = begin(NULL, 0, false);

		expect_check(search, "user/aliases", 2,
			     ":4:12: there is no "
			     "'libpython3.so.conf'");
		expect_check(search, "wrong/aliases", array_size(sentences),
			     sentences[i]);
		search_free(search);
	}
}
END_TEST

static void
expect_show(struct search *search, const char *name, const char *lines)
{
	struct err err = { "" };
	struct str to, wanted;

	str_init(&to);
	str_init(&wanted);
	for (const char *c = lines; c && *c; c++) {
		if (*c == '%')
			str_add(&wanted, top);
		else
			str_add_char(&wanted, *c);
	}
	ck_assert_int_eq(search_show(search, name, &to, &err),
			 lines ? 0 : -ENOENT);
	ck_assert_str_eq(str_text(&to), str_text(&wanted));
	ck_assert_int_eq(err.text[0] != '\0', lines == NULL);
	str_release(&to);
	str_release(&wanted);
}

START_TEST(show)
{
	struct search *search = begin(NULL, 0, true);

	expect_show(search, "f@libx.so.1.2",
		    "%/user/libx.so.1.conf:1: int f(string user_1);\n");
	expect_show(search, "f",
		    "%/user/libx.so.1.conf:1: int f(string user_1);\n"
		    "%/user/libx.so.conf:1: int f(string user);\n"
		    "%/system.conf:1: int f(string system);\n");
	expect_show(search, "s", "%/system.conf:2: int s(int);\n");
	expect_show(search, "y", "%/installed/liby.so.conf:2: int y(color);\n");
	expect_show(search, "t", "%/installed/types.conf:2: int t(int);\n");
	expect_show(search, "c",
		    "%/installed/parts/core.conf:2: int c(string core);\n");
	expect_show(search, "c@libz.so.1",
		    "%/installed/parts/core.conf:2: int c(string core);\n");
	expect_show(search, "nobody", NULL);
	expect_show(search, "nobody@libx.so", NULL);
	search_free(search);
}
END_TEST

START_TEST(names)
{
	static const struct {
		const char *soname, *names;
	} rows[] = {
		{ "libfoo.so.1.2", "libfoo.so.1.2 libfoo.so.1 libfoo.so" },
		{ "libfoo.so", "libfoo.so" },
		{ "libsqlite3.so.0", "libsqlite3.so.0 libsqlite3.so" },
		{ "libpython3.11.so.1.0",
		  "libpython3.11.so.1.0 libpython3.11.so.1 libpython3.11.so "
		  "libpython3.so" },
		{ "libruby-3.1.so.3.1",
		  "libruby-3.1.so.3.1 libruby-3.1.so.3 libruby-3.1.so "
		  "libruby-3.so libruby.so" },
		{ "/usr/bin/python3.11", "python3.11 python3" },
		{ "perl", "perl" },
		{ "libstdc++.so.6", "libstdc++.so.6 libstdc++.so" },
		{ "ld-linux-x86-64.so.2",
		  "ld-linux-x86-64.so.2 ld-linux-x86-64.so ld-linux-x86.so" },
		{ "libsoft.1", "libsoft.1 libsoft" },
		{ "1", "1" },
		{ ".1", ".1" },
		{ ".so", ".so" },
		{ "", "" },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		struct search_names given;
		struct str all;

		str_init(&all);
		search_names_init(&given, rows[i].soname);
		for (const char *name; (name = search_names_next(&given));) {
			str_add(&all, all.length ? " " : "");
			str_add(&all, name);
		}
		search_names_release(&given);
		ck_assert_str_eq(str_text(&all), rows[i].names);
		str_release(&all);
	}
}
END_TEST

Suite *
search_suite(void)
{
	Suite *suite = suite_create("search");
	TCase *tests = tcase_create("search");

	tcase_add_checked_fixture(tests, make_tree, remove_tree);
	tcase_add_test(tests, order);
	tcase_add_test(tests, colons);
	tcase_add_test(tests, imports);
	tcase_add_loop_test(tests, what_is_no_file, 0, 3);
	tcase_add_test(tests, aliases);
	tcase_add_test(tests, parts);
	tcase_add_test(tests, check);
	tcase_add_test(tests, check_aliases);
	tcase_add_test(tests, show);
	tcase_add_test(tests, names);
	suite_add_tcase(suite, tests);
	return suite;
}
