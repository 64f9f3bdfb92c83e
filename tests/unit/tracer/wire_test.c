/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of a query: its time, and how it ended. */
#include "tests/unit/tracer/suites.h"

#include "base/xmalloc.h"
#include "output/sink.h"
#include "output/tee.h"
#include "tracer/report/completion.h"
#include "tracer/options/options.h"
#include "tracer/model/session.h"
#include "tracer/queries/wire.h"

#include <stdlib.h>

enum { NOW = 5000 };

struct told {
	struct sink sink;
	unsigned returns;
	uint64_t began;
	uint64_t duration;
	enum call_end end;
	bool failed;
};

struct scene {
	struct options options;
	struct session session;
	struct completion completion;
	struct out *none;
	struct told told;
	struct wire wire;
};

static void
told_event(struct sink *sink, const struct event *event)
{
	struct told *told = container_of(sink, struct told, sink);

	if (event->kind != EVENT_RETURN)
		return;
	told->returns++;
	told->began = event->call->began;
	told->duration = event->call->duration;
	told->end = event->call->end;
	told->failed = event->call->outcome && event->call->outcome->failed;
}

static void
told_close(struct sink *sink)
{
	(void)sink;
}

static const struct sink_ops ops = {
	.name = "told",
	.event = told_event,
	.close = told_close,
};

static void
open_scene(struct scene *scene)
{
	*scene = (struct scene){ .told.sink.ops = &ops };
	scene->session.options = &scene->options;
	scene->session.now = NOW;
	scene->session.completion = &scene->completion;
	scene->session.outs = &scene->none;
	scene->session.tee = tee_new();
	tee_add(scene->session.tee, &scene->told.sink);
	wire_init(&scene->wire, &scene->session, 7);
	scene->wire.protocol = PROTOCOL_POSTGRES;
}

static void
tell(struct scene *scene, uint64_t began, uint64_t ended,
     enum query_outcome outcome)
{
	struct query query = {
		.number = 1,
		.text = "DO 1",
		.length = 4,
		.whole = 4,
		.began = began,
	};

	scene->wire.listener.begin(&scene->wire.listener, &query);
	query.ended = ended;
	query.outcome = outcome;
	scene->wire.listener.end(&scene->wire.listener, &query);
	ck_assert_uint_eq(scene->told.returns, 1);
	ck_assert_uint_eq(scene->told.began, began);
	tee_close(scene->session.tee);
}

START_TEST(from_the_question_to_the_answer)
{
	struct scene scene;

	open_scene(&scene);
	tell(&scene, 1000, 4000, QUERY_DONE);
	ck_assert_uint_eq(scene.told.duration, 3000);
	ck_assert_int_eq(scene.told.end, CALL_RETURNED);
	ck_assert(!scene.told.failed);
}
END_TEST

START_TEST(to_the_error)
{
	struct scene scene;

	open_scene(&scene);
	tell(&scene, 1000, 1500, QUERY_FAILED);
	ck_assert_uint_eq(scene.told.duration, 500);
	ck_assert_int_eq(scene.told.end, CALL_RETURNED);
	ck_assert(scene.told.failed);
}
END_TEST

START_TEST(to_where_it_was_lost)
{
	struct scene scene;

	open_scene(&scene);
	tell(&scene, 1000, 0, QUERY_LOST);
	ck_assert_uint_eq(scene.told.duration, NOW - 1000);
	ck_assert_int_eq(scene.told.end, CALL_UNFINISHED);
	ck_assert(!scene.told.failed);
}
END_TEST

START_TEST(lost_with_its_connection)
{
	struct scene scene;

	open_scene(&scene);
	scene.wire.broken = "the connection was reset";
	tell(&scene, 1000, 0, QUERY_LOST);
	ck_assert_uint_eq(scene.told.duration, NOW - 1000);
	ck_assert_int_eq(scene.told.end, CALL_RETURNED);
	ck_assert(scene.told.failed);
}
END_TEST

START_TEST(lost_with_the_program)
{
	struct scene scene;

	open_scene(&scene);
	scene.wire.lost = CALL_NO_RETURN;
	tell(&scene, 1000, 0, QUERY_LOST);
	ck_assert_int_eq(scene.told.end, CALL_NO_RETURN);
}
END_TEST

/* No listener should get such a query; still, no time may be negative. */
START_TEST(never_below_zero)
{
	static const enum query_outcome outcomes[] = { QUERY_DONE, QUERY_FAILED,
						       QUERY_SKIPPED };
	struct scene scene;

	for (size_t i = 0; i < array_size(outcomes); i++) {
		open_scene(&scene);
		tell(&scene, 1000, 0, outcomes[i]);
		ck_assert_int_eq(scene.told.end, CALL_UNFINISHED);
		ck_assert_uint_eq(scene.told.duration, NOW - 1000);
		open_scene(&scene);
		tell(&scene, 1000, 400, outcomes[i]);
		ck_assert_int_eq(scene.told.end, CALL_UNFINISHED);
		ck_assert_uint_eq(scene.told.duration, NOW - 1000);
	}
	open_scene(&scene);
	tell(&scene, NOW + 1, 0, QUERY_LOST); /* the clock went back */
	ck_assert_uint_eq(scene.told.duration, 0);
}
END_TEST

Suite *
wire_suite(void)
{
	Suite *suite = suite_create("tracer/wire");
	TCase *tests = tcase_create("wire");

	tcase_add_test(tests, from_the_question_to_the_answer);
	tcase_add_test(tests, to_the_error);
	tcase_add_test(tests, to_where_it_was_lost);
	tcase_add_test(tests, lost_with_its_connection);
	tcase_add_test(tests, lost_with_the_program);
	tcase_add_test(tests, never_below_zero);
	suite_add_tcase(suite, tests);
	return suite;
}
