/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library whose items are parsed when they are needed gives the same
 * prototypes, types and constants as one that is parsed at once: the files that
 * we ship, and pages that are difficult to skim.
 */
#include "base/fd.h"
#include "base/str.h"
#include "base/xmalloc.h"
#include "conf/dump/dump.h"
#include "conf/find/files.h"
#include "conf/model/library_parts.h"
#include "conf/parse/parse.h"
#include "tests/unit/conf/suites.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One file in two copies: now is parsed at once, later is parsed when names are
 * looked up. */
struct pair {
	struct files now_files, later_files;
	const struct library *now, *later;
};

static void
open_files(struct files *files, const char *path, bool later,
	   const struct library **ret_library)
{
	files_init(files, 0);
	files->parse_later = later;
	files_add_directory(files, "etc", TRUST_INSTALLED);
	*ret_library = files_read(files, path, TRUST_INSTALLED, true)->library;
	ck_assert_ptr_nonnull(*ret_library);
}

static void
open_pair(struct pair *pair, const char *path)
{
	open_files(&pair->now_files, path, false, &pair->now);
	open_files(&pair->later_files, path, true, &pair->later);
}

static void
close_later(struct pair *pair)
{
	const struct complaints *complaints = &pair->later_files.complaints;
	struct str said;

	str_init(&said);
	for (size_t i = 0; i < complaints->list.count; i++)
		complaint_print(&complaints->list.at[i], &said);
	ck_assert_str_eq(str_text(&said), "");
	str_release(&said);
	files_release(&pair->later_files);
}

static void
close_pair(struct pair *pair)
{
	close_later(pair);
	files_release(&pair->now_files);
}

static void
same_proto(const struct pair *pair, const struct proto *now)
{
	const struct proto *later = library_proto(pair->later, now->name);
	struct str a, b;

	str_init(&a);
	str_init(&b);
	ck_assert_msg(later, "%s:%u: %s is not found", now->file, now->line,
		      now->name);
	dump_proto(pair->now, now, &a);
	dump_proto(pair->later, later, &b);
	str_addf(&a, " %s:%u:%u", now->file, now->line, now->column);
	str_addf(&b, " %s:%u:%u", later->file, later->line, later->column);
	ck_assert_str_eq(str_text(&a), str_text(&b));
	str_release(&a);
	str_release(&b);
}

static void
same_protos(const char *path, bool forwards)
{
	struct pair pair;
	size_t count;

	open_pair(&pair, path);
	count = pair.now->proto_list.count;
	for (size_t i = 0; i < count; i++)
		same_proto(&pair, pair.now->proto_list
					  .at[forwards ? i : count - 1 - i]);
	close_pair(&pair);
}

/* Looks up each prototype in a library of which nothing else was parsed. */
static void
same_protos_alone(const char *path)
{
	struct pair pair;

	open_files(&pair.now_files, path, false, &pair.now);
	for (size_t i = 0; i < pair.now->proto_list.count; i += 37) {
		open_files(&pair.later_files, path, true, &pair.later);
		same_proto(&pair, pair.now->proto_list.at[i]);
		close_later(&pair);
	}
	files_release(&pair.now_files);
}

static void
same_types(const char *path)
{
	struct pair pair;

	open_pair(&pair, path);
	for (size_t i = pair.now->type_list.count; i--;) {
		const struct named_type *now = pair.now->type_list.at[i];
		const struct type *later = library_type(pair.later, now->name);

		/*
		 * A type that a prototype names, but the file does not define.
		 */
		if (now->name[0] == '?' ||
		    (strchr(now->name, ' ') && !type_complete(now->type)))
			continue;
		ck_assert_msg(later, "%s: %s is not found", path, now->name);
		ck_assert_msg(type_same(now->type, later), "%s: %s differs",
			      path, now->name);
	}
	close_pair(&pair);
}

static void
same_constants(const char *path)
{
	struct pair pair;

	open_pair(&pair, path);
	for (size_t i = pair.now->constant_list.count; i--;) {
		const char *name = pair.now->constant_list.at[i]->name;
		int64_t a = 0, b = 0;

		ck_assert_msg(library_constant(pair.now, name, &a) ==
				      library_constant(pair.later, name, &b),
			      "%s: %s", path, name);
		ck_assert_int_eq(a, b);
	}
	close_pair(&pair);
}

/* If a library is parsed later, library_parse_all() completes the list of its
 * prototypes. */
