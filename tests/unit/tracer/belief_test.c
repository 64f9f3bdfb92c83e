/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a thread block SIGTRAP? Tests each row of the table, cell by cell; the
 * evidence of an observation; marks; and how often a thread is observed. */
#include "tests/unit/tracer/suites.h"
#include "tracer/sigtrap/belief.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- the table -------------------------------------------------------------
 */

static const char *const names[BELIEFS] = { "OPEN", "OPENING", "EXCUSED",
					    "SEEN", "BLOCKS" };

/*
 * For each belief before the evidence, the belief after it. "." means that the
 * belief stays the same. "+" after a belief is BELIEF_BLOCK (SIGTRAP is blocked
 * in the thread again), and "?" is BELIEF_COUNT.
 */
static const struct {
	const char *what;
	enum evidence evidence;
	const char *cells[BELIEFS];
} rows[] = {
	{ "asks block",
	  EVIDENCE_ASKS_BLOCK,
	  { "BLOCKS", "BLOCKS", "BLOCKS", "BLOCKS", "." } },
	{ "asks open",
	  EVIDENCE_ASKS_OPEN,
	  { "OPENING", ".", "OPENING", "OPENING", "OPENING" } },
	{ "asks others",
	  EVIDENCE_ASKS_OTHERS,
	  { "OPENING", ".", ".", ".", "." } },
	{ "hit", EVIDENCE_HIT, { ".", "OPEN", ".", ".", "." } },
	{ "read open",
	  EVIDENCE_READ_OPEN,
	  { ".", ".", "OPEN", "OPEN", "OPEN" } },
	{ "read blocked",
	  EVIDENCE_READ_BLOCKED,
	  { "BLOCKS", "BLOCKS", "BLOCKS", "BLOCKS", "." } },
	{ "read perhaps",
	  EVIDENCE_READ_PERHAPS,
	  { "SEEN", "SEEN", "SEEN", ".", "SEEN" } },
	{ "observed blocked",
	  EVIDENCE_OBSERVED_BLOCKED,
	  { "BLOCKS", ".", "BLOCKS", ".", "." } },
	{ "observed perhaps",
	  EVIDENCE_OBSERVED_PERHAPS,
	  { "SEEN", ".", "SEEN", ".", "." } },
	{ "waited", EVIDENCE_WAITED, { ".", ".", ".", "BLOCKS", "." } },
	{ "surely open",
	  EVIDENCE_SURELY_OPEN,
	  { ".", ".", "OPEN", "OPEN", "OPEN" } },
	{ "surely blocked",
	  EVIDENCE_SURELY_BLOCKED,
	  { "BLOCKS", "BLOCKS", "BLOCKS", "BLOCKS", "." } },
	{ "lost, shown", EVIDENCE_LOST_SHOWN, { ".", ".", ".", ".", "." } },
	{ "lost, all", EVIDENCE_LOST_ALL, { ".+", ".+", ".+", ".+", ".+" } },
	{ "lost, alone",
	  EVIDENCE_LOST_ALONE,
	  { "BLOCKS+", "BLOCKS+", "SEEN+", ".+", ".+" } },
	{ "lost, perhaps",
	  EVIDENCE_LOST_PERHAPS,
	  { ".?", ".?", ".?", ".+", ".+" } },
	{ "lost by other",
	  EVIDENCE_LOST_BY_OTHER,
	  { ".", ".", ".", "EXCUSED", ".+" } },
};

static enum belief
belief_in(const char *cell, enum belief before)
{
	size_t length = strcspn(cell, "+?");

	if (cell[0] == '.')
		return before;
	for (int i = 0; i < BELIEFS; i++) {
		if (strlen(names[i]) == length &&
		    !strncmp(cell, names[i], length))
			return (enum belief)i;
	}
	ck_abort_msg("no belief in %s", cell);
}

static enum belief_action
action_in(const char *cell)
{
	if (strchr(cell, '+'))
		return BELIEF_BLOCK;
	return strchr(cell, '?') ? BELIEF_COUNT : BELIEF_NOTHING;
}

