/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --min-time: a call is written if it has taken long enough. */
#include "suites.h"

#include "script.h"

#include <signal.h>

static struct script script;

static void
begin(uint64_t min_duration)
{
	script_init(&script);
	script.look.align = 20;
	script.look.min_duration = min_duration;
}

static void
open_text(void)
{
	script_open(&script, text_sink_new);
}

static void
returned(struct event_call *call, uint64_t micros)
{
	script_end(&script, SCRIPT_PID, call, micros, CALL_RETURNED);
}

START_TEST(holds_entries_back)
{
	struct event_call *outer, *slow, *fast;

	begin(10000000);
	script.look.immediate = _i == 1;
	open_text();
	script_whole(&script, SCRIPT_PID, "fast", 0, 9999);
	script_whole(&script, SCRIPT_PID, "slow", 10000, 20000);
	outer = script_begin(&script, SCRIPT_PID, "outer", 20000);
	fast = script_begin(&script, SCRIPT_PID, "middle", 35000);
	slow = script_begin(&script, SCRIPT_PID, "slow", 35001);
	script_whole(&script, SCRIPT_PID, "fast", 35002, 35003);
	returned(slow, 50000);
	returned(fast, 50001);
	script_tell(&script, SCRIPT_PID, EVENT_SIGNAL, 50002, SIGHUP, NULL);
	returned(outer, 50003);
	script_expect(&script, "slow()             = <void>\n"
			       "outer( <unfinished ...>\n"
			       "middle( <unfinished ...>\n"
			       "slow()             = <void>\n"
			       "<... middle resumed> ) = <void>\n"
			       "--- SIGHUP (Hangup) ---\n"
			       "<... outer resumed> ) = <void>\n");
}
END_TEST

/* What counts is the time that the call may have taken. */
START_TEST(older_than_it_seems)
{
	static const struct {
		unsigned micros;
		uint64_t older;
		bool shown;
	} rows[] = { { 9990, 9999, false },
		     { 9990, 10000, true },
		     { 10000, 0, true } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct event_call *call;

		begin(10000000);
		open_text();
		call = script_begin(&script, SCRIPT_PID, "old", 0);
		call->older = rows[i].older;
		returned(call, rows[i].micros);
		script_expect(&script, rows[i].shown
					       ? "old()              = <void>\n"
					       : "");
	}
}
END_TEST

START_TEST(at_a_signal)
{
	struct event_call *old, *young;

	begin(1000000);
	open_text();
	old = script_begin(&script, SCRIPT_PID, "old", 0);
	young = script_begin(&script, SCRIPT_PID, "young", 5000);
	script_tell(&script, SCRIPT_PID, EVENT_SIGNAL, 5500, SIGHUP, NULL);
	returned(young, 5900);
	script_end(&script, SCRIPT_PID, old, 6000, CALL_UNFINISHED);
	script_expect(&script, "old( <unfinished ...>\n"
			       "--- SIGHUP (Hangup) ---\n");
}
END_TEST

/* With --if the older call is shown only at its end. Its entry then comes after
 * the entry of a younger call, which has taken less time. */
START_TEST(when_an_entry_comes_late)
{
	struct event_call *old, *young;

	begin(1000000);
	open_text();
	young = script_begin(&script, SCRIPT_PID, "young", 1500);
	old = script_call(&script, "old");
	old->before = true;
	script_enter(&script, SCRIPT_PID, old, 0);
	returned(old, 2000);
	returned(young, 2001);
	script_expect(&script, "old( <in flight ...>\n"
			       "<... old resumed> ) = <void>\n");
}
END_TEST

Suite *
min_time_suite(void)
{
	Suite *suite = suite_create("min_time");
	TCase *tests = tcase_create("min_time");

	tcase_add_loop_test(tests, holds_entries_back, 0, 2);
	tcase_add_test(tests, older_than_it_seems);
	tcase_add_test(tests, at_a_signal);
	tcase_add_test(tests, when_an_entry_comes_late);
	suite_add_tcase(suite, tests);
	return suite;
}
