/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scripts of stack pointers and return addresses: which calls end, how, and in
 * which order. A script is a string of words:
 *
 *	f@900>10	f is entered with sp 0x900 and will return to 0x10
 *	<908:10		a return site at 0x10 is reached with sp 0x908
 *	!908		a jump has landed with sp 0x908
 *	?900		the places of the calls are checked at 0x900
 *	=800:10		memory at 0x800 contains 0x10
 *	~		from now on stacks are copied away and back
 *	^10		functions remove up to 0x10 bytes of arguments
 *	#		calls keep their return address in a register
 *	f		the function f of a script is entered
 *	f.		the innermost call of f ends, as for a script
 *	f@900>10/1	like the first, and the caller's registers are 1
 *	<908:10/1
 *
 * and the result is a string as well: "f=returned g=unwound", or f1=... with
 * registers.
 */
#include "tracer/model/calls.h"

#include "base/map.h"
#include "base/str.h"
#include "tests/unit/tracer/suites.h"

#include <errno.h>
#include <stdio.h>

#define OWN_LOW 0x100000
#define OWN_HIGH 0x200000

struct script {
	struct reader memory;
	struct map words;
	struct call_pool pool;
	struct calls calls;
	struct str out;
};

static int
read_words(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct script *script = container_of(reader, struct script, memory);
	void *value = map_get(&script->words, from);
	uint64_t word = (uint64_t)(uintptr_t)value;

	if (!value || length != sizeof(word))
		return -EFAULT;
	memcpy(to, &word, sizeof(word));
	return 0;
}

static void
ended(struct calls *calls, struct call *call, enum call_end how)
{
	static const char *const names[] = { "returned", "unwound",
					     "unfinished", "no-return",
					     "entry-only" };
	struct script *script = calls->user;

	str_addf(&script->out, "%s%c", script->out.length ? " " : "",
		 *(const char *)call->function);
	if (call->preserved)
		str_addf(&script->out, "%u", (unsigned)call->preserved);
	str_addf(&script->out, "=%s", names[how]);
}

static const char names[] = "abcdefghijklmnopqrstuvwxyz";

static void
end_of(struct calls *calls, const void *function)
{
	size_t i = calls->live.count;

	while (i > 0 && calls->live.at[i - 1]->function != function)
		i--;
	ck_assert_uint_gt(i, 0);
	calls_end(calls, i - 1, CALL_RETURNED);
}

static void
run_word(struct script *script, const char *word)
{
	unsigned long sp, to, preserved = 0;
	char name;

	if (!strcmp(word, "~"))
		script->calls.copied = true;
	else if (word[0] >= 'a' && !word[1])
		calls_enter_placeless(&script->calls, &names[*word - 'a']);
	else if (word[0] >= 'a' && !strcmp(word + 1, "."))
		end_of(&script->calls, &names[*word - 'a']);
	else if (!strcmp(word, "#"))
		script->calls.pushed = 0;
	else if (sscanf(word, "<%lx:%lx/%lu", &sp, &to, &preserved) >= 2)
		calls_return(&script->calls, sp, to, preserved);
	else if (sscanf(word, "^%lx", &to) == 1)
		script->calls.popped = (unsigned)to;
	else if (sscanf(word, "!%lx", &sp) == 1)
		calls_landed(&script->calls, sp);
	else if (sscanf(word, "?%lx", &sp) == 1)
		calls_end_overwritten(&script->calls, sp, &script->memory);
	else if (sscanf(word, "=%lx:%lx", &sp, &to) == 2)
		map_put(&script->words, sp, (void *)to);
	else if (sscanf(word, "%c@%lx>%lx/%lu", &name, &sp, &to, &preserved) >=
		 3)
		calls_enter(&script->calls, sp, to, preserved,
			    &names[name - 'a'], &script->memory);
	else
		ck_abort_msg("bad word '%s'", word);
}