START_TEST(each_row)
{
	for (int i = 0; i < BELIEFS; i++) {
		const char *cell = rows[_i].cells[i];
		const struct conclusion got =
			belief_conclude((enum belief)i, rows[_i].evidence);

		ck_assert_msg(got.belief == belief_in(cell, (enum belief)i) &&
				      got.action == action_in(cell),
			      "%s, %s: %s and %d, not %s", rows[_i].what,
			      names[i], names[got.belief], (int)got.action,
			      cell);
	}
}
END_TEST

START_TEST(each_evidence_has_a_row)
{
	ck_assert_uint_eq(COUNT(rows), EVIDENCES);
	for (size_t i = 0; i < COUNT(rows); i++)
		ck_assert_uint_eq(rows[i].evidence, i);
}
END_TEST

START_TEST(of_the_thread_elsewhere)
{
	static const enum belief outside[BELIEFS] = { BELIEF_OPEN, BELIEF_OPEN,
						      BELIEF_OPEN, BELIEF_OPEN,
						      BELIEF_BLOCKS };
	static const enum belief inherited[BELIEFS] = {
		BELIEF_OPEN, BELIEF_OPEN, BELIEF_EXCUSED, BELIEF_SEEN,
		BELIEF_BLOCKS
	};

	for (int i = 0; i < BELIEFS; i++) {
		const enum belief belief = (enum belief)i;

		ck_assert_int_eq(belief_outside(belief), outside[i]);
		ck_assert_int_eq(belief_inherited(belief), inherited[i]);
		ck_assert_int_eq(belief_blocks(belief), i >= BELIEF_SEEN);
	}
}
END_TEST

/* ---- a look ----------------------------------------------------------------
 */

static const struct {
	struct glance glance;
	/*
	 * the answer about the other threads matters, unless xtrace believes
	 * that this thread blocks SIGTRAP
	 */
	bool asks;
	enum evidence evidence[OTHERS_SURELY + 1];
} glances[] = {
	{ { .is_set = true },
	  false,
	  { EVIDENCE_SURELY_OPEN, EVIDENCE_SURELY_OPEN,
	    EVIDENCE_SURELY_OPEN } },
	{ { .is_set = true, .blocked = true },
	  false,
	  { EVIDENCE_SURELY_BLOCKED, EVIDENCE_SURELY_BLOCKED,
	    EVIDENCE_SURELY_BLOCKED } },
	/* The C library blocks all signals for a moment. */
	{ { .is_set = true, .blocked = true, .all = true },
	  false,
	  { EVIDENCE_SURELY_BLOCKED, EVIDENCE_SURELY_BLOCKED,
	    EVIDENCE_SURELY_BLOCKED } },
	{ { .is_set = true, .shaken = true },
	  false,
	  { EVIDENCE_LOST_BY_OTHER, EVIDENCE_LOST_BY_OTHER,
	    EVIDENCE_LOST_BY_OTHER } },
	{ { .is_set = true, .shaken = true, .blocked = true },
	  false,
	  { EVIDENCE_LOST_SHOWN, EVIDENCE_LOST_SHOWN, EVIDENCE_LOST_SHOWN } },
	{ { .is_set = true, .shaken = true, .all = true },
	  false,
	  { EVIDENCE_LOST_ALL, EVIDENCE_LOST_ALL, EVIDENCE_LOST_ALL } },
	{ { .shaken = true },
	  true,
	  { EVIDENCE_LOST_ALONE, EVIDENCE_LOST_PERHAPS,
	    EVIDENCE_LOST_BY_OTHER } },
	{ { .is_set = false },
	  true,
	  { EVIDENCE_LOST_ALONE, EVIDENCE_LOST_PERHAPS,
	    EVIDENCE_LOST_BY_OTHER } },
	{ { .blocked = true },
	  false,
	  { EVIDENCE_LOST_SHOWN, EVIDENCE_LOST_SHOWN, EVIDENCE_LOST_SHOWN } },
	{ { .all = true },
	  false,
	  { EVIDENCE_LOST_ALL, EVIDENCE_LOST_ALL, EVIDENCE_LOST_ALL } },
	{ { .all = true, .blocked = true },
	  false,
	  { EVIDENCE_LOST_SHOWN, EVIDENCE_LOST_SHOWN, EVIDENCE_LOST_SHOWN } },
};

