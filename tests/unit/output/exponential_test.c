/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exponential histograms: each value is in the bucket whose bounds are around
 * it, whatever the scale has become. */
#include "tests/unit/output/suites.h"

#include "base/attr.h"
#include "output/otlp/exponential.h"

#include <math.h>
#include <stdlib.h>

#define VALUES 2000

static double values[VALUES];

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* How many of the sorted values are greater than low and at most high. */
static uint64_t
within(double low, double high)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < VALUES; i++)
		count += values[i] > low && values[i] <= high;
	return count;
}

START_TEST(has_each_value_between_its_bounds)
{
	struct exponential *histogram = calloc(1, sizeof(*histogram));
	double width = pow(10, _i), sum = 0;

	srand(7);
	for (unsigned i = 0; i < VALUES; i++) {
		values[i] = 1e-9 * pow(width, rand() / (double)RAND_MAX);
		sum += values[i];
		exponential_add(histogram, values[i]);
	}
	qsort(values, VALUES, sizeof(values[0]), compare);
	ck_assert_uint_le(histogram->size, EXPONENTIAL_BUCKETS);
	ck_assert_uint_eq(histogram->count, VALUES);
	ck_assert_double_eq(histogram->least, values[0]);
	ck_assert_double_eq(histogram->most, values[VALUES - 1]);
	ck_assert_double_eq_tol(histogram->sum, sum, sum * 1e-9);
	for (unsigned i = 0; i < histogram->size; i++) {
		double step = ldexp(1, -histogram->scale);
		int first = histogram->first + (int)i;

		ck_assert_uint_eq(histogram->counts[i],
				  within(exp2(first * step),
					 exp2((first + 1) * step)));
	}
	free(histogram);
}
END_TEST

START_TEST(has_powers_in_the_bucket_that_they_end)
{
	struct exponential *histogram = calloc(1, sizeof(*histogram));

	exponential_add(histogram, 1);
	ck_assert_int_eq(histogram->first, -1);
	ck_assert_int_eq(histogram->scale, EXPONENTIAL_SCALE);
	/* These powers of 2 need more buckets than there are, so each bucket
	 * gets two powers of 2. */
	for (int i = 1; i <= 160; i++)
		exponential_add(histogram, ldexp(1, i));
	ck_assert_int_eq(histogram->scale, -1);
	ck_assert_int_eq(histogram->first, -1);
	ck_assert_uint_eq(histogram->size, 81);
	ck_assert_uint_eq(histogram->counts[0], 1);
	ck_assert_uint_eq(histogram->counts[1], 2);
	free(histogram);
}
END_TEST

Suite *
exponential_suite(void)
{
	Suite *suite = suite_create("exponential");
	TCase *tests = tcase_create("exponential");

	tcase_add_loop_test(tests, has_each_value_between_its_bounds, 0, 19);
	tcase_add_test(tests, has_powers_in_the_bucket_that_they_end);
	suite_add_tcase(suite, tests);
	return suite;
}
