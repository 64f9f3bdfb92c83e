/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares a histogram's percentiles with the percentiles of the sorted
 * numbers. */
#include "suites.h"

#include "output/tables/histogram.h"

#include <math.h>
#include <stdlib.h>

#define NUMBERS 20000u

static int
compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

static uint64_t
exact(const uint64_t *sorted, uint64_t count, unsigned per_mille)
{
	uint64_t rank = (count * per_mille + 999) / 1000;

	return sorted[rank > 0 ? rank - 1 : 0];
}

static void
expect_close(const struct histogram *histogram, const uint64_t *sorted,
	     unsigned count)
{
	for (unsigned i = 0; i <= 1000; i += i < 990 ? 10 : 1) {
		uint64_t want = exact(sorted, count, i);
		uint64_t got = histogram_percentile(histogram, i);
		double off = fabs((double)got - (double)want);

		ck_assert_msg(off <= HISTOGRAM_ERROR * (double)want,
			      "p%u: %lu for %lu", i, got, want);
		if (want < 128)
			ck_assert_uint_eq(got, want);
	}
}

/* A number in [0, 2^bits); all powers of two are equally likely. */
static uint64_t
random_number(unsigned bits)
{
	uint64_t value = (uint64_t)random() << 33 ^ (uint64_t)random() << 15 ^
			 (uint64_t)random();

	return value >> ((unsigned)random() % bits + 64 - bits);
}

START_TEST(percentiles_are_within_the_error)
{
	static uint64_t numbers[NUMBERS];
	unsigned bits = _i == 0 ? 7 : _i == 1 ? 35 : 63;
	struct histogram histogram;

	srandom(1);
	histogram_init(&histogram);
	for (unsigned i = 0; i < NUMBERS; i++) {
		numbers[i] = random_number(bits);
		histogram_add(&histogram, numbers[i]);
	}
	qsort(numbers, NUMBERS, sizeof(numbers[0]), compare);
	expect_close(&histogram, numbers, NUMBERS);
	ck_assert_uint_eq(histogram.count, NUMBERS);
	ck_assert_uint_eq(histogram.least, numbers[0]);
	ck_assert_uint_eq(histogram.most, numbers[NUMBERS - 1]);
	histogram_release(&histogram);
}
END_TEST

START_TEST(merged_is_counted_together)
{
	struct histogram parts[3], merged, all;

	srandom(2);
	histogram_init(&merged);
	histogram_init(&all);
	for (unsigned i = 0; i < 3; i++) {
		histogram_init(&parts[i]);
		for (unsigned j = 0; j < 1000; j++) {
			uint64_t number = random_number(30);

			histogram_add(&parts[i], number);
			histogram_add(&all, number);
		}
		histogram_merge(&merged, &parts[i]);
		histogram_release(&parts[i]);
	}
	for (unsigned i = 0; i <= 1000; i++)
		ck_assert_uint_eq(histogram_percentile(&merged, i),
				  histogram_percentile(&all, i));
	ck_assert_uint_eq(merged.sum, all.sum);
	ck_assert_uint_eq(merged.least, all.least);
	ck_assert_uint_eq(merged.most, all.most);
	histogram_release(&merged);
	histogram_release(&all);
}
END_TEST

START_TEST(empty_and_single)
{
	struct histogram histogram;

	histogram_init(&histogram);
	ck_assert_uint_eq(histogram_percentile(&histogram, 500), 0);
	ck_assert_uint_eq(histogram_mean(&histogram), 0);
	histogram_add(&histogram, 1000600000);
	/*
	 * With only one number, a percentile is that number, and not the middle
	 * of its step.
	 */
	ck_assert_uint_eq(histogram_percentile(&histogram, 0), 1000600000);
	ck_assert_uint_eq(histogram_percentile(&histogram, 500), 1000600000);
	ck_assert_uint_eq(histogram_percentile(&histogram, 1000), 1000600000);
	histogram_release(&histogram);
}
END_TEST

/* A histogram of numbers that are only known to be in a step of 64 has nearly
 * the same percentiles as one of the exact numbers. */
START_TEST(about_is_near)
{
	struct histogram near, exact;

	srandom(3);
	histogram_init(&near);
	histogram_init(&exact);
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t number = random_number(30);

		histogram_add(&exact, (int64_t)number);
		histogram_add_about(&near, number / 64 * 64 + 32, 3);
		histogram_add_about(&near, number / 64 * 64 + 32, (uint64_t)-2);
	}
	ck_assert_uint_eq(near.count, exact.count);
	histogram_correct(&near, exact.sum - near.sum, exact.most);
	ck_assert_int_eq(near.sum, exact.sum);
	ck_assert_uint_eq(near.most, exact.most);
	for (unsigned i = 0; i <= 1000; i++) {
		double want = (double)histogram_percentile(&exact, i);
		double got = (double)histogram_percentile(&near, i);

		ck_assert(fabs(got - want) <= 64 + 2 * HISTOGRAM_ERROR * want);
	}
	histogram_release(&near);
	histogram_release(&exact);
}
END_TEST

START_TEST(extremes_fit)
{
	struct histogram histogram;

	histogram_init(&histogram);
	histogram_add(&histogram, 0);
	histogram_add(&histogram, INT64_MAX);
	ck_assert_uint_eq(histogram_percentile(&histogram, 500), 0);
	ck_assert(histogram_percentile(&histogram, 1000) >=
		  (uint64_t)INT64_MAX - (INT64_MAX >> 7));
	histogram_release(&histogram);
}
END_TEST

/* Measuring errors can make the time of a brief call negative. In a sum such
 * errors cancel. */
START_TEST(negative_numbers)
{
	struct histogram histogram;

	histogram_init(&histogram);
	histogram_add(&histogram, -300);
	ck_assert_uint_eq(histogram_mean(&histogram), 0);
	ck_assert_uint_eq(histogram_percentile(&histogram, 1000), 0);
	histogram_add(&histogram, 500);
	ck_assert_int_eq(histogram.sum, 200);
	ck_assert_uint_eq(histogram_mean(&histogram), 100);
	histogram_release(&histogram);
}
END_TEST

Suite *
histogram_suite(void)
{
	Suite *suite = suite_create("histogram");
	TCase *tests = tcase_create("histogram");

	tcase_add_loop_test(tests, percentiles_are_within_the_error, 0, 3);
	tcase_add_test(tests, merged_is_counted_together);
	tcase_add_test(tests, empty_and_single);
	tcase_add_test(tests, about_is_near);
	tcase_add_test(tests, extremes_fit);
	tcase_add_test(tests, negative_numbers);
	suite_add_tcase(suite, tests);
	return suite;
}
