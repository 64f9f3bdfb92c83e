/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transactions: which queries they have, how they end, and for how long they
 * are idle. The queries are told as a connection tells of them. */
#include "tests/unit/tracer/suites.h"
#include "tests/unit/tracer/told.h"

#include "output/tee.h"
#include "tracer/model/rooms.h"
#include "tracer/options/options.h"
#include "tracer/queries/transactions.h"
#include "tracer/queries/wire.h"
#include "tracer/report/completion.h"

#include <string.h>

enum { PID = 50, TID = 51, CONNECTION = 7 };

struct scene {
	struct options options;
	struct session session;
	struct completion completion;
	struct out *none;
	struct told told;
	struct wire wire;
	uint64_t clock;
};

static void
scene_open(struct scene *scene)
{
	*scene = (struct scene){ .clock = 1000 };
	told_init(&scene->told);
	scene->told.times = true;
	scene->session.options = &scene->options;
	scene->session.completion = &scene->completion;
	scene->session.outs = &scene->none;
	table_init(&scene->session.table);
	scene->session.tee = tee_new();
	tee_add(scene->session.tee, &scene->told.sink);
	scene->session.transactions = open_transactions_new();
	wire_init(&scene->wire, &scene->session, CONNECTION);
	scene->wire.protocol = PROTOCOL_POSTGRES;
	scene->wire.pid = PID;
	scene->wire.tid = TID;
}

static void
scene_close(struct scene *scene)
{
	tee_close(scene->session.tee);
	open_transactions_free(scene->session.transactions);
	table_release(&scene->session.table);
	told_release(&scene->told);
}

/* A query of 100 ns that begins 10 ns after the end of the last query. */
static void
ask_so(struct scene *scene, const char *text, enum query_outcome outcome,
       enum query_transaction state)
{
	struct query query = {
		.text = text,
		.length = strlen(text),
		.whole = strlen(text),
		.began = scene->clock + 10,
		.outcome = outcome,
		.transaction = state,
	};

	scene->clock += 110;
	query.ended = outcome == QUERY_LOST ? 0 : scene->clock;
	scene->session.now = scene->clock;
	scene->wire.listener.end(&scene->wire.listener, &query);
}

static void
ask(struct scene *scene, const char *text, enum query_transaction state)
{
	ask_so(scene, text, QUERY_DONE, state);
}

#define NONE QUERY_TRANSACTION_NONE
#define OPEN QUERY_TRANSACTION_OPEN
#define FAILED QUERY_TRANSACTION_FAILED
#define UNKNOWN QUERY_TRANSACTION_UNKNOWN

START_TEST(from_begin_to_commit)
{
	struct scene scene;

	scene_open(&scene);
	ask(&scene, "SELECT 1", NONE);
	ask(&scene, "BEGIN", OPEN);
	ask(&scene, "INSERT", OPEN);
	ask(&scene, "COMMIT", NONE);
	ask(&scene, "SELECT 2", NONE);
	told_expect(&scene.told,
		    "postgresql \"SELECT 1\" 100\n"
		    "postgresql \"BEGIN\" of transaction 1 after 0 100\n"
		    "postgresql \"INSERT\" of transaction 1 after 10 100\n"
		    "postgresql \"COMMIT\" of transaction 1 after 10 100\n"
		    "transaction 1 committed, 3 queries, 300 + 20 of 320\n"
		    "postgresql \"SELECT 2\" 100\n");
	scene_close(&scene);
}
END_TEST

/* Without autocommit the first query begins the transaction. */
START_TEST(one_after_the_other)
{
	struct scene scene;

	scene_open(&scene);
	ask(&scene, "SELECT 1", NONE);
	ask(&scene, "INSERT", OPEN);
	ask(&scene, "  rollback", NONE);
	ask(&scene, "INSERT", OPEN);
	ask(&scene, "Abort", NONE);
	told_expect(&scene.told,
		    "postgresql \"SELECT 1\" 100\n"
		    "postgresql \"INSERT\" of transaction 1 after 0 100\n"
		    "postgresql \"  rollback\" of transaction 1 after 10 100\n"
		    "transaction 1 rolled-back, 2 queries, 200 + 10 of 210\n"
		    "postgresql \"INSERT\" of transaction 2 after 0 100\n"
		    "postgresql \"Abort\" of transaction 2 after 10 100\n"
		    "transaction 2 rolled-back, 2 queries, 200 + 10 of 210\n");
	scene_close(&scene);
}
END_TEST

