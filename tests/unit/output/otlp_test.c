/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --otlp: the spans of queries, requests and transactions, their metrics, and
 * the process that they describe. tests/cases/fleet compares with what other
 * programs read. In the text, each id of a trace is T and a number, each id of
 * a span S and a number, in the order in which they appear.
 */
#include "suites.h"

#include "script.h"
#include "stacks/stack.h"
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define MAIN SCRIPT_PID

/* Parts of the text of --otlp, as the function text() shortens it. */
#define PROCESS                                            \
	"service.name=\"unknown_service\",host.name=HOST," \
	"os.type=\"linux\",process.pid=\"1000\""
#define OPEN(kind, process, items)                                       \
	"{\"resource" kind "\":[{\"resource\":{\"attributes\":[" process \
	"]},\"schemaUrl\":\"https://opentelemetry.io/schemas/1.37.0\","  \
	"\"scope" kind "\":[{\"scope\":{\"name\":\"xtrace\"},\"" items "\":["
#define SPANS(process) OPEN("Spans", process, "spans")
#define END "]}]}]}\n"
#define SPAN(ids, name, kind, began, ended, attributes, status)             \
	"{" ids ",\"name\":\"" name "\",\"kind\":" kind                     \
	",\"startTimeUnixNano\":\"" began "\",\"endTimeUnixNano\":\"" ended \
	"\",\"attributes\":[" attributes "],\"status\":{" status            \
	"},\"flags\":257}"
#define METRICS(process)                                               \
	OPEN("Metrics", process, "metrics")                            \
	"{\"name\":\"db.client.operation.duration\","                  \
	"\"description\":\"Duration of database client operations.\"," \
	"\"unit\":\"s\",\"exponentialHistogram\":"                     \
	"{\"aggregationTemporality\":2,\"dataPoints\":["
#define POINT(attributes, began, count, sum, offset, least, most)            \
	"{\"attributes\":[" attributes "],\"startTimeUnixNano\":\"" began    \
	"\",\"timeUnixNano\":NOW,\"count\":\"" count "\",\"sum\":" sum       \
	",\"scale\":20,\"zeroCount\":\"0\",\"positive\":{\"offset\":" offset \
	",\"bucketCounts\":[\"" count "\"]},\"min\":" least ",\"max\":" most \
	"}"
#define END_METRICS "]}}" END
#define IDS(trace, span) "\"traceId\":" trace ",\"spanId\":" span
#define BELOW(parent) ",\"parentSpanId\":" parent
#define PQ "db.system.name=\"postgresql\""
#define MYSQL "db.system.name=\"mysql\""
#define THREAD "thread.id=\"1000\""
#define SELECT \
	PQ ",db.query.text=\"select ?\",db.operation.name=\"SELECT\"," THREAD

static struct script script;
static struct subject *subject;
static struct str wanted;

static const struct frame asks = { .kind = FRAME_PYTHON,
				   .function = "index",
				   .file = "views.py",
				   .line = 22 };

static void
begin(void)
{
	unsetenv("OTEL_SERVICE_NAME");
	script_init(&script);
	script.look.epoch_offset = 1000000000;
	subject = subject_new("int PQexec(addr, string, sql(string));\n"
			      "int mysql_query(addr, string, sql(string));\n");
}

static void
run(void)
{
	script_open(&script, otlp_sink_new);
}

/* A query from `from` to `to`, in microseconds. A text that is NULL is
 * unknown. */
static void
ask(struct event_call *call, const char *text, uint64_t from, uint64_t to,
    enum call_end end)
{
	subject_enter(subject, call,
		      (uint64_t[6]){ 0x55d0, subject_text(subject, "a"),
				     text ? subject_text(subject, text) : 0 });
	script_enter(&script, MAIN, call, from);
	subject_leave_entry(subject);
	script_end(&script, MAIN, call, to, end);
}

static void
tell(struct event event, uint64_t when)
{
	event.when = when * 1000;
	event.pid = SCRIPT_PID;
	event.tid = MAIN;
	tee_event(script.tee, &event);
}

/* The number of an id of `digits` digits. Ids have numbers from 1 on, in the
 * order in which they appear. */
static unsigned
number_of(const char *id, size_t digits, struct str *ids)
{
	char word[40];
	char *found;
	unsigned number = 1;

	snprintf(word, sizeof(word), "%.*s ", (int)digits, id);
	found = strstr(str_text(ids), word);
	if (!found) {
		str_add(ids, word);
		found = strstr(str_text(ids), word);
	}
	for (const char *at = str_text(ids); at < found; at++)
		number += *at == ' ';
	return number;
}