static void
check(const char *words, size_t live, const char *expected)
{
	struct script script = { .memory = { .read = read_words } };
	char *copy = xstrdup(words), *rest = copy, *word;

	map_init(&script.words);
	str_init(&script.out);
	calls_init(&script.calls, &script.pool, ended, &script);
	script.calls.pushed = 8;
	script.calls.own_low = OWN_LOW;
	script.calls.own_high = OWN_HIGH;
	while ((word = strsep(&rest, " "))) {
		if (*word)
			run_word(&script, word);
	}
	ck_assert_str_eq(str_text(&script.out), expected);
	ck_assert_uint_eq(script.calls.live.count, live);
	calls_release(&script.calls);
	call_pool_release(&script.pool);
	map_release(&script.words);
	str_release(&script.out);
	free(copy);
}

START_TEST(plain_nesting)
{
	check("a@1f0000>10 b@1e0000>20 <1e0008:20 <1f0008:10", 0,
	      "b=returned a=returned");
}
END_TEST

START_TEST(nothing_is_pushed)
{
	check("# a@1f0000>10 b@1e0000>20 <1e0000:20 <1f0000:10", 0,
	      "b=returned a=returned");
	/*
	 * A call on another stack than the thread's own, where the memory at
	 * the return address proves nothing.
	 */
	check("# =900:77 a@900>10 b@a00>20 <a00:20 <900:10", 0,
	      "b=returned a=returned");
}
END_TEST

START_TEST(arguments_are_removed)
{
	check("^10 a@1f0000>10 b@1e0000>20 <1e000c:20 <1f0008:10", 0,
	      "b=returned a=returned");
	check("^10 a@1f0000>10 a@1e0000>10 <1e0018:10 <1f000c:10", 0,
	      "a=returned a=returned");
	check("^10 a@1f0000>10 <1f0019:10 <1f0004:10", 1, "");
	check("a@1f0000>10 <1f000c:10", 1, "");
}
END_TEST

START_TEST(recursion_by_depth)
{
	check("a@1f0000>10 a@1e0000>10 a@1d0000>10 <1d0008:10 <1e0008:10", 1,
	      "a=returned a=returned");
}
END_TEST

START_TEST(jump_that_is_no_return)
{
	check("a@1f0000>10 <1c0008:10 <1f0010:10", 1, "");
}
END_TEST

START_TEST(tail_call_returns_with_its_caller)
{
	check("a@1f0000>10 b@1f0000>10 <1f0008:10", 0, "b=returned a=returned");
}
END_TEST

START_TEST(longjmp_over_frames)
{
	check("a@1f0000>10 b@1e0000>20 c@1d0000>30 d@1e8000>40", 2,
	      "c=unwound b=unwound");
}
END_TEST

START_TEST(places_that_were_overwritten)
{
	const char *begin = "=1f0000:10 =1e0000:20 =1d0000:30 "
			    "a@1f0000>10 b@1e0000>20 c@1d0000>30 ";
	static const struct {
		const char *words, *expected;
		size_t live;
	} rows[] = {
		{ "?1c0000", "", 3 },
		/* a call that was entered after another one was left is live,
		 * although it is further down */
		{ "=1e0000:21 ?1c0000", "b=unwound", 2 },
		{ "=1d0000:31 =1e0000:21 ?1c0000", "c=unwound b=unwound", 1 },
		/* a call that is further down, and another stack */
		{ "=1d0000:31 ?1d8000", "", 3 },
		{ "=1d0000:31 ?900", "", 3 },
		{ "~ =1e0000:21 ?1c0000", "", 3 },
		{ "# =1e0000:21 ?1c0000", "", 3 },
		/* d has no return address */
		{ "=1cffff:5 d@1cffff>0 ?1c0000", "", 4 },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		char *words = xasprintf("%s%s", begin, rows[i].words);

		check(words, rows[i].live, rows[i].expected);
		free(words);
	}
}
END_TEST

/* The words of many calls are read together, and only those of the innermost
 * calls. */