static void
same_list(const char *path)
{
	struct pair pair;
	size_t count = 0;

	open_pair(&pair, path);
	library_parse_all(pair.later);
	while (library_proto_at(pair.later, count))
		count++;
	ck_assert_uint_eq(count, pair.now->proto_list.count);
	close_pair(&pair);
}

static void
check_files(const char *pattern)
{
	glob_t found;

	ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i];

		same_protos(path, true);
		same_protos(path, false);
		same_protos_alone(path);
		same_types(path);
		same_constants(path);
		same_list(path);
	}
	globfree(&found);
}

START_TEST(files_we_ship)
{
	check_files("etc/*.conf");
	check_files("etc/parts/*.conf");
	check_files("etc/sets/*.conf");
	check_files("etc/probes/*.conf");
}
END_TEST

/* The number of items that are parsed immediately, and not only when a name is
 * looked up. */
static size_t
parsed_at_once(const char *text)
{
	struct complaints complaints;
	struct library *library;
	size_t count;

	complaints_init(&complaints);
	library = library_parse_later("t", text, strlen(text), NULL,
				      &complaints, false);
	count = library->proto_list.count + library->type_list.count;
	library_free(library);
	complaints_release(&complaints);
	return count;
}

START_TEST(deferred)
{
	ck_assert_uint_eq(parsed_at_once("int f(int);\nint g(void);\n"
					 "typedef x = flags(A, B);\n"
					 "struct s { int n; };\n"
					 "alias h = f; # a comment\n"),
			  0);
	ck_assert_uint_eq(parsed_at_once("errno(int) f(hex(int) a,\n\tint b);\n"
					 "hex(int) g(const char *, ...);\n"
					 "alias h = f;\nalias  i=g;\n"
					 "int (*j(int))(int);\n"),
			  0);
	/* The end of an item without a ';', and notes, are left to the
	 * parser. */
	ck_assert_uint_eq(parsed_at_once("int f(int)\nint g(int);\n"), 2);
	ck_assert_uint_eq(parsed_at_once("int f(int,\nint g);\n"), 1);
	ck_assert_uint_eq(parsed_at_once("int f(int); a note\n"), 1);
	/* an item with an alias is parsed immediately, and so is the item with
	 * the alias's prototype */
	ck_assert_uint_eq(parsed_at_once("int f(int);\nalias h = f; a note\n"),
			  2);
}
END_TEST

static void
check_text(const char *text, const char *name, const char *expected)
{
	struct complaints complaints;
	struct library *library;
	const struct proto *proto;
	struct str dump;

	complaints_init(&complaints);
	str_init(&dump);
	library = library_parse_later("t", text, strlen(text), NULL,
				      &complaints, false);
	proto = library_proto(library, name);
	if (proto)
		dump_proto(library, proto, &dump);
	for (size_t i = 0; i < complaints.list.count; i++) {
		str_add_char(&dump, '\n');
		complaint_print(&complaints.list.at[i], &dump);
	}
	ck_assert_str_eq(str_text(&dump), expected);
	str_release(&dump);
	library_free(library);
	complaints_release(&complaints);
}

/* How many prototypes of a file are parsed before a name is looked up. */
static size_t
parsed_of_file(void)
{
	const struct library *library;
	struct files files;
	size_t count;

	open_files(&files, "etc/parts/libc-stdio.conf", true, &library);
	count = library->proto_list.count;
	ck_assert_ptr_nonnull(library_proto(library, "fgets"));
	ck_assert_uint_gt(library->proto_list.count, count);
	files_release(&files);
	return count;
}

/* Parses a file for a user that is not its owner. Only the real user id
 * changes; the effective user id stays. */
START_TEST(for_each_user)
{
	const uid_t user = getuid();
	const size_t count = parsed_of_file();

	ck_assert(setreuid(65533, (uid_t)-1) == 0 || errno == EPERM ||
		  errno == EINVAL);
	ck_assert_uint_eq(parsed_of_file(), count);
	ck_assert_int_eq(setreuid(user, (uid_t)-1), 0);
}
END_TEST