/* Writes attributes as NAME=VALUE. Frees the text. */
static char *
shortened(char *text)
{
	struct str to = { 0 };

	for (const char *at = text; *at;) {
		size_t length;

		if (strncmp(at, "{\"key\":\"", 8) != 0) {
			str_add_char(&to, *at++);
			continue;
		}
		at += 8;
		length = strcspn(at, "\"");
		str_add_bytes(&to, at, length);
		str_add_char(&to, '=');
		at = strstr(at, "Value\":") + strlen("Value\":");
		length = (size_t)(strstr(at, "}}") - at);
		str_add_bytes(&to, at, length);
		at += length + 2;
	}
	free(text);
	return str_take(&to);
}

/* Closes the sink. Returns its text with other words for ids, for the name of
 * the host and for the time at which metrics were written. */
static char *
text(void)
{
	char *written = script_close(&script);
	struct str to = { 0 }, traces = { 0 }, spans = { 0 };
	struct utsname host;
	const char *at = written;

	subject_free(subject);
	ck_assert_int_eq(uname(&host), 0);
	while (*at) {
		size_t digits =
			*at == '"' ? strspn(at + 1, "0123456789abcdef") : 0;
		size_t name = strlen(host.nodename);

		if (digits == 32 && at[33] == '"') {
			str_addf(&to, "T%u", number_of(at + 1, 32, &traces));
			at += 34;
		} else if (digits == 16 && at[17] == '"') {
			str_addf(&to, "S%u", number_of(at + 1, 16, &spans));
			at += 18;
		} else if (!strncmp(at, "\"timeUnixNano\":", 15)) {
			str_add(&to, "\"timeUnixNano\":NOW");
			at += 16 + strcspn(at + 16, "\"") + 1;
		} else if (*at == '"' &&
			   !strncmp(at + 1, host.nodename, name) &&
			   at[name + 1] == '"') {
			str_add(&to, "HOST");
			at += name + 2;
		} else {
			str_add_char(&to, *at++);
		}
	}
	free(written);
	str_release(&traces);
	str_release(&spans);
	return shortened(str_take(&to));
}

/* Adds a part to the text that is wanted. */
static void
want(const char *part)
{
	str_add(&wanted, part);
}

/* Expects the text that is wanted. Check cannot print all of a long text, so a
 * message shows only a part, near the first difference. */
static void
expect(void)
{
	char *got = text();
	const char *all = str_text(&wanted);
	size_t same = 0, length = 400;
	char *there, *here;

	while (got[same] && got[same] == all[same])
		same++;
	same -= same < 100 ? same : 100;
	there = strndup(got + same, length);
	here = strndup(all + same, length);
	ck_assert_str_eq(there, here);
	ck_assert_uint_eq(strlen(got), strlen(all));
	free(there);
	free(here);
	free(got);
	str_release(&wanted);
}

START_TEST(queries)
{
	struct event_outcome rows = { .has_rows = true, .rows = 3 };
	struct event_outcome failed = { .failed = true,
					.state = "42P01",
					.message = "no 'x'" };
	struct event_call *call;

	begin();
	run();
	call = script_call(&script, "PQexec");
	call->frames = &asks;
	call->frame_count = 1;
	call->outcome = &rows;
	ask(call, "select a from t where b = 'x'", 0, 1200, CALL_RETURNED);
	call = script_call(&script, "PQexec");
	call->outcome = &failed;
	call->request = 7;
	call->transaction = 2;
	ask(call, "(Delete from u)", 2000, 2001, CALL_RETURNED);
	call = script_call(&script, "PQexec");
	rows.rows = 4;
	call->outcome = &rows;
	call->transaction = 2;
	ask(call, "update t set b = 1", 3000, 3500, CALL_RETURNED);
	want(SPANS(PROCESS));
	want(SPAN(IDS("T1", "S1"), "SELECT", "3", "1000000000", "1001200000",
		  PQ ",db.query.text=\"select a from t where b = ?\","
		     "db.operation.name=\"SELECT\","
		     "db.response.returned_rows=\"3\","
		     "code.function.name=\"index\","
		     "code.file.path=\"views.py\","
		     "code.line.number=\"22\"," THREAD,
		  ""));
	want("," SPAN(IDS("T2", "S2") BELOW("S3"), "DELETE", "3", "1002000000",
		      "1002001000",
		      PQ ",db.query.text=\"(delete from u)\","
			 "db.operation.name=\"DELETE\","
			 "error.type=\"42P01\","
			 "db.response.status_code=\"42P01\"," THREAD
			 ",xtrace.transaction=\"2\"",
		      "\"code\":2"));
	want("," SPAN(IDS("T3", "S4") BELOW("S5"), "UPDATE", "3", "1003000000",
		      "1003500000",
		      PQ ",db.query.text=\"update t set b = ?\","
			 "db.operation.name=\"UPDATE\","
			 "xtrace.affected_rows=\"4\"," THREAD
			 ",xtrace.transaction=\"2\"",
		      ""));
	want(END METRICS(PROCESS));
	want(POINT(PQ ",db.operation.name=\"SELECT\"", "1001200000", "1",
		   "0.0012", "-10174071", "0.0012", "0.0012"));
	want("," POINT(PQ ",db.operation.name=\"DELETE\",error.type=\"42P01\"",
		       "1001200000", "1", "1e-06", "-20899765", "1e-06",
		       "1e-06"));
	want("," POINT(PQ ",db.operation.name=\"UPDATE\"", "1001200000", "1",
		       "0.0005", "-11498459", "0.0005", "0.0005"));
	want(END_METRICS);
	expect();
}
END_TEST

