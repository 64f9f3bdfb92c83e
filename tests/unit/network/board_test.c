/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A reader of a board always gets a whole version, even if the next version is
 * being published. */
#include "tests/unit/network/suites.h"

#include "network/board.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define READS 2000
#define LENGTH_MOST 5000

START_TEST(has_the_newest_version)
{
	struct board *board = board_new();
	struct str text = { 0 };

	ck_assert(board_read(board, &text));
	ck_assert_str_eq(str_text(&text), "");
	ck_assert(board_publish(board, "one", 3));
	ck_assert(board_publish(board, "two, longer", 11));
	ck_assert(board_publish(board, "three", 5));
	ck_assert(board_read(board, &text));
	ck_assert_str_eq(str_text(&text), "three");
	str_release(&text);
	board_free(board);
}
END_TEST

START_TEST(refuses_a_long_text)
{
	static char bytes[BOARD_MOST + 1];
	struct board *board = board_new();
	struct str text = { 0 };

	memset(bytes, 'x', sizeof(bytes));
	ck_assert(board_publish(board, "old", 3));
	ck_assert(!board_publish(board, bytes, sizeof(bytes)));
	ck_assert(board_read(board, &text));
	ck_assert_str_eq(str_text(&text), "old");
	ck_assert(board_publish(board, bytes, BOARD_MOST));
	ck_assert(board_read(board, &text));
	ck_assert_uint_eq(text.length, BOARD_MOST);
	str_release(&text);
	board_free(board);
}
END_TEST

/* The other process: publishes versions without end. Each version consists of
 * one letter, repeated. */
static void
publish_letters(struct board *board)
{
	char bytes[LENGTH_MOST];

	for (unsigned i = 0;; i++) {
		size_t length = 1 + i * 37 % LENGTH_MOST;

		memset(bytes, 'a' + (int)(i % 26), length);
		board_publish(board, bytes, length);
	}
}

START_TEST(is_never_torn)
{
	struct board *board = board_new();
	struct str text = { 0 };
	unsigned got = 0;
	pid_t child = fork();

	if (child == 0)
		publish_letters(board);
	while (got < READS) {
		if (!board_read(board, &text))
			continue;
		got++;
		ck_assert_uint_eq(text.length,
				  strspn(str_text(&text),
					 (char[]){ text.length ? text.text[0]
							       : 'a',
						   '\0' }));
	}
	kill(child, SIGKILL);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	str_release(&text);
	board_free(board);
}
END_TEST

Suite *
board_suite(void)
{
	Suite *suite = suite_create("board");
	TCase *tests = tcase_create("board");

	tcase_add_test(tests, has_the_newest_version);
	tcase_add_test(tests, refuses_a_long_text);
	tcase_add_test(tests, is_never_torn);
	suite_add_tcase(suite, tests);
	return suite;
}
