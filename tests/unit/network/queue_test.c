/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A queue: texts come out in their order; if there is no room, the oldest are
 * dropped and counted, whichever process is faster. */
#include "tests/unit/network/suites.h"

#include "network/queue.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXTS 200000u
#define LONGEST 300u

static void
put(struct queue *queue, const char *text, uint32_t items)
{
	queue_put(queue, text, strlen(text), items);
}

START_TEST(keeps_the_order)
{
	struct queue *queue = queue_new(64);
	struct str text = { 0 };
	uint32_t items;

	ck_assert(!queue_take(queue, &text, &items));
	for (int round = 0; round < 20; round++) {
		put(queue, "one", 1);
		put(queue, "", 0);
		put(queue, "three three three", 3);
		ck_assert(queue_take(queue, &text, &items));
		ck_assert_str_eq(str_text(&text), "one");
		ck_assert_uint_eq(items, 1);
		ck_assert(queue_take(queue, &text, &items));
		ck_assert_uint_eq(text.length, 0);
		ck_assert(queue_take(queue, &text, &items));
		ck_assert_str_eq(str_text(&text), "three three three");
		ck_assert_uint_eq(items, 3);
		ck_assert(!queue_take(queue, &text, &items));
	}
	ck_assert_uint_eq(queue_dropped(queue), 0);
	str_release(&text);
	queue_free(queue);
}
END_TEST

START_TEST(drops_the_oldest)
{
	struct queue *queue = queue_new(64);
	struct str text = { 0 };
	uint32_t items;
	char longer[64];

	/* In the queue, each text needs 8 bytes in addition to its own. */
	put(queue, "0123456789abcdef", 5);
	put(queue, "second", 7);
	put(queue, "third, which needs the room", 11);
	ck_assert_uint_eq(queue_dropped(queue), 5);
	ck_assert(queue_take(queue, &text, &items));
	ck_assert_str_eq(str_text(&text), "second");
	memset(longer, 'x', sizeof(longer));
	queue_put(queue, longer, 57, 100);
	ck_assert_uint_eq(queue_dropped(queue), 105);
	queue_put(queue, longer, 56, 1000);
	ck_assert_uint_eq(queue_dropped(queue), 116);
	ck_assert(queue_take(queue, &text, &items));
	ck_assert_uint_eq(items, 1000);
	ck_assert_uint_eq(text.length, 56);
	str_release(&text);
	queue_free(queue);
}
END_TEST

/* Text `number` has this number at both ends. */
static size_t
make_text(uint32_t number, char *text)
{
	size_t length = sizeof(number) * 2 + number * 7919 % LONGEST;

	memset(text, (int)(number % 251), length);
	memcpy(text, &number, sizeof(number));
	memcpy(text + length - sizeof(number), &number, sizeof(number));
	return length;
}

static void
put_all(struct queue *queue, atomic_int *done)
{
	char text[LONGEST + 16];

	for (uint32_t number = 1; number <= TEXTS; number++)
		queue_put(queue, text, make_text(number, text), 1);
	atomic_store(done, 1);
	_exit(0);
}

START_TEST(loses_nothing_uncounted)
{
	struct queue *queue = queue_new(4096);
	atomic_int *done = mmap(NULL, sizeof(*done), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct str text = { 0 };
	uint32_t items, last = 0, taken = 0;
	pid_t child = fork();

	if (child == 0)
		put_all(queue, done);
	for (bool over = false; !over;) {
		over = atomic_load(done);
		while (queue_take(queue, &text, &items)) {
			char wanted[LONGEST + 16];
			uint32_t number;

			memcpy(&number, text.text, sizeof(number));
			ck_assert_uint_gt(number, last);
			ck_assert_uint_eq(text.length,
					  make_text(number, wanted));
			ck_assert_mem_eq(text.text, wanted, text.length);
			last = number;
			taken++;
		}
	}
	ck_assert_uint_eq(last, TEXTS);
	ck_assert_uint_eq(taken + queue_dropped(queue), TEXTS);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	munmap(done, sizeof(*done));
	str_release(&text);
	queue_free(queue);
}
END_TEST

Suite *
queue_suite(void)
{
	Suite *suite = suite_create("queue");
	TCase *tests = tcase_create("queue");

	tcase_add_test(tests, keeps_the_order);
	tcase_add_test(tests, drops_the_oldest);
	tcase_add_test(tests, loses_nothing_uncounted);
	suite_add_tcase(suite, tests);
	return suite;
}
