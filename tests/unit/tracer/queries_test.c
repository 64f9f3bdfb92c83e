/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queries of sets. A copy of the test's process is the client. It calls
 * functions of the test for which a set has probes, or it speaks to a server
 * over a pair of sockets; the server runs in the same process.
 */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"

#include "base/attr.h"
#include "tests/unit/checks.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- probes ----------------------------------------------------------------
 */

struct desk {
	char paint[40];
	int state, fault;
	const char *complaint;
};

static struct desk desk = { .complaint = "it \"broke\"" };

/* Accessors: their code is interpreted, not executed, and contains nothing that
 * a compiler's flags may add. */
_Static_assert(offsetof(struct desk, fault) == 44 &&
		       offsetof(struct desk, complaint) == 48,
	       "see below");
__asm__(".pushsection .text\n"
	".type unit_desk_fault, @function\n"
	"unit_desk_fault:\n\t"
	"mov 44(%rdi),%eax\n\t"
	"ret\n"
	".size unit_desk_fault, . - unit_desk_fault\n"
	".type unit_desk_complaint, @function\n"
	"unit_desk_complaint:\n\t"
	"mov 48(%rdi),%rax\n\t"
	"ret\n"
	".size unit_desk_complaint, . - unit_desk_complaint\n"
	".popsection");

TARGET static int
unit_desk_send(struct desk *of, const char *question)
{
	return of && question[0] ? 0 : -1;
}

TARGET static int
unit_desk_wait(struct desk *of)
{
	return of->state--;
}

/* Calls another function of the set, whose call is not shown then. */
TARGET static int
unit_desk_ask(struct desk *of, const char *question, const char *name)
{
	unit_desk_send(of, question);
	of->fault = strcmp(question, "why?") ? 0 : 7;
	return of->fault ? -1 : (int)strlen(name);
}

TARGET static int
unit_desk_learn(struct desk *of, const char *name, const char *question)
{
	return of && name[0] && question[0] ? 0 : -1;
}

TARGET static int
unit_desk_repeat(struct desk *of, const char *name)
{
	return of ? (int)strlen(name) : 0;
}

TARGET static void
unit_desk_close(struct desk *of)
{
	of->state = 0;
}

static const char set[] =
	"set \"what is asked of a desk\";\n"
	"int unit_desk_fault(addr d);\n"
	"string unit_desk_complaint(addr d);\n"
	"int unit_desk_ask(addr d, string question, string name);\n"
	"int unit_desk_learn(addr d, string name, string question);\n"
	"int unit_desk_repeat(addr d, string name);\n"
	"int unit_desk_send(addr d, string question);\n"
	"int unit_desk_wait(addr d);\n"
	"void unit_desk_close(addr d);\n"
	"probe unit_desk_ask {\n"
	"	show question;\n"
	"	bind name;\n"
	"	error unit_desk_fault(d), \"HY000\", unit_desk_complaint(d)\n"
	"		if retval < 0;\n"
	"	rows retval if retval >= 0;\n"
	"}\n"
	"probe unit_desk_learn {\n"
	"	keep question as known[d, name] if retval >= 0;\n"
	"	show question if retval < 0;\n"
	"}\n"
	"probe unit_desk_repeat {\n"
	"	recall question from known[d, name];\n"
	"	show question;\n"
	"}\n"
	"probe unit_desk_send {\n"
	"	begin asked[d] if !retval;\n"
	"	show question;\n"
	"}\n"
	"probe unit_desk_wait {\n"
	"	end asked[d] if !retval;\n"
	"	rows 1 if retval == 1;\n"
	"}\n"
	"probe unit_desk_close {\n"
	"	forget known[d];\n"
	"	forget asked[d];\n"
	"}\n";

static void
ask(void)
{
	unit_desk_ask(&desk, "when?", "Ada");
	unit_desk_ask(&desk, "why?", "Bo");
}

START_TEST(questions_and_errors)
{
	stage_expect(
		"--set stage.conf", set, ask,
		"TIME unit_desk_ask \"when?\" = 3 <TIME>\n"
		"TIME unit_desk_ask \"why?\" = -1 ERROR 7 (HY000) \"it \\\"brok"
		"e\\\"\" <TIME>\n"
		"TIME +++ exited (status 0) +++\n");
}
END_TEST