START_TEST(imports_are_read_when_needed)
{
	const struct library *now, *later;
	struct files now_files, files;
	size_t all;

	open_files(&now_files, "etc/libc.so.conf", false, &now);
	all = now_files.list.count;
	ck_assert_uint_gt(all, 20);
	open_files(&files, "etc/libc.so.conf", true, &later);
	ck_assert_uint_eq(files.list.count, 1);
	/* The prototype of malloc is in the first file that the first import
	 * imports. */
	ck_assert(library_has_proto(later, "malloc"));
	ck_assert_uint_eq(files.list.count, 3);
	ck_assert_ptr_nonnull(library_proto(later, "malloc"));
	ck_assert_uint_le(files.list.count, 4);
	ck_assert(!library_has_proto(later, "no_such_function"));
	ck_assert_uint_eq(files.list.count, all);
	files_release(&now_files);
	files_release(&files);
}
END_TEST

static void
write_file(const char *folder, const char *name, const char *text)
{
	cleanup(freep) char *path = xasprintf("%s/%s", folder, name);
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

/* Two files import each other. Each lookup ends, and finds the names of both
 * files. */
START_TEST(files_that_import_each_other)
{
	char folder[] = "/tmp/xtrace-imports-XXXXXX";
	cleanup(freep) char *a = NULL, *b = NULL;
	const struct library *library;
	struct files files;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	a = xasprintf("%s/a.conf", folder);
	b = xasprintf("%s/b.conf", folder);
	write_file(folder, "a.conf", "import \"b.conf\"\nint f(t);\n");
	write_file(folder, "b.conf",
		   "import \"a.conf\";\ntypedef int t;\nint g(t, u);\n");
	open_files(&files, a, true, &library);
	ck_assert_ptr_nonnull(library_proto(library, "f"));
	ck_assert(library_has_proto(library, "g"));
	ck_assert_ptr_null(library_proto(library, "h"));
	ck_assert_ptr_null(library_type(library, "u"));
	ck_assert_uint_eq(files.list.count, 2);
	files_release(&files);
	unlink(a);
	unlink(b);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* The text of a file that the user may not read is in no complaint. */
START_TEST(hushed)
{
	static const char text[] = "int f(secret);\n";
	struct complaints complaints;
	struct library *library;
	struct str said;

	complaints_init(&complaints);
	str_init(&said);
	library = library_parse_later("t", text, strlen(text), NULL,
				      &complaints, true);
	ck_assert_uint_eq(complaints.list.count, 0);
	library_proto(library, "f");
	ck_assert_uint_eq(complaints.list.count, 1);
	complaint_print(&complaints.list.at[0], &said);
	ck_assert(!strstr(str_text(&said), "secret"));
	ck_assert(!strncmp(str_text(&said), "t:1:", 4));
	str_release(&said);
	library_free(library);
	complaints_release(&complaints);
}
END_TEST

START_TEST(found_by_name)
{
	check_text("void (*signal(int n, void (*f)(int)))(int);\n", "signal",
		   "void (*signal(int n, void (*f)(int)))(int);");
	check_text("errno(addr) f(int n);\n", "f", "errno(addr) f(int n);");
	/* The name of a lens is the function's name if no other name is before
	 * the bracket. */
	check_text("int hex(int);\n", "hex", "int hex(int);");
	/*
	 * If a function has two prototypes, the later one in the file counts,
	 * whichever is parsed first.
	 */
	check_text("int f(int);\nint f(int, int);\n", "f", "int f(int, int);");
	check_text("alias f = g;\nint g(int);\nint f(long);\n", "f",
		   "int f(long);");
	/*
	 * A prototype uses types and constants that are defined before it or
	 * behind it.
	 */
	check_text(
		"int f(t, string[N]);\nenum { N = 3 };\ntypedef t = hex(int);"
		"\n",
		"f", "int f(t, string[N]);");
}
END_TEST

START_TEST(mistakes_are_told_when_parsed)
{
	const char *text = "int f(int);\n\nint g(nonsense x);\n";

	check_text(text, "f", "int f(int);");
	check_text(text, "g", "\nt:3:7: unknown type 'nonsense'");
}
END_TEST

Suite *
deferred_suite(void)
{
	Suite *suite = suite_create("deferred");
	TCase *cases = tcase_create("deferred");

	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, files_we_ship);
	tcase_add_test(cases, deferred);
	tcase_add_test(cases, for_each_user);
	tcase_add_test(cases, hushed);
	tcase_add_test(cases, imports_are_read_when_needed);
	tcase_add_test(cases, files_that_import_each_other);
	tcase_add_test(cases, found_by_name);
	tcase_add_test(cases, mistakes_are_told_when_parsed);
	suite_add_tcase(suite, cases);
	return suite;
}