START_TEST(places_of_many_calls)
{
	static const struct {
		unsigned long depth, from;
		size_t left;
	} rows[] = { { 100, 1, 100 }, { 300, 200, 101 }, { 300, 172, 128 } };

	for (size_t i = 0; i < array_size(rows); i++) {
		struct str words, ended;

		str_init(&words);
		str_init(&ended);
		for (unsigned long n = 1; n <= rows[i].depth; n++)
			str_addf(&words, "a@%lx>%lx =%lx:%lx ",
				 OWN_HIGH - 16 * n, n, OWN_HIGH - 16 * n,
				 n < rows[i].from ? n : n + 1);
		str_addf(&words, "?%lx", OWN_HIGH - 16 * (rows[i].depth + 1));
		for (size_t n = 0; n < rows[i].left; n++)
			str_addf(&ended, "%sa=unwound", n ? " " : "");
		check(str_text(&words), rows[i].depth - rows[i].left,
		      str_text(&ended));
		str_release(&words);
		str_release(&ended);
	}
}
END_TEST

START_TEST(longjmp_to_the_same_call_again)
{
	check("a@1f0000>10 a@1f0000>10 a@1f0000>10 <1f0008:10", 0,
	      "a=unwound a=unwound a=returned");
}
END_TEST

START_TEST(another_return_address_at_the_same_place)
{
	check("a@1f0000>10 b@1f0000>20", 1, "a=unwound");
}
END_TEST

START_TEST(landing_where_a_call_would_return)
{
	check("a@1f0000>10 b@1e0000>20 c@1d0000>30 !1e0008", 1,
	      "c=unwound b=unwound");
	check("=501000:20 =601000:30 b@501000>20 c@601000>30 !601008", 1,
	      "c=unwound");
}
END_TEST

START_TEST(return_past_lost_frames)
{
	check("a@1f0000>10 b@1e0000>20 <1f0008:10", 0, "b=unwound a=returned");
}
END_TEST

START_TEST(fibers_are_only_suspended)
{
	check("=501000:20 =601000:30 a@1f0000>10 b@501000>20 c@601000>30 "
	      "<501008:20 <601008:30 <1f0008:10",
	      0, "b=returned c=returned a=returned");
}
END_TEST

START_TEST(fiber_whose_frame_is_lost)
{
	check("=501000:99 b@501000>20 c@601000>30", 1, "b=unwound");
}
END_TEST

START_TEST(alternate_stack_below_keeps_the_main_one)
{
	check("a@1f0000>10 h@300>20 <308:20 <1f0008:10", 0,
	      "h=returned a=returned");
}
END_TEST

START_TEST(main_stack_leaves_fibers_alone)
{
	check("=501000:20 b@501000>20 a@1f0000>10 <1f0008:10 <501008:20", 0,
	      "a=returned b=returned");
}
END_TEST

START_TEST(copied_stacks_take_turns)
{
	/*
	 * Three calls at the same place of copied stacks, which return in any
	 * order.
	 */
	check("~ a@1f0000>10/1 a@1f0000>10/2 a@1f0000>10/3 <1f0008:10/2 "
	      "<1f0008:10/1 <1f0008:10/3",
	      0, "a2=returned a1=returned a3=returned");
	/*
	 * Calls at three places of copied stacks. At one of the places there
	 * are two calls with different return addresses.
	 */
	check("~ a@1f0000>10/1 b@1e0000>20/2 c@1f8000>30/3 d@1f0000>40/4 "
	      "<1e0008:20/2 <1f0008:10/1 <1f0008:40/4 <1f8008:30/3",
	      0, "b2=returned a1=returned d4=returned c3=returned");
	/* A call that was reached by a jump is copied with its caller. */
	check("~ a@1f0000>10/1 b@1f0000>10/1 a@1f0000>10/2 b@1f0000>10/2 "
	      "<1f0008:10/1 <1f0008:10/2",
	      0, "b1=returned a1=returned b2=returned a2=returned");
	/* Unknown registers do not prevent a match. */
	check("~ a@1f0000>10 b@1f8000>20/2 <1f0008:10/3 <1f8008:20", 0,
	      "a=returned b2=returned");
	/* If the caller's registers differ, an untraced function returns. */
	check("~ a@1f0000>10/1 <1f0008:10/3 <1f0008:10/1", 0, "a1=returned");
	/* Without copied stacks, registers are not compared. */
	check("a@1f0000>10/1 a@1f0000>10/2 <1f0008:10/1", 0,
	      "a1=unwound a2=returned");
}
END_TEST

