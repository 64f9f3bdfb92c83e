/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times in the forms of -t, -tt, -ttt and -r. */
#include "suites.h"

#include "base/clock.h"
#include "output/stamp.h"

/* 2009-12-02 22:31:50 UTC. */
#define BEGAN UINT64_C(1259793110)

static struct str text;
static struct stamp stamp;
static struct look look;

static void
begin(enum look_time time)
{
	str_init(&text);
	stamp_init(&stamp);
	look = (struct look){ .time = time,
			      .epoch_offset = BEGAN * CLOCK_SECOND };
}

static void
at(uint64_t ns)
{
	stamp_add(&stamp, &look, ns, &text);
	str_add_char(&text, '|');
}

static void
expect(const char *expected)
{
	ck_assert_str_eq(str_text(&text), expected);
	str_release(&text);
}

START_TEST(none)
{
	begin(LOOK_TIME_NONE);
	at(1);
	expect("|");
}
END_TEST

START_TEST(seconds)
{
	begin(LOOK_TIME_SECONDS);
	at(0);
	at(10 * CLOCK_SECOND - 1);
	at(10 * CLOCK_SECOND);
	at(3600 * CLOCK_SECOND);
	at(0);
	expect("22:31:50 |22:31:59 |22:32:00 |23:31:50 |22:31:50 |");
}
END_TEST

START_TEST(micros)
{
	begin(LOOK_TIME_MICROS);
	at(507781999);
	at(10 * CLOCK_SECOND);
	expect("22:31:50.507781 |22:32:00.000000 |");
}
END_TEST

START_TEST(epoch)
{
	begin(LOOK_TIME_EPOCH);
	at(633072000);
	expect("1259793110.633072 |");
}
END_TEST

START_TEST(relative)
{
	begin(LOOK_TIME_RELATIVE);
	at(5 * CLOCK_SECOND);
	at(5 * CLOCK_SECOND + 158999);
	at(5 * CLOCK_SECOND + 100000);
	at(17 * CLOCK_SECOND + 158999);
	at(1017 * CLOCK_SECOND + 158999);
	expect("  0.000000 |  0.000158 |  0.000000 | 12.000000 |"
	       "1000.000000 |");
}
END_TEST

START_TEST(short_durations)
{
	static const uint64_t times[] = {
		0,	 999,	     1000,	  12345,	123456,
		1000600, 1000600000, 12345678901, 999999999999, 1234567890123
	};

	begin(LOOK_TIME_NONE);
	for (unsigned i = 0; i < array_size(times); i++) {
		stamp_add_short(&text, times[i]);
		str_add_char(&text, ' ');
	}
	expect("0ns 999ns 1.000us 12.34us 123.4us 1.000ms 1.000s 12.34s "
	       "999.9s 1234s ");
}
END_TEST

START_TEST(seconds_of_a_duration)
{
	begin(LOOK_TIME_NONE);
	stamp_add_seconds(&text, 1000600999);
	str_add_char(&text, ' ');
	stamp_add_seconds(&text, 999);
	expect("1.000600 0.000000");
}
END_TEST

Suite *
stamp_suite(void)
{
	Suite *suite = suite_create("stamp");
	TCase *tests = tcase_create("stamp");

	tcase_add_test(tests, none);
	tcase_add_test(tests, seconds);
	tcase_add_test(tests, micros);
	tcase_add_test(tests, epoch);
	tcase_add_test(tests, relative);
	tcase_add_test(tests, short_durations);
	tcase_add_test(tests, seconds_of_a_duration);
	suite_add_tcase(suite, tests);
	return suite;
}