START_TEST(questions_with_what_is_bound)
{
	stage_expect(
		"--bind --set stage.conf", set, ask,
		"TIME unit_desk_ask \"when?\" \"Ada\" = 3 <TIME>\n"
		"TIME unit_desk_ask \"why?\" \"Bo\" = -1 ERROR 7 (HY000) \"it "
		"\\\"broke\\\"\" <TIME>\n"
		"TIME +++ exited (status 0) +++\n");
}
END_TEST

static void
learn(void)
{
	unit_desk_repeat(&desk, "a");
	unit_desk_learn(&desk, "a", "how?");
	unit_desk_learn(&desk, "b", "");
	unit_desk_repeat(&desk, "a");
	unit_desk_close(&desk);
	unit_desk_repeat(&desk, "a");
}

START_TEST(what_is_remembered)
{
	stage_expect("--set stage.conf", set, learn,
		     "TIME unit_desk_repeat ? 0xADDRESS \"a\" = 1 <TIME>\n"
		     "TIME unit_desk_learn \"\" = -1 <TIME>\n"
		     "TIME unit_desk_repeat \"how?\" = 1 <TIME>\n"
		     "TIME unit_desk_repeat ? 0xADDRESS \"a\" = 1 <TIME>\n"
		     "TIME +++ exited (status 0) +++\n");
}
END_TEST

static void
send_and_wait(void)
{
	unit_desk_send(&desk, "where?");
	desk.state = 2;
	while (unit_desk_wait(&desk))
		;
	unit_desk_send(&desk, "");
	/*
	 * One span is deleted by its probe, and one is still open at the end.
	 */
	unit_desk_send(&desk, "who?");
	unit_desk_close(&desk);
	unit_desk_send(&desk, "what?");
}

START_TEST(what_takes_several_calls)
{
	stage_expect("--set stage.conf", set, send_and_wait,
		     "TIME unit_desk_send \"where?\" = 0 <TIME>\n"
		     "TIME unit_desk_send \"\" = -1 <TIME>\n"
		     "TIME unit_desk_send \"who?\" <unfinished ...> <TIME+>\n"
		     "TIME +++ exited (status 0) +++\n"
		     "TIME unit_desk_send \"what?\" <no return ...> <TIME+>\n");
}
END_TEST

/* Without --wall, xtrace subtracts the time of its stops, and nothing may be
 * left of a query as short as these. */
START_TEST(what_is_of_interest)
{
	stage_expect(
		"--wall --set stage.conf --if question~/w/&&duration>0", set,
		ask,
		"TIME unit_desk_ask \"when?\" = 3 <TIME>\n"
		"TIME unit_desk_ask \"why?\" = -1 ERROR 7 (HY000) \"it \\\"brok"
		"e\\\"\" <TIME>\n"
		"TIME +++ exited (status 0) +++\n");
}
END_TEST

/* ---- conversations ---------------------------------------------------------
 */

static int ends[2];

#define SEND(text) client_sends(text, sizeof(text) - 1)
#define ANSWER(text) server_sends(text, sizeof(text) - 1)

static void
client_sends(const char *bytes, size_t length)
{
	if (send(ends[0], bytes, length, 0) != (ssize_t)length)
		_exit(1);
}

/*
 * Sends bytes from the server with a function that is not traced. The client
 * receives them with a traced one.
 */
static void
server_sends(const char *bytes, size_t length)
{
	char room[256];

	syscall(SYS_sendto, ends[1], bytes, length, 0, NULL, 0);
	if (recv(ends[0], room, sizeof(room), 0) != (ssize_t)length)
		_exit(2);
}

static void
connect_ends(void)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		_exit(3);
}

#define COMPLETE "C\0\0\0\15SELECT 1\0"
#define READY "Z\0\0\0\5I"
#define FAULT "E\0\0\0\27SERROR\0C42601\0Mno\0\0"

static void
talk_postgres(void)
{
	connect_ends();
	SEND("Q\0\0\0\15SELECT 1\0");
	ANSWER(COMPLETE READY);
	SEND("Q\0\0\0\7NO\0");
	ANSWER(FAULT READY);
	/* A query that is sent in two parts and gets no answer. */
	SEND("Q\0\0\0\15SELECT 2\0");
	close(ends[0]);
}

static const char wire[] = "set \"conversations\"; wire;\n";

#define REQUEST(text) ANSWER(text)