START_TEST(parts_of_queries)
{
	struct event_outcome other = { .failed = true };
	struct event_call *call;

	begin();
	run();
	call = script_call(&script, "PQexec");
	call->before = true;
	ask(call, "select 1", 0, 10, CALL_RETURNED);
	ask(script_call(&script, "PQexec"), "select 1", 20, 30,
	    CALL_UNFINISHED);
	call = script_call(&script, "PQexec");
	call->outcome = &other;
	ask(call, NULL, 40, 50, CALL_NO_RETURN);
	call = script_call(&script, "mysql_real_connect");
	call->connects = true;
	script_enter(&script, MAIN, call, 60);
	script_end(&script, MAIN, call, 70, CALL_RETURNED);
	script_whole(&script, MAIN, "no_query", 80, 90);
	want(SPANS(PROCESS));
	want(SPAN(IDS("T1", "S1"), "SELECT", "3", "1000000000", "1000010000",
		  SELECT ",xtrace.incomplete=\"began before xtrace attached\"",
		  ""));
	want("," SPAN(IDS("T2", "S2"), "SELECT", "3", "1000020000",
		      "1000030000", SELECT ",xtrace.incomplete=\"unfinished\"",
		      ""));
	want("," SPAN(IDS("T3", "S3"), "postgresql", "3", "1000040000",
		      "1000050000",
		      PQ ",error.type=\"_OTHER\"," THREAD
			 ",xtrace.incomplete=\"no return\"",
		      "\"code\":2"));
	want("," SPAN(IDS("T4", "S4"), "connect", "3", "1000060000",
		      "1000070000", MYSQL "," THREAD, ""));
	want(END);
	expect();
}
END_TEST

/* With --bind, a span has the text of its query unchanged, and the message of
 * the error. A byte that is not UTF-8 is escaped. */
START_TEST(texts)
{
	struct event_outcome failed = { .failed = true,
					.has_code = true,
					.code = 1064,
					.message = "no \xff" };
	struct event_call *call;

	begin();
	script.look.bind = true;
	script.look.min_duration = 5000;
	run();
	call = script_call(&script, "mysql_query");
	call->outcome = &failed;
	ask(call, "select 'x'", 0, 10, CALL_RETURNED);
	ask(script_call(&script, "mysql_query"), "select 'y'", 20, 21,
	    CALL_RETURNED);
	want(SPANS(PROCESS));
	want(SPAN(IDS("T1", "S1"), "SELECT", "3", "1000000000", "1000010000",
		  MYSQL ",db.query.text=\"select 'x'\","
			"db.operation.name=\"SELECT\",error.type=\"1064\","
			"db.response.status_code=\"1064\"," THREAD,
		  "\"message\":\"no \\\\377\",\"code\":2"));
	want(END METRICS(PROCESS));
	want(POINT(MYSQL ",db.operation.name=\"SELECT\",error.type=\"1064\"",
		   "1000010000", "1", "1e-05", "-17416471", "1e-05", "1e-05"));
	want(END_METRICS);
	expect();
}
END_TEST