/* Calls of scripts stay among those of native functions until they are ended,
 * and do not hide which native calls have been unwound. */
START_TEST(calls_of_scripts)
{
	check("s a@1f0000>10 t b@1e0000>20 <1e0008:20 t. <1f0008:10 s.", 0,
	      "b=returned t=returned a=returned s=returned");
	check("a@1f0000>10 b@1e0000>20 s c@1e8000>30", 3, "b=unwound");
	check("s a@1f0000>10 t <1f0008:10 s.", 1, "a=returned s=returned");
	check("s a@1f0000>10 !1f8000 <0:0", 1, "a=unwound");
	check("=501000:20 s b@501000>20 t !501008", 2, "b=unwound");
}
END_TEST

START_TEST(copies_are_bounded)
{
	struct call_pool pool = { 0 };
	struct script script;
	struct calls calls;

	str_init(&script.out);
	calls_init(&calls, &pool, ended, &script);
	calls.copied = true;
	calls.own_low = OWN_LOW;
	calls.own_high = OWN_HIGH;
	for (unsigned i = 1; i < 100000; i++)
		calls_enter(&calls, OWN_HIGH - 8, 16, i, "a", NULL);
	ck_assert_uint_eq(calls.live.count, 1);
	ck_assert_uint_lt(calls.away.count, 5000);
	calls_end_all(&calls, CALL_UNFINISHED);
	ck_assert_uint_eq(calls.away.count, 0);
	calls_release(&calls);
	call_pool_release(&pool);
	str_release(&script.out);
}
END_TEST

START_TEST(depth_counts_live_calls)
{
	struct call_pool pool = { 0 };
	struct script script;
	struct calls calls;
	struct call *call;

	str_init(&script.out);
	calls_init(&calls, &pool, ended, &script);
	calls.own_low = OWN_LOW;
	calls.own_high = OWN_HIGH;
	for (unsigned i = 0; i < 100000; i++) {
		call = calls_enter(&calls, OWN_HIGH - 8 - 8 * i, 16, 0, "a",
				   NULL);
		ck_assert_uint_eq(call->event.depth, i);
	}
	calls_end_all(&calls, CALL_UNFINISHED);
	ck_assert_uint_eq(calls.live.count, 0);
	calls_release(&calls);
	call_pool_release(&pool);
	str_release(&script.out);
}
END_TEST

Suite *
calls_suite(void)
{
	Suite *suite = suite_create("calls");
	TCase *tests = tcase_create("scripts");

	tcase_add_test(tests, plain_nesting);
	tcase_add_test(tests, nothing_is_pushed);
	tcase_add_test(tests, arguments_are_removed);
	tcase_add_test(tests, recursion_by_depth);
	tcase_add_test(tests, jump_that_is_no_return);
	tcase_add_test(tests, tail_call_returns_with_its_caller);
	tcase_add_test(tests, longjmp_over_frames);
	tcase_add_test(tests, places_that_were_overwritten);
	tcase_add_test(tests, places_of_many_calls);
	tcase_add_test(tests, longjmp_to_the_same_call_again);
	tcase_add_test(tests, another_return_address_at_the_same_place);
	tcase_add_test(tests, landing_where_a_call_would_return);
	tcase_add_test(tests, return_past_lost_frames);
	tcase_add_test(tests, fibers_are_only_suspended);
	tcase_add_test(tests, fiber_whose_frame_is_lost);
	tcase_add_test(tests, alternate_stack_below_keeps_the_main_one);
	tcase_add_test(tests, main_stack_leaves_fibers_alone);
	tcase_add_test(tests, copied_stacks_take_turns);
	tcase_add_test(tests, calls_of_scripts);
	tcase_add_test(tests, copies_are_bounded);
	tcase_add_test(tests, depth_counts_live_calls);
	suite_add_tcase(suite, tests);
	return suite;
}
