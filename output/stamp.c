/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A million lines per minute may have a time. localtime_r() and strftime() cost
 * more than the rest of the line. Therefore the text of hour and minute is kept
 * as long as the minute lasts, and the digits after it are written by hand.
 * (Time zones differ by whole minutes since 1972; POSIX time has no leap
 * seconds.)
 */
#include "output/stamp.h"

#include "base/clock.h"

#include <string.h>
#include <time.h>

void
stamp_init(struct stamp *stamp)
{
	stamp->minute = UINT64_MAX;
	stamp->before = 0;
}

static void
put_digits(char *at, uint64_t value, unsigned count)
{
	while (count-- > 0) {
		at[count] = (char)('0' + value % 10);
		value /= 10;
	}
}

static void
new_minute(struct stamp *stamp, uint64_t minute)
{
	time_t seconds = (time_t)(minute * 60);
	struct tm local;

	localtime_r(&seconds, &local);
	put_digits(stamp->clock, (uint64_t)local.tm_hour, 2);
	put_digits(stamp->clock + 3, (uint64_t)local.tm_min, 2);
	stamp->clock[2] = stamp->clock[5] = ':';
	stamp->minute = minute;
}

static void
add_clock(struct stamp *stamp, uint64_t epoch, bool micros, struct str *to)
{
	uint64_t seconds = epoch / CLOCK_SECOND;
	char text[] = "HH:MM:SS.uuuuuu ";

	if (seconds / 60 != stamp->minute)
		new_minute(stamp, seconds / 60);
	memcpy(text, stamp->clock, sizeof(stamp->clock));
	put_digits(text + 6, seconds % 60, 2);
	put_digits(text + 9, epoch % CLOCK_SECOND / 1000, 6);
	if (micros) {
		str_add_bytes(to, text, sizeof(text) - 1);
		return;
	}
	text[8] = ' ';
	str_add_bytes(to, text, 9);
}

void
stamp_add_seconds(struct str *to, uint64_t ns)
{
	char fraction[] = ".uuuuuu";

	put_digits(fraction + 1, ns % CLOCK_SECOND / 1000, 6);
	str_add_unsigned(to, ns / CLOCK_SECOND);
	str_add_bytes(to, fraction, sizeof(fraction) - 1);
}

/* ltrace's "%3lu.%06lu". A line that began before the last one shows 0. */
static void
add_relative(struct stamp *stamp, uint64_t when, struct str *to)
{
	uint64_t since = 0;

	if (stamp->before != 0 && when > stamp->before)
		since = when - stamp->before;
	for (uint64_t room = 100; room > 1; room /= 10) {
		if (since / CLOCK_SECOND < room)
			str_add_char(to, ' ');
	}
	stamp_add_seconds(to, since);
	if (when > stamp->before)
		stamp->before = when;
}

void
stamp_add(struct stamp *stamp, const struct look *look, uint64_t when,
	  struct str *to)
{
	uint64_t epoch = when + look->epoch_offset;

	switch (look->time) {
	case LOOK_TIME_NONE:
		return;
	case LOOK_TIME_SECONDS:
		add_clock(stamp, epoch, false, to);
		return;
	case LOOK_TIME_MICROS:
		add_clock(stamp, epoch, true, to);
		return;
	case LOOK_TIME_EPOCH:
		stamp_add_seconds(to, epoch);
		break;
	case LOOK_TIME_RELATIVE:
		add_relative(stamp, when, to);
		break;
	}
	str_add_char(to, ' ');
}

void
stamp_add_short(struct str *to, uint64_t ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	unsigned unit = 0, digits = 0;
	uint64_t whole = ns, rest = 0;
	char fraction[3];

	while (whole >= 1000 && unit < array_size(units) - 1) {
		rest = whole % 1000;
		whole /= 1000;
		unit++;
	}
	str_add_unsigned(to, whole);
	if (unit > 0 && whole < 1000)
		digits = whole < 10 ? 3 : whole < 100 ? 2 : 1;
	if (digits > 0) {
		put_digits(fraction, rest, 3);
		str_add_char(to, '.');
		str_add_bytes(to, fraction, digits);
	}
	str_add(to, units[unit]);
}