START_TEST(requests_and_transactions)
{
	const struct event_request page = { .id = 7,
					    .method = "GET",
					    .path = "/books" };
	const struct event_request job = { .id = 8,
					   .function = "perform",
					   .file = "jobs.py",
					   .unfinished = true };
	const struct event_transaction transaction = {
		.id = 2,
		.before = true,
		.queries = 3,
		.idle = 400,
		.end = TRANSACTION_ROLLED_BACK,
	};
	struct event_call call = { .began = 1000, .duration = 2000 };

	begin();
	run();
	tell((struct event){ .kind = EVENT_REQUEST_END,
			     .call = &call,
			     .request = &page },
	     3);
	tell((struct event){ .kind = EVENT_REQUEST_END,
			     .call = &call,
			     .request = &job },
	     4);
	tell((struct event){ .kind = EVENT_TRANSACTION_END,
			     .call = &call,
			     .transaction = &transaction },
	     5);
	want(SPANS(PROCESS));
	want(SPAN(IDS("T1", "S1"), "GET", "2", "1000001000", "1000003000",
		  "http.request.method=\"GET\",url.path=\"/books\"," THREAD,
		  ""));
	want("," SPAN(IDS("T2", "S2"), "perform", "1", "1000001000",
		      "1000003000",
		      "code.function.name=\"perform\",code.file.path=\"jobs."
		      "py\"," THREAD ",xtrace.incomplete=\"unfinished\"",
		      ""));
	want("," SPAN(IDS("T3", "S3"), "transaction", "1", "1000001000",
		      "1000003000",
		      "xtrace.transaction=\"2\","
		      "xtrace.transaction.end=\"rolled-back\","
		      "xtrace.transaction.queries=\"3\","
		      "xtrace.transaction.idle_ns=\"400\"," THREAD
		      ",xtrace.incomplete=\"began before xtrace attached\"",
		      ""));
	want(END);
	expect();
}
END_TEST

#define CONTAINER                          \
	"0123456789abcdef0123456789abcdef" \
	"0123456789abcdef0123456789abcdef"

#define NAMED(service, program, path)                  \
	"service.name=\"" service "\",host.name=HOST," \
	"os.type=\"linux\",process.pid=\"1000\","      \
	"process.executable.name=\"" program "\","     \
	"process.executable.path=\"" path "\""
/* A service is named by its unit, by its program, or by the user. */
START_TEST(processes)
{
	begin();
	run();
	tell((struct event){ .kind = EVENT_START,
			     .text = "/usr/bin/shop",
			     .groups = "0::/system.slice/user@7.service/"
				       "web.service/docker-" CONTAINER
				       ".scope\n" },
	     0);
	ask(script_call(&script, "PQexec"), "select 1", 10, 20, CALL_RETURNED);
	tell((struct event){ .kind = EVENT_EXEC, .text = "/bin/other" }, 30);
	ask(script_call(&script, "PQexec"), "select 1", 40, 50, CALL_RETURNED);
	tell((struct event){ .kind = EVENT_EXITED }, 60);
	setenv("OTEL_SERVICE_NAME", "named", 1);
	tell((struct event){ .kind = EVENT_START, .text = "/bin/other" }, 70);
	ask(script_call(&script, "PQexec"), "select 1", 80, 90, CALL_RETURNED);
	want(SPANS(NAMED("web", "shop",
			 "/usr/bin/shop") ",container.id=\"" CONTAINER "\""));
	want(SPAN(IDS("T1", "S1"), "SELECT", "3", "1000010000", "1000020000",
		  SELECT, ""));
	want(END SPANS(NAMED("other", "other", "/bin/other")));
	want(SPAN(IDS("T2", "S2"), "SELECT", "3", "1000040000", "1000050000",
		  SELECT, ""));
	want(END METRICS(NAMED("other", "other", "/bin/other")));
	want(POINT(PQ ",db.operation.name=\"SELECT\"", "1000000000", "2",
		   "2e-05", "-17416471", "1e-05", "1e-05"));
	want(END_METRICS SPANS(NAMED("named", "other", "/bin/other")));
	want(SPAN(IDS("T3", "S3"), "SELECT", "3", "1000080000", "1000090000",
		  SELECT, ""));
	want(END METRICS(NAMED("named", "other", "/bin/other")));
	want(POINT(PQ ",db.operation.name=\"SELECT\"", "1000070000", "1",
		   "1e-05", "-17416471", "1e-05", "1e-05"));
	want(END_METRICS);
	expect();
}
END_TEST

Suite *
otlp_suite(void)
{
	Suite *suite = suite_create("otlp");
	TCase *tcase = tcase_create("otlp");

	tcase_add_test(tcase, queries);
	tcase_add_test(tcase, parts_of_queries);
	tcase_add_test(tcase, texts);
	tcase_add_test(tcase, requests_and_transactions);
	tcase_add_test(tcase, processes);
	suite_add_tcase(suite, tcase);
	return suite;
}