/* PostgreSQL answers COMMIT of a failed transaction by rolling it back. */
START_TEST(commit_of_a_failed_one)
{
	struct scene scene;

	scene_open(&scene);
	ask(&scene, "BEGIN", OPEN);
	ask_so(&scene, "NONSENSE", QUERY_FAILED, FAILED);
	ask(&scene, "COMMIT", NONE);
	told_expect(
		&scene.told,
		"postgresql \"BEGIN\" of transaction 1 after 0 100\n"
		"postgresql \"NONSENSE\" failed of transaction 1 after 10 100\n"
		"postgresql \"COMMIT\" of transaction 1 after 10 100\n"
		"transaction 1 rolled-back, 3 queries, 300 + 20 of 320\n");
	scene_close(&scene);
}
END_TEST

/* MySQL's errors do not say whether the transaction is still open. */
START_TEST(an_error_that_ends_it)
{
	struct scene scene;

	scene_open(&scene);
	ask(&scene, "BEGIN", OPEN);
	ask_so(&scene, "DEADLOCK", QUERY_FAILED, UNKNOWN);
	ask(&scene, "SELECT 1", NONE);
	told_expect(
		&scene.told,
		"postgresql \"BEGIN\" of transaction 1 after 0 100\n"
		"postgresql \"DEADLOCK\" failed of transaction 1 after 10 100\n"
		"transaction 1 rolled-back, 2 queries, 200 + 10 of 210\n"
		"postgresql \"SELECT 1\" 100\n");
	scene_close(&scene);
}
END_TEST

START_TEST(an_error_that_does_not_end_it)
{
	struct scene scene;

	scene_open(&scene);
	ask(&scene, "BEGIN", OPEN);
	ask_so(&scene, "DUPLICATE", QUERY_FAILED, UNKNOWN);
	ask(&scene, "COMMIT", NONE);
	told_expect(&scene.told,
		    "postgresql \"BEGIN\" of transaction 1 after 0 100\n"
		    "postgresql \"DUPLICATE\" failed of transaction 1 after 10 "
		    "100\n"
		    "postgresql \"COMMIT\" of transaction 1 after 10 100\n"
		    "transaction 1 committed, 3 queries, 300 + 20 of 320\n");
	scene_close(&scene);
}
END_TEST

START_TEST(one_that_began_before)
{
	struct scene scene;

	scene_open(&scene);
	ask(&scene, "INSERT", OPEN);
	ask(&scene, "END", NONE);
	/* xtrace sees the beginning of each transaction but the first one of a
	 * connection. */
	ask(&scene, "INSERT", OPEN);
	ask(&scene, "END", NONE);
	/* A transaction that begins with a statement such as START TRANSACTION
	 * did not begin before. */
	scene.wire.key++;
	ask(&scene, "start transaction", OPEN);
	ask(&scene, "commit", NONE);
	told_expect(
		&scene.told,
		"postgresql \"INSERT\" of transaction 1 after 0 100\n"
		"postgresql \"END\" of transaction 1 after 10 100\n"
		"transaction 1 committed, 2 queries, began before, 200 + 10 "
		"of 210\n"
		"postgresql \"INSERT\" of transaction 2 after 0 100\n"
		"postgresql \"END\" of transaction 2 after 10 100\n"
		"transaction 2 committed, 2 queries, 200 + 10 of 210\n"
		"postgresql \"start transaction\" of transaction 3 after 0 "
		"100\n"
		"postgresql \"commit\" of transaction 3 after 10 100\n"
		"transaction 3 committed, 2 queries, 200 + 10 of 210\n");
	scene_close(&scene);
}
END_TEST

/* The idle time up to the end of the connection counts. */
START_TEST(a_connection_ends)
{
	struct scene scene;

	scene_open(&scene);
	ask(&scene, "BEGIN", OPEN);
	scene.wire.key++;
	ask(&scene, "BEGIN", OPEN);
	scene.session.now += 1000;
	scene.wire.lost = CALL_UNFINISHED;
	wire_closed(&scene.wire);
	scene.wire.key--;
	scene.wire.lost = CALL_RETURNED;
	wire_closed(&scene.wire);
	/* The connection has been closed already, so nothing is known of it. */
	wire_closed(&scene.wire);
	told_expect(&scene.told,
		    "postgresql \"BEGIN\" of transaction 1 after 0 100\n"
		    "postgresql \"BEGIN\" of transaction 2 after 0 100\n"
		    "transaction 2 unfinished, 1 queries, 100 + 1000 of 1100\n"
		    "transaction 1 closed, 1 queries, 100 + 1110 of 1210\n");
	scene_close(&scene);
}
END_TEST