START_TEST(glances_are_evidence)
{
	const struct glance *glance = &glances[_i].glance;

	for (int i = OTHERS_NONE; i <= OTHERS_SURELY; i++)
		ck_assert_int_eq(belief_evidence(glance, (enum others)i),
				 glances[_i].evidence[i]);
	for (int i = 0; i < BELIEFS; i++)
		ck_assert_int_eq(belief_asks_others((enum belief)i, glance),
				 glances[_i].asks && i != BELIEF_BLOCKS);
}
END_TEST

START_TEST(suspects)
{
	for (int i = 0; i < BELIEFS; i++) {
		const enum belief belief = (enum belief)i;
		const bool blocks = belief_blocks(belief);

		ck_assert_int_eq(belief_suspect(belief, false, true),
				 OTHERS_NONE);
		ck_assert_int_eq(belief_suspect(belief, true, true),
				 OTHERS_SURELY);
		ck_assert_int_eq(belief_suspect(belief, true, false),
				 blocks ? OTHERS_SURELY : OTHERS_PERHAPS);
	}
}
END_TEST

/* ---- since when, how often -------------------------------------------------
 */

START_TEST(marks)
{
	struct standing standing = { 0 };
	unsigned mark = 0;

	ck_assert(!standing_current(&standing, mark));
	mark = standing_mark(&standing);
	ck_assert(standing_current(&standing, mark));
	standing.observations++;
	ck_assert(!standing_current(&standing, mark));
	ck_assert(!standing_current(&standing, 0));
}
END_TEST

/* The number of hits until the next observation. */
static unsigned
hits(struct pace *pace)
{
	unsigned count = 1;

	while (!pace_due(pace, BELIEF_OPEN))
		count++;
	return count;
}

START_TEST(looks_grow_rare)
{
	struct pace pace = { 0 };

	for (int i = 0; i < 16; i++, pace.clean++)
		ck_assert_uint_eq(hits(&pace), 1);
	for (unsigned wanted = 64; wanted <= 4096; wanted *= 2)
		ck_assert_uint_eq(hits(&pace), wanted);
	ck_assert_uint_eq(hits(&pace), 4096);
	pace_restart(&pace);
	ck_assert_uint_eq(hits(&pace), 1);
	pace.clean = 16;
	ck_assert_uint_eq(hits(&pace), 64);
}
END_TEST

START_TEST(blocking_threads_are_observed_each_time)
{
	struct pace pace = { .clean = 100, .rest = 4096 };

	for (int i = 0; i < 10; i++) {
		ck_assert(pace_due(&pace, BELIEF_BLOCKS));
		ck_assert(pace_due(&pace, BELIEF_SEEN));
	}
	ck_assert(!pace_due(&pace, BELIEF_EXCUSED));
}
END_TEST

Suite *
belief_suite(void)
{
	Suite *suite = suite_create("belief");
	TCase *cases = tcase_create("belief");

	tcase_add_loop_test(cases, each_row, 0, (int)COUNT(rows));
	tcase_add_test(cases, each_evidence_has_a_row);
	tcase_add_test(cases, of_the_thread_elsewhere);
	tcase_add_loop_test(cases, glances_are_evidence, 0,
			    (int)COUNT(glances));
	tcase_add_test(cases, suspects);
	tcase_add_test(cases, marks);
	tcase_add_test(cases, looks_grow_rare);
	tcase_add_test(cases, blocking_threads_are_observed_each_time);
	suite_add_tcase(suite, cases);
	return suite;
}
