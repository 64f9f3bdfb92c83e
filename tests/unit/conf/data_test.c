/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages of tests/conf: prototypes, and the expected canonical text and
 * complaints.
 *
 *	@@ title of the page
 *	int f(char *name);
 *	@@ gives
 *	int f(addr(char) name);
 *	@@ says
 *	page.t:1:7: unknown type 'nmae'
 *
 * "@@ gives" and "@@ says" may be left out if they are empty. The canonical
 * text is parsed again: the result must be the same, without complaints.
 */
#include "base/fd.h"
#include "base/str.h"
#include "base/xmalloc.h"
#include "conf/dump/dump.h"
#include "conf/model/library.h"
#include "conf/parse/parse.h"
#include "conf/find/search.h"
#include "tests/unit/conf/suites.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum part { PART_INPUT, PART_GIVES, PART_SAYS, PARTS };

struct page {
	const char *path;
	unsigned line;
	struct str title;
	struct str parts[PARTS];
};

static void
add_complaints(const struct complaints *complaints, struct str *to)
{
	for (size_t i = 0; i < complaints->list.count; i++) {
		complaint_print(&complaints->list.at[i], to);
		str_add_char(to, '\n');
	}
}

/* Parses text: its prototypes, and its complaints. */
static void
read_text(const char *text, struct str *gives, struct str *says)
{
	struct complaints complaints;
	struct library *library;

	complaints_init(&complaints);
	library = library_parse("t", text, strlen(text), NULL, &complaints);
	dump_library(library, gives);
	add_complaints(&complaints, says);
	library_free(library);
	complaints_release(&complaints);
}

static bool
compare(const struct page *page, const char *what, const struct str *expected,
	const struct str *actual)
{
	if (!strcmp(str_text(expected), str_text(actual)))
		return true;
	fprintf(stderr, "%s:%u: %s: it %s\n%sand not\n%s\n", page->path,
		page->line, str_text(&page->title), what, str_text(actual),
		str_text(expected));
	return false;
}

static bool
check_page(const struct page *page)
{
	struct str gives, says, again, nothing;
	bool good;

	str_init(&gives);
	str_init(&says);
	str_init(&again);
	str_init(&nothing);
	read_text(str_text(&page->parts[PART_INPUT]), &gives, &says);
	good = compare(page, "gives", &page->parts[PART_GIVES], &gives);
	good &= compare(page, "says", &page->parts[PART_SAYS], &says);
	str_clear(&says);
	read_text(str_text(&gives), &again, &says);
	good &= compare(page, "gives, when read again,", &gives, &again);
	good &= compare(page, "says, when read again,", &nothing, &says);
	str_release(&gives);
	str_release(&says);
	str_release(&again);
	str_release(&nothing);
	return good;
}

static void
clear(struct page *page)
{
	str_release(&page->title);
	for (int i = 0; i < PARTS; i++)
		str_release(&page->parts[i]);
}

/* The part of a page that begins with this line, or PARTS if the line is the
 * title of a page. */
static enum part
part_of(const char *line, size_t length)
{
	if (length == 8 && !memcmp(line, "@@ gives", length))
		return PART_GIVES;
	if (length == 7 && !memcmp(line, "@@ says", length))
		return PART_SAYS;
	return PARTS;
}

static unsigned
check_text(const char *path, const char *text)
{
	struct page page = { .path = path };
	enum part part = PART_INPUT;
	unsigned bad = 0, line = 0;

	while (*text) {
		size_t length = strcspn(text, "\n");

		line++;
		if (strncmp(text, "@@ ", 3) != 0) {
			str_add_bytes(&page.parts[part], text, length + 1);
		} else if ((part = part_of(text, length)) == PARTS) {
			if (page.line > 0)
				bad += !check_page(&page);
			clear(&page);
			page.line = line;
			str_add_bytes(&page.title, text + 3, length - 3);
			part = PART_INPUT;
		}
		text += length + 1;
	}
	if (page.line > 0)
		bad += !check_page(&page);
	clear(&page);
	return bad;
}

START_TEST(all_pages)
{
	glob_t found;

	ck_assert_int_eq(glob("tests/conf/*.t", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char *text;
		size_t length;

		ck_assert_int_eq(fd_read_file(found.gl_pathv[i], &text,
					      &length),
				 0);
		ck_assert_uint_eq(check_text(found.gl_pathv[i], text), 0);
		free(text);
	}
	globfree(&found);
}
END_TEST

/* Checks the prototype files that match the pattern. Returns their number,
 * which may be 0. */
static size_t
check_files(const char *pattern)
{
	glob_t found;
	size_t count;

	if (glob(pattern, 0, NULL, &found) != 0)
		return 0;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct search *search =
			search_new(&(struct search_places){ 0 });
		struct str says;

		str_init(&says);
		search_check(search, found.gl_pathv[i], &says);
		ck_assert_str_eq(str_text(&says), "");
		str_release(&says);
		search_free(search);
	}
	count = found.gl_pathc;
	globfree(&found);
	return count;
}

/* The files of Debian's ltrace, 0.7.3 or later, are accepted unchanged. */
START_TEST(files_of_ltrace)
{
	if (check_files("/etc/ltrace.conf") +
		    check_files("/usr/share/ltrace/*.conf") ==
	    0)
		fprintf(stderr, "skip: the package ltrace is not installed\n");
}
END_TEST

START_TEST(files_we_ship)
{
	ck_assert_uint_gt(check_files("etc/*.conf"), 0);
	ck_assert_uint_gt(check_files("etc/parts/*.conf"), 0);
	ck_assert_uint_gt(check_files("etc/sets/*.conf"), 0);
}
END_TEST

/* The examples of the manual page: the text between .EX and .EE. */
static void
add_examples(const char *page, struct str *to)
{
	while ((page = strstr(page, "\n.EX\n"))) {
		const char *end = strstr(page, "\n.EE\n");

		ck_assert_ptr_nonnull(end);
		str_add_bytes(to, page + 5, (size_t)(end - page - 4));
		page = end;
	}
}

START_TEST(examples_of_the_manual)
{
	struct str text, gives, says;
	char *page;

	str_init(&text);
	str_init(&gives);
	str_init(&says);
	ck_assert_int_eq(fd_read_file("docs/xtrace.conf.5", &page, NULL), 0);
	/* A set's file may contain everything that other files may. */
	str_add(&text, "set \"examples\";\n"
		       "int mysql_stmt_prepare(void *stmt, string query);\n"
		       "int mysql_stmt_execute(void *stmt);\n"
		       "int mysql_stmt_close(void *stmt);\n"
		       "unsigned mysql_stmt_errno(void *stmt);\n"
		       "string mysql_stmt_error(void *stmt);\n"
		       "typedef fcntl_command = enum(F_DUPFD=0, F_SETFL=4);\n"
		       "typedef open_flags = flags(int, O_CREAT=0100);\n");
	add_examples(page, &text);
	read_text(str_text(&text), &gives, &says);
	ck_assert_str_eq(str_text(&says), "");
	ck_assert_ptr_nonnull(strstr(str_text(&gives), "shop_list"));
	str_release(&text);
	str_release(&gives);
	str_release(&says);
	free(page);
}
END_TEST

Suite *
data_suite(void)
{
	Suite *suite = suite_create("data");
	TCase *tests = tcase_create("data");

	tcase_add_test(tests, all_pages);
	tcase_add_test(tests, files_of_ltrace);
	tcase_add_test(tests, files_we_ship);
	tcase_add_test(tests, examples_of_the_manual);
	suite_add_tcase(suite, tests);
	return suite;
}
