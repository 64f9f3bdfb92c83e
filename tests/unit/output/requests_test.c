/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of --requests: routes, their queries, and queries of no request. */
#include "suites.h"

#include "output/tables/request_rows.h"
#include "script.h"
#include "stacks/stack.h"
#include "subject.h"

#include <stdio.h>
#include <string.h>

#define MAIN SCRIPT_PID
#define US UINT64_C(1000)

static struct script script;
static struct subject *subject;

static const struct frame asks = { .kind = FRAME_PYTHON,
				   .function = "index",
				   .file = "views.py",
				   .line = 22 };

static void
begin(void)
{
	script_init(&script);
	script_open(&script, requests_sink_new);
	subject = subject_new("int ask(sql(string));\n");
}

static void
expect(const char *text)
{
	script_expect(&script, text);
	subject_free(subject);
}

/* Tells what has become of a request that began at `from` in microseconds. */
static void
tell(enum event_kind kind, pid_t tid, const struct event_request *request,
     uint64_t from, uint64_t duration)
{
	struct event_call times = { .began = from * US,
				    .duration = (int64_t)(duration * US) };
	const struct event event = { .kind = kind,
				     .pid = SCRIPT_PID,
				     .tid = tid,
				     .call = &times,
				     .request = request };

	tee_event(script.tee, &event);
}

/* Tells of a query of this request. The query lasts from `from` to `to`, in
 * microseconds. */
static void
query(pid_t tid, uint64_t request, const char *text, uint64_t from, uint64_t to)
{
	struct event_call *call = script_call(&script, "ask");
	struct event_outcome outcome = { .failed = !strcmp(text, "SELECT f()"),
					 .has_rows = !strcmp(text, "SELECT a"),
					 .rows = 3 };

	call->request = request;
	call->frames = &asks;
	call->frame_count = 1;
	call->outcome = &outcome;
	subject_enter(subject, call,
		      (uint64_t[6]){ subject_text(subject, text) });
	script_enter(&script, tid, call, from);
	subject_leave_entry(subject);
	script_end(&script, tid, call, to, CALL_RETURNED);
}

static void
connects(pid_t tid, uint64_t request, uint64_t from, uint64_t to)
{
	struct event_call *call = script_call(&script, "connect_desk");

	call->request = request;
	call->connects = true;
	script_enter(&script, tid, call, from);
	script_end(&script, tid, call, to, CALL_RETURNED);
}

#define HEADER                                                            \
	"requests    mean database  share connect queries errors   rows " \
	" request\n"

START_TEST(routes_add_up)
{
	const struct event_request one = { .id = 1,
					   .method = "GET",
					   .path = "/books/12" };
	const struct event_request two = { .id = 2,
					   .method = "GET",
					   .path = "/books/13" };
	const struct event_request third = {
		.id = 3, .method = "POST", .path = "/login", .unfinished = true
	};

	begin();
	tell(EVENT_REQUEST, MAIN, &one, 0, 0);
	connects(MAIN, 1, 10, 20);
	for (unsigned i = 0; i < 6; i++)
		query(MAIN, 1, "SELECT a", 100 * i + 100, 100 * i + 150);
	query(MAIN, 1, "SELECT f()", 800, 900);
	tell(EVENT_REQUEST_END, MAIN, &one, 0, 1000);
	tell(EVENT_REQUEST, MAIN, &two, 2000, 0);
	query(MAIN, 2, "SELECT a", 2100, 2200);
	tell(EVENT_REQUEST_END, MAIN, &two, 2000, 1000);
	tell(EVENT_REQUEST, MAIN, &third, 4000, 0);
	tell(EVENT_REQUEST_END, MAIN, &third, 4000, 30);
	/* The end of a request whose beginning was not told. */
	tell(EVENT_REQUEST_END, MAIN, &third, 4000, 30);
	expect(HEADER "       2 1.000ms  500.0us  25.0% 10.00us       8      1 "
		      "    21  "
		      "GET /books/*\n"
		      "    x 6  select a at views.py:22 in index\n"
		      "       1 30.00us                               0        "
		      "        "
		      "POST /login (1 unfinished)\n"
		      "3 requests with 8 queries, 500.0us in them\n");
}
END_TEST