/* In this test the program is a server, which gets requests. */
static void
serve(void)
{
	connect_ends();
	REQUEST("GET /books/12?key=1 HTTP/1.1\r\nHost: a\r\n\r\n");
	SEND("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
	/* The head comes in two parts. */
	REQUEST("POST /books/13 HTTP");
	REQUEST("/1.1\r\nHost: a\r\n\r\n");
	SEND("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
	/* The second request gets no answer. */
	REQUEST("GET /books/14 HTTP/1.1\r\nHost: a\r\n\r\n");
	close(ends[0]);
}

START_TEST(requests_of_a_server)
{
	char *table = stage_trace("--requests --set stage.conf", wire, serve);

	ck_assert_msg(strstr(table, " GET /books/* (1 unfinished)\n") &&
			      strstr(table, " POST /books/*\n") &&
			      strstr(table, "\n3 requests with 0 queries\n"),
		      "%s", table);
	free(table);
}
END_TEST

START_TEST(a_client_of_postgresql)
{
	stage_expect("--set stage.conf", wire, talk_postgres,
		     "TIME postgresql \"SELECT 1\" = 1 <TIME>\n"
		     "TIME postgresql \"NO\" = -1 ERROR (42601) \"no\" <TIME>\n"
		     "TIME postgresql \"SELECT 2\" = -1 ERROR "
		     "\"the client closed the connection\" <TIME>\n"
		     "TIME +++ exited (status 0) +++\n");
}
END_TEST

#define PARSE "P\0\0\0\21\0SELECT $1\0\0"
#define BIND "B\0\0\0\23\0\0\0\0\0\1\0\0\0\3Ada\0\0"
#define EXECUTE "E\0\0\0\11\0\0\0\0\0S\0\0\0\4"

/* The text of a query and its value are in packets of their own. */
static void
talk_with_values(void)
{
	connect_ends();
	SEND(PARSE "\0" BIND EXECUTE);
	ANSWER("1\0\0\0\4"
	       "2\0\0\0\4" COMPLETE READY);
}

START_TEST(a_query_with_values)
{
	stage_expect("--bind --set stage.conf", wire, talk_with_values,
		     "TIME postgresql \"SELECT $1\" [\"Ada\"] = 1 <TIME>\n"
		     "TIME +++ exited (status 0) +++\n");
}
END_TEST

/* The second command fails, and what the third one asks for does not exist. */
static void
talk_redis(void)
{
	connect_ends();
	SEND("*3\r\n$3\r\nSET\r\n$1\r\na\r\n$2\r\nbc\r\n");
	ANSWER("+OK\r\n");
	SEND("*2\r\n$4\r\nINCR\r\n$1\r\na\r\n");
	ANSWER("-ERR no integer\r\n");
	SEND("*2\r\n$3\r\nGET\r\n$1\r\nx\r\n");
	ANSWER("$-1\r\n");
}

START_TEST(a_client_of_redis)
{
	static const char redis[] = "set \"Redis\"; wire redis;\n";
	char *table;

	stage_expect("--set stage.conf", redis, talk_redis,
		     "TIME redis \"SET a bc\" = OK <TIME>\n"
		     "TIME redis \"INCR a\" = -1 ERROR \"ERR no integer\" "
		     "<TIME>\n"
		     "TIME redis \"GET x\" = nil <TIME>\n"
		     "TIME +++ exited (status 0) +++\n");
	table = stage_trace("--summary --set stage.conf", redis, talk_redis);
	ck_assert_msg(strstr(table, " 0 SET ?\n") &&
			      strstr(table, " 1 INCR ?\n") &&
			      strstr(table, " 0 GET ?\n"),
		      "%s", table);
	free(table);
}
END_TEST

#define OPEN "Z\0\0\0\5T"

/* The first transaction commits, and the second one rolls back. The third one
 * is open when the connection ends. The test does not compare after which query
 * a transaction was idle for the longest time. */
static void
talk_in_transactions(void)
{
	connect_ends();
	SEND("Q\0\0\0\12BEGIN\0");
	ANSWER("C\0\0\0\12BEGIN\0" OPEN);
	SEND("Q\0\0\0\15SELECT 1\0");
	ANSWER(COMPLETE OPEN);
	SEND("Q\0\0\0\13COMMIT\0");
	ANSWER("C\0\0\0\13COMMIT\0" READY);
	SEND("Q\0\0\0\12BEGIN\0");
	ANSWER("C\0\0\0\12BEGIN\0" OPEN);
	SEND("Q\0\0\0\15ROLLBACK\0");
	ANSWER("C\0\0\0\15ROLLBACK\0" READY);
	SEND("Q\0\0\0\15SELECT 2\0");
	ANSWER(COMPLETE READY);
	SEND("Q\0\0\0\12BEGIN\0");
	ANSWER("C\0\0\0\12BEGIN\0" OPEN);
	close(ends[0]);
}

START_TEST(transactions_of_a_client)
{
	char *table = stage_trace("--transactions --set stage.conf", wire,
				  talk_in_transactions);

	ck_assert_msg(!strncmp(table, "transactions ", 13) &&
			      strstr(table, "\n 3 ") &&
			      strstr(table, "% 6 2 ") &&
			      strstr(table, "\n3 transactions, "),
		      "%s", table);
	free(table);
}
END_TEST

/* A second passes while the query waits for its answer. */
static void
talk_slowly(void)
{
	connect_ends();
	SEND("Q\0\0\0\15SELECT 1\0");
	kill(getppid(), SIGUSR1);
	ANSWER(COMPLETE READY);
}

START_TEST(a_query_in_flight)
{
	struct stage stage;
	char *text;

	stage_open(&stage, "--wall --in-flight=1us --set stage.conf", wire,
		   talk_slowly);
	stage_tick_by(&stage, SIGUSR1);
	stage_run(&stage);
	text = stage_close_plain(&stage);
	ck_assert_str_eq(
		text, "TIME postgresql \"SELECT 1\" <in flight ...> <TIME+>\n"
		      "TIME postgresql \"SELECT 1\" = 1 <TIME>\n"
		      "TIME +++ exited (status 0) +++\n");
	free(text);
}
END_TEST

static void
talk_in_vectors(void)
{
	static char query[] = "Q\0\0\0\15SELECT 1";
	static char reply[] = COMPLETE READY;
	char room[2][64];
	struct iovec parts[2] = { { query, 5 }, { query + 5, 9 } };
	struct iovec rooms[2] = { { room[0], 3 }, { room[1], 60 } };
	struct msghdr message = { .msg_iov = rooms, .msg_iovlen = 2 };

	connect_ends();
	for (int i = 0; i < 2; i++) {
		if (writev(ends[0], parts, 2) != 14)
			_exit(1);
		syscall(SYS_sendto, ends[1], reply, sizeof(reply) - 1, 0, NULL,
			0);
		if (i == 0 ? recvmsg(ends[0], &message, 0) < 0
			   : readv(ends[0], rooms, 2) < 0)
			_exit(2);
	}
	/* A client whose server has ended. */
	SEND("Q\0\0\0\15SELECT 3\0");
	close(ends[1]);
	if (read(ends[0], room[0], 5) > 0)
		_exit(4);
}

START_TEST(a_client_that_sends_in_parts)
{
	stage_expect("--set stage.conf", wire, talk_in_vectors,
		     "TIME postgresql \"SELECT 1\" = 1 <TIME>\n"
		     "TIME postgresql \"SELECT 1\" = 1 <TIME>\n"
		     "TIME postgresql \"SELECT 3\" = -1 ERROR "
		     "\"the connection was reset\" <TIME>\n"
		     "TIME +++ exited (status 0) +++\n");
}
END_TEST

static void
talk_nonsense(void)
{
	connect_ends();
	for (int i = 0; i < 10; i++) {
		SEND("hello");
		ANSWER("HELLO");
	}
	/* After an error the connection is not read any more. */
	SEND("Q\0\0\0\15SELECT 1\0");
	ANSWER(COMPLETE READY);
}

START_TEST(an_unknown_protocol_is_not_shown)
{
	stage_expect("--set stage.conf", wire, talk_nonsense,
		     "TIME +++ exited (status 0) +++\n");
}
END_TEST

Suite *
queries_suite(void)
{
	Suite *suite = suite_create("tracer/queries");
	TCase *tests = tcase_create("queries");

	tcase_add_test(tests, questions_and_errors);
	tcase_add_test(tests, questions_with_what_is_bound);
	tcase_add_test(tests, what_is_remembered);
	tcase_add_test(tests, what_takes_several_calls);
	tcase_add_test(tests, what_is_of_interest);
	tcase_add_test(tests, a_client_of_postgresql);
	tcase_add_test(tests, requests_of_a_server);
	tcase_add_test(tests, a_query_with_values);
	tcase_add_test(tests, a_client_of_redis);
	tcase_add_test(tests, transactions_of_a_client);
	tcase_add_test(tests, a_query_in_flight);
	tcase_add_test(tests, a_client_that_sends_in_parts);
	tcase_add_test(tests, an_unknown_protocol_is_not_shown);
	suite_add_tcase(suite, tests);
	return suite;
}
