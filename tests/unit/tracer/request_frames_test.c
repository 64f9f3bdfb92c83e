/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests that are calls of a script's function: which queries belong to one
 * request, and when it ends. A stack is a string of its frames, the innermost
 * first: "rows@10 perform@20" has the frames of rows() at 0x10 and of perform()
 * at 0x20. With ! the walk has not reached the end of the stack.
 */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"
#include "tests/unit/tracer/told.h"

#include "output/tee.h"
#include "stacks/stack.h"
#include "tracer/options/request_frame.h"
#include "tracer/queries/request_frames.h"
#include "tracer/report/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PID = 50, TID = 51 };

struct scene {
	struct options options;
	struct session session;
	struct completion completion;
	struct out *none;
	struct told told;
	struct space space;
	struct findings findings;
	struct program program;
	struct process process;
	struct thread thread;
	struct thread_record record;
};

static void
scene_open(struct scene *scene, const char *pattern)
{
	struct session *session = &scene->session;
	struct err err = { "" };

	*scene = (struct scene){ .options.wall = true };
	ck_assert_int_eq(request_frame_read(pattern,
					    &scene->options.request_frame,
					    &err),
			 0);
	told_init(&scene->told);
	scene->told.times = true;
	session->options = &scene->options;
	session->now = 1000;
	session->completion = &scene->completion;
	session->outs = &scene->none;
	session->tee = tee_new();
	tee_add(session->tee, &scene->told.sink);
	scene->space.pid = scene->process.pid = PID;
	scene->program = (struct program){ .session = session,
					   .space = &scene->space,
					   .findings = &scene->findings };
	scene->thread.tid = TID;
	scene->thread.process = &scene->process;
	scene->record.thread = &scene->thread;
	map_init(&session->records);
	map_put(&session->records, TID, &scene->record);
}

static void
scene_close(struct scene *scene)
{
	request_frames_life.thread_gone(&scene->record);
	tee_close(scene->session.tee);
	map_release(&scene->session.records);
	request_frame_free(scene->options.request_frame);
	told_release(&scene->told);
}

static void
push(struct stack *stack, char *word)
{
	char *at = strchr(word, '@');
	struct frame *frame;

	ck_assert_ptr_nonnull(at);
	frame = stack_push(stack, FRAME_SCRIPT, strtoul(at + 1, NULL, 16));
	frame->function =
		arena_strndup(stack->arena, word, (size_t)(at - word));
	frame->file = "/srv/worker.py";
}

/* A query is sent with this stack: 100 ns after the last event. Returns the id
 * of its request. */
static uint64_t
begin(struct scene *scene, const char *frames)
{
	char words[128];
	struct arena arena;
	struct stack stack;
	struct call call = { .event.began = scene->session.now += 100 };

	arena_init(&arena);
	stack_init(&stack, &arena, 16);
	snprintf(words, sizeof(words), "%s", frames);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
		if (!strcmp(word, "!"))
			stack.partial = true;
		else
			push(&stack, word);
	}
	request_frames_walked(&scene->program, &scene->record, &stack, &call);
	arena_release(&arena);
	return call.event.request;
}

/* The query of the request ends after 50 ns. */
static void
end(struct scene *scene, uint64_t request)
{
	const struct event_call query = { .request = request };

	scene->session.now += 50;
	request_frames_query_over(&scene->session, TID, &query,
				  scene->session.now);
}

static void
ask(struct scene *scene, const char *frames, uint64_t expected)
{
	uint64_t request = begin(scene, frames);

	ck_assert_uint_eq(request, expected);
	end(scene, request);
}

START_TEST(queries_of_one_request)
{
	struct scene scene;

	scene_open(&scene, "perform");
	ask(&scene, "fetch@10 main@30", 0);
	ask(&scene, "perform@20 main@30", 1);
	ask(&scene, "rows@10 perform@20 main@30", 1);
	told_expect(&scene.told, "request 1 perform in /srv/worker.py\n");
	/* This stack has no frame of the request's function. */
	ask(&scene, "fetch@10 main@30", 0);
	told_expect(&scene.told, "request 1 over 200\n");
	ask(&scene, "perform@20 main@30", 2);
	scene_close(&scene);
}
END_TEST

