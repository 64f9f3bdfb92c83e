/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files root reads, if a stranger owns one part of the path. Only root
 * can give a file to a stranger, and only root refuses to read it. */
#include "base/attr.h"
#include "base/xmalloc.h"
#include "conf/find/trust.h"
#include "tests/unit/conf/suites.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STRANGER 65533 /* nobody is 65534, and may run this test */

static char top[] = "/tmp/xtrace-trust-XXXXXX";
static bool given;
static int before = -1; /* the folder in which the other suites work */

/* Makes top/a/b/file, and top/link -> a. There is no top/absent. */
static void
make_tree(void)
{
	strcpy(top + sizeof(top) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(top));
	before = open(".", O_PATH | O_CLOEXEC);
	ck_assert_int_eq(chdir(top), 0);
	ck_assert_int_eq(mkdir("a", 0700), 0);
	ck_assert_int_eq(mkdir("a/b", 0700), 0);
	ck_assert_int_eq(symlink("a", "link"), 0);
	ck_assert_int_eq(close(creat("a/b/file", 0600)), 0);
}

static void
remove_tree(void)
{
	unlink("a/b/file");
	rmdir("a/b");
	rmdir("a");
	unlink("link");
	ck_assert_int_eq(fchdir(before), 0);
	close(before);
	ck_assert_int_eq(rmdir(top), 0);
}

/* chown() gives EINVAL in a user namespace that has no other users. */
static void
give_away(const char *path)
{
	given = lchown(path, STRANGER, STRANGER) == 0;
	ck_assert(given || errno == EPERM || errno == EINVAL);
}

/* Expects a refusal whose message names the file or folder `named` below `top`.
 * If `named` is NULL, the path must be trusted, without a message. */
static void
expect(enum trust trust, const char *path, const char *named)
{
	cleanup(freep) char *absolute = xasprintf("%s/%s", top, path);
	bool refused = named && given;
	struct trusted trusted = { { NULL } };
	cleanup(freep) char *sentence = NULL;
	struct err err = { "" };

	ck_assert_int_eq(trust_path(trust, absolute, &err),
			 refused ? -EPERM : 0);
	ck_assert_int_eq(trust_path(trust, path, NULL), refused ? -EPERM : 0);
	for (int again = 0; again < 2; again++)
		ck_assert_int_eq(trust_file(&trusted, trust, path, NULL),
				 refused ? -EPERM : 0);
	trusted_release(&trusted);
	if (!refused)
		return;
	sentence = xasprintf("not read: %s%s%s belongs to user %d, and xtrace "
			     "runs as root",
			     *named ? top : "it", *named ? "/" : "", named,
			     STRANGER);
	ck_assert_str_eq(err.text, sentence);
}

START_TEST(ours)
{
	expect(TRUST_FOUND, "a/b/file", NULL);
	expect(TRUST_FOUND, "link/b/file", NULL);
	expect(TRUST_FOUND, "link/b//./../b/file", NULL);
	expect(TRUST_FOUND, "a/absent/file", NULL);
	expect(TRUST_FOUND, "absent", NULL);
	ck_assert_int_eq(trust_path(TRUST_FOUND, "", NULL), 0);
	ck_assert_int_eq(trust_path(TRUST_FOUND, "/", NULL), 0);
}
END_TEST

START_TEST(a_folder_of_a_stranger)
{
	give_away("a");
	expect(TRUST_FOUND, "a", "");
	expect(TRUST_FOUND, "a/b/file", "a");
	expect(TRUST_FOUND, "a/absent", "a");
	expect(TRUST_FOUND, "link/b/file", "link");
	expect(TRUST_NAMED, "a/b/file", NULL);
	give_away("a/b/file");
	expect(TRUST_FOUND, "a/b/file", "a");
}
END_TEST

START_TEST(a_link_of_a_stranger)
{
	give_away("link");
	expect(TRUST_FOUND, "link/b/file", "link");
	expect(TRUST_FOUND, "a/b/file", NULL);
}
END_TEST

START_TEST(a_file_of_a_stranger)
{
	give_away("a/b/file");
	expect(TRUST_FOUND, "a/b/file", "");
	expect(TRUST_FOUND, "a/b", NULL);
}
END_TEST

/* If one file of a folder is trusted, another one may still belong to a
 * stranger. */
START_TEST(after_a_file_of_ours)
{
	struct trusted trusted = { { NULL } };

	ck_assert_int_eq(trust_file(&trusted, TRUST_FOUND, "a/b/absent", NULL),
			 0);
	give_away("a/b/file");
	ck_assert_int_eq(trust_file(&trusted, TRUST_FOUND, "a/b/file", NULL),
			 given ? -EPERM : 0);
	ck_assert_int_eq(trust_file(&trusted, TRUST_FOUND, "a/absent", NULL),
			 0);
	give_away("a/b");
	ck_assert_int_eq(trust_file(&trusted, TRUST_FOUND, "a/b/absent", NULL),
			 given ? -EPERM : 0);
	trusted_release(&trusted);
}
END_TEST

START_TEST(from_a_folder_of_a_stranger)
{
	give_away(".");
	ck_assert_int_eq(trust_path(TRUST_FOUND, "a/b/file", NULL),
			 given ? -EPERM : 0);
}
END_TEST

START_TEST(owners)
{
	int refused = geteuid() == 0 ? -EPERM : 0;

	ck_assert_int_eq(trust_owner(TRUST_FOUND, getuid(), "it", NULL), 0);
	ck_assert_int_eq(trust_owner(TRUST_FOUND, 0, "it", NULL), 0);
	ck_assert_int_eq(trust_owner(TRUST_NAMED, STRANGER, "it", NULL), 0);
	ck_assert_int_eq(trust_owner(TRUST_FOUND, STRANGER, "it", NULL),
			 refused);
	ck_assert_int_eq(trust_owner(TRUST_OWN, geteuid(), "it", NULL), 0);
	ck_assert_int_eq(trust_owner(TRUST_OWN, 0, "it", NULL), 0);
	ck_assert_int_eq(trust_owner(TRUST_OWN, STRANGER, "it", NULL), -EPERM);
}
END_TEST

START_TEST(words)
{
	struct trusted trusted = { { NULL } };

	ck_assert(!trust_shows(&trusted, "a/b/file", getuid() + 1));
	ck_assert(trust_shows(&trusted, "a/b/file", getuid()));
	trusted_release(&trusted);
	give_away("a");
	ck_assert_int_eq(trust_shows(&trusted, "a/b/file", getuid()), !given);
	trusted_release(&trusted);
}
END_TEST

Suite *
trust_suite(void)
{
	Suite *suite = suite_create("trust");
	TCase *tests = tcase_create("trust");

	tcase_add_checked_fixture(tests, make_tree, remove_tree);
	tcase_add_test(tests, ours);
	tcase_add_test(tests, a_folder_of_a_stranger);
	tcase_add_test(tests, a_link_of_a_stranger);
	tcase_add_test(tests, a_file_of_a_stranger);
	tcase_add_test(tests, after_a_file_of_ours);
	tcase_add_test(tests, from_a_folder_of_a_stranger);
	tcase_add_test(tests, owners);
	tcase_add_test(tests, words);
	suite_add_tcase(suite, tests);
	return suite;
}