/* A query without an answer was no idle time. */
START_TEST(a_connection_ends_within_a_query)
{
	struct scene scene;

	scene_open(&scene);
	ask(&scene, "BEGIN", OPEN);
	ask_so(&scene, "LOCK", QUERY_LOST, UNKNOWN);
	wire_closed(&scene.wire);
	told_expect(&scene.told,
		    "postgresql \"BEGIN\" of transaction 1 after 0 100\n"
		    "postgresql \"LOCK\" unfinished 100\n"
		    "transaction 1 unfinished, 1 queries, 100 + 0 of 210\n");
	scene_close(&scene);
}
END_TEST

START_TEST(a_program_ends)
{
	struct scene scene;
	struct space space = { .pid = PID };
	struct program program = { .session = &scene.session, .space = &space };

	scene_open(&scene);
	ask(&scene, "BEGIN", OPEN);
	scene.wire.pid++;
	ask(&scene, "BEGIN", OPEN);
	transactions_life.ends(&program, CALL_NO_RETURN);
	space.pid++;
	transactions_life.ends(&program, CALL_UNFINISHED);
	told_expect(&scene.told,
		    "postgresql \"BEGIN\" of transaction 1 after 0 100\n"
		    "postgresql \"BEGIN\" of transaction 2 after 0 100\n"
		    "transaction 1 closed, 1 queries, 100 + 110 of 210\n"
		    "transaction 2 unfinished, 1 queries, 100 + 0 of 100\n");
	scene_close(&scene);
}
END_TEST

/* Two threads overlap: a pipeline has no idle time below 0. */
START_TEST(several_threads)
{
	struct scene scene;

	scene_open(&scene);
	ask(&scene, "BEGIN", OPEN);
	scene.wire.tid++;
	scene.clock -= 30;
	ask(&scene, "INSERT", OPEN);
	scene.wire.tid++;
	ask(&scene, "COMMIT", NONE);
	told_expect(&scene.told,
		    "postgresql \"BEGIN\" of transaction 1 after 0 100\n"
		    "postgresql \"INSERT\" of transaction 1 after 0 100\n"
		    "postgresql \"COMMIT\" of transaction 1 after 10 100\n"
		    "transaction 1 committed, 3 queries, 300 + 10 of 290\n");
	scene_close(&scene);
}
END_TEST

/* The number of connections is bounded. If there are too many, xtrace forgets
 * the connection whose last query is the oldest. */
START_TEST(too_many_connections)
{
	struct scene scene;

	scene_open(&scene);
	ask(&scene, "BEGIN", OPEN);
	for (int i = 0; i < 4096; i++) {
		scene.wire.key++;
		ask(&scene, "SELECT 1", NONE);
	}
	str_clear(&scene.told.text);
	scene.wire.key = CONNECTION;
	ask(&scene, "COMMIT", NONE);
	scene.wire.key = CONNECTION + 4096;
	ask(&scene, "INSERT", OPEN);
	ask(&scene, "COMMIT", NONE);
	told_expect(&scene.told,
		    "postgresql \"COMMIT\" 100\n"
		    "postgresql \"INSERT\" of transaction 2 after 0 100\n"
		    "postgresql \"COMMIT\" of transaction 2 after 10 100\n"
		    "transaction 2 committed, 2 queries, 200 + 10 of 210\n");
	scene_close(&scene);
}
END_TEST

Suite *
transactions_suite(void)
{
	Suite *suite = suite_create("tracer/transactions");
	TCase *tests = tcase_create("transactions");

	tcase_add_test(tests, from_begin_to_commit);
	tcase_add_test(tests, one_after_the_other);
	tcase_add_test(tests, commit_of_a_failed_one);
	tcase_add_test(tests, an_error_that_ends_it);
	tcase_add_test(tests, an_error_that_does_not_end_it);
	tcase_add_test(tests, one_that_began_before);
	tcase_add_test(tests, a_connection_ends);
	tcase_add_test(tests, a_connection_ends_within_a_query);
	tcase_add_test(tests, a_program_ends);
	tcase_add_test(tests, several_threads);
	tcase_add_test(tests, too_many_connections);
	suite_add_tcase(suite, tests);
	return suite;
}