/* A thread has queries before it is known which request it answers. */
START_TEST(queries_follow_their_thread)
{
	const struct event_request one = { .id = 1,
					   .method = "GET",
					   .path = "/" };

	begin();
	/* This query began before its thread answered the request. */
	query(MAIN + 1, 0, "SELECT a", 0, 10);
	tell(EVENT_REQUEST, MAIN, &one, 100, 0);
	tell(EVENT_REQUEST_THREAD, MAIN + 1, &one, 100, 0);
	query(MAIN + 1, 0, "SELECT b", 200, 250);
	tell(EVENT_REQUEST_THREAD, MAIN + 1, &one, 100, 0);
	/* This query belongs to no request, nor does the connection after
	 * it. */
	query(MAIN + 2, 0, "SELECT c", 300, 310);
	connects(MAIN + 2, 0, 320, 330);
	tell(EVENT_REQUEST_END, MAIN, &one, 100, 400);
	expect(HEADER "       1 400.0us  50.00us  12.5%               1        "
		      "        "
		      "GET /\n"
		      "                  20.00us        10.00us       2        "
		      "     3  "
		      "(no request)\n"
		      "1 request with 3 queries, 70.00us in them\n");
}
END_TEST

START_TEST(the_slowest_routes_are_shown)
{
	char path[16];

	begin();
	script.look.top = 2;
	for (unsigned i = 1; i <= 4; i++) {
		const struct event_request request = { .id = i,
						       .method = "GET",
						       .path = path };

		snprintf(path, sizeof(path), "/%c", (char)('a' + i));
		tell(EVENT_REQUEST, MAIN, &request, 1000 * i, 0);
		if (i > 1)
			query(MAIN, i, "SELECT b", 1000 * i,
			      1000 * i + (i == 3 ? 20 : 10));
		tell(EVENT_REQUEST_END, MAIN, &request, 1000 * i, 100);
	}
	expect(HEADER "       1 100.0us  20.00us  20.0%               1        "
		      "        "
		      "GET /d\n"
		      "       1 100.0us  10.00us  10.0%               1        "
		      "        "
		      "GET /c\n"
		      "... and 2 more\n"
		      "4 requests with 3 queries, 40.00us in them\n");
}
END_TEST

/* Requests and queries that are open at the end are not counted. */
START_TEST(no_request_has_ended)
{
	const struct event_request one = { .id = 1,
					   .method = "GET",
					   .path = "/" };

	begin();
	tell(EVENT_REQUEST, MAIN, &one, 0, 0);
	query(MAIN, 1, "SELECT a", 0, 10);
	expect(HEADER "0 requests with 0 queries\n");
}
END_TEST

static const struct {
	const char *path, *name;
} names[] = {
	{ "/", "GET /" },
	{ "/books/12/pages/3", "GET /books/*/pages/*" },
	{ "/b12", "GET /b12" },
	{ "//7//", "GET //*//" },
	{ "/7?id=7", "GET /*?id=7" },
	{ "/123e4567-e89b-12d3-a456-426614174000", "GET /*" },
	{ "/deadbeef", "GET /deadbeef" },
	{ "/0123456789abcdef", "GET /*" },
	{ "/abcdefabcdefabcdef", "GET /abcdefabcdefabcdef" },
};

START_TEST(numbers_in_paths)
{
	const struct event_request request = { .method = "GET",
					       .path = names[_i].path };
	struct str name;

	str_init(&name);
	request_rows_add_name(&name, &request);
	ck_assert_str_eq(str_text(&name), names[_i].name);
	str_release(&name);
}
END_TEST

Suite *
requests_suite(void)
{
	Suite *suite = suite_create("requests");
	TCase *tests = tcase_create("requests");

	tcase_add_test(tests, routes_add_up);
	tcase_add_test(tests, queries_follow_their_thread);
	tcase_add_test(tests, the_slowest_routes_are_shown);
	tcase_add_test(tests, no_request_has_ended);
	tcase_add_loop_test(tests, numbers_in_paths, 0,
			    sizeof(names) / sizeof(names[0]));
	suite_add_tcase(suite, tests);
	return suite;
}
