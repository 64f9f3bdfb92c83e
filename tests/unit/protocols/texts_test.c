/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of prepared statements are kept, up to a limit. */
#include "tests/unit/protocols/suites.h"

#include "protocols/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
put(struct texts *texts, uint64_t key, const char *bytes)
{
	struct text *text = text_new(bytes, strlen(bytes), strlen(bytes));

	texts_put(texts, key, text);
	text_unref(text);
}

START_TEST(remembered)
{
	struct texts texts;

	texts_init(&texts);
	put(&texts, 1, "one");
	put(&texts, 2, "two");
	put(&texts, 1, "uno");
	ck_assert_str_eq(texts_get(&texts, 1)->bytes, "uno");
	ck_assert_str_eq(texts_get(&texts, 2)->bytes, "two");
	texts_forget(&texts, 2);
	texts_forget(&texts, 3);
	ck_assert_ptr_null(texts_get(&texts, 2));
	texts_put(&texts, 1, NULL);
	ck_assert_ptr_null(texts_get(&texts, 1));
	ck_assert_uint_eq(texts.bytes, 0);
	texts_release(&texts);
}
END_TEST

START_TEST(bounded_by_count)
{
	struct texts texts;

	texts_init(&texts);
	for (uint64_t i = 0; i < 3 * TEXTS_MOST; i++) {
		put(&texts, i, "x");
		if (i > 0)
			ck_assert_ptr_nonnull(texts_get(&texts, 0));
	}
	ck_assert_uint_eq(texts.count, TEXTS_MOST);
	ck_assert_ptr_null(texts_get(&texts, 1));
	ck_assert_ptr_nonnull(texts_get(&texts, 3 * TEXTS_MOST - 1));
	texts_release(&texts);
}
END_TEST

START_TEST(bounded_by_bytes)
{
	char *large = malloc(1 << 20);
	struct texts texts;

	memset(large, 'x', (1 << 20) - 1);
	large[(1 << 20) - 1] = '\0';
	texts_init(&texts);
	for (uint64_t i = 0; i < 50; i++)
		put(&texts, i, large);
	ck_assert_uint_le(texts.bytes, TEXTS_BYTES_MOST);
	ck_assert_ptr_nonnull(texts_get(&texts, 49));
	texts_clear(&texts);
	ck_assert_uint_eq(texts.bytes, 0);
	texts_release(&texts);
	free(large);
}
END_TEST

START_TEST(keys)
{
	ck_assert(texts_key('S', "a", 1) != texts_key('P', "a", 1));
	ck_assert(texts_key('S', "a", 1) != texts_key('S', "a", 0));
	ck_assert(texts_key('S', "ab", 2) != texts_key('S', "ba", 2));
}
END_TEST

Suite *
texts_suite(void)
{
	Suite *suite = suite_create("texts");
	TCase *tests = tcase_create("texts");

	tcase_add_test(tests, remembered);
	tcase_add_test(tests, bounded_by_count);
	tcase_add_test(tests, bounded_by_bytes);
	tcase_add_test(tests, keys);
	suite_add_tcase(suite, tests);
	return suite;
}