START_TEST(frames_at_other_places)
{
	struct scene scene;

	scene_open(&scene, "per*@worker.py");
	ask(&scene, "perform@20", 1);
	ask(&scene, "perform@28", 2);
	/* Another function has its frame at the address of the first function's
	 * frame. */
	ask(&scene, "persist@28", 3);
	request_frames_life.thread_gone(&scene.record);
	ck_assert_uint_eq(scene.record.request, 0);
	told_expect(&scene.told, "request 1 perform in /srv/worker.py\n"
				 "request 1 over 50\n"
				 "request 2 perform in /srv/worker.py\n"
				 "request 2 over 50\n"
				 "request 3 persist in /srv/worker.py\n"
				 "request 3 over 50\n");
	scene_close(&scene);
}
END_TEST

/* A function that calls itself is one request. */
START_TEST(the_outermost_frame)
{
	struct scene scene;

	scene_open(&scene, "perform");
	ask(&scene, "perform@20 main@30", 1);
	ask(&scene, "perform@10 perform@20 main@30", 1);
	ask(&scene, "perform@20 main@30", 1);
	told_expect(&scene.told, "request 1 perform in /srv/worker.py\n");
	scene_close(&scene);
}
END_TEST

/* A stack without the frame proves that the function has ended, but not if
 * outer frames are missing. */
START_TEST(stacks_that_are_not_whole)
{
	struct scene scene;

	scene_open(&scene, "perform");
	ask(&scene, "perform@20 !", 1);
	ask(&scene, "rows@10 !", 0);
	ask(&scene, "perform@20 main@30", 1);
	told_expect(&scene.told, "request 1 perform in /srv/worker.py\n");
	ask(&scene, "rows@10", 0);
	told_expect(&scene.told, "request 1 over 350\n");
	scene_close(&scene);
}
END_TEST

START_TEST(functions_of_other_files)
{
	struct scene scene;

	scene_open(&scene, "perform@jobs.py");
	ask(&scene, "perform@20", 0);
	ck_assert(!scene.options.request_frame->found);
	told_expect(&scene.told, "");
	scene_close(&scene);
	scene_open(&scene, "perform@/srv/*.py");
	ask(&scene, "perform@20", 1);
	ck_assert(scene.options.request_frame->found);
	scene_close(&scene);
}
END_TEST

/* A request ends when its last query ends. A query that has not ended does not
 * count. A query of another request does not count either. */
START_TEST(the_last_query)
{
	struct scene scene;

	scene_open(&scene, "perform");
	ask(&scene, "perform@20", 1);
	ck_assert_uint_eq(begin(&scene, "perform@20"), 1);
	end(&scene, 2);
	end(&scene, 0);
	str_clear(&scene.told.text);
	request_frames_life.ends(&scene.program, CALL_NO_RETURN);
	told_expect(&scene.told, "request 1 over 50\n");
	/* After the end of its program, the thread may run another program with
	 * requests. */
	ask(&scene, "perform@20", 2);
	scene_close(&scene);
}
END_TEST

static void
ask_server(void)
{
	static const char query[] = "Q\0\0\0\15SELECT 1";
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0 ||
	    send(ends[0], query, sizeof(query), 0) != sizeof(query))
		_exit(1);
	close(ends[0]);
}

/* This copy of the test runs no script. */
START_TEST(no_frame_matches)
{
	char *table, *said;

	table = stage_trace("--requests --request-frame perform "
			    "--set stage.conf",
			    "set \"conversations\"; wire;\n", ask_server);
	said = stage_said();
	ck_assert_ptr_nonnull(strstr(table, "0 requests"));
	ck_assert_str_eq(said, "xtrace: --request-frame perform: no frame of a "
			       "script in the stack of a query matches it\n");
	free(table);
	free(said);
}
END_TEST

Suite *
request_frames_suite(void)
{
	Suite *suite = suite_create("tracer/request_frames");
	TCase *tests = tcase_create("request_frames");

	tcase_add_test(tests, queries_of_one_request);
	tcase_add_test(tests, frames_at_other_places);
	tcase_add_test(tests, the_outermost_frame);
	tcase_add_test(tests, stacks_that_are_not_whole);
	tcase_add_test(tests, functions_of_other_files);
	tcase_add_test(tests, the_last_query);
	tcase_add_test(tests, no_frame_matches);
	suite_add_tcase(suite, tests);
	return suite;
}
