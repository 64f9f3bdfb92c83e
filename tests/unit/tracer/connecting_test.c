/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Logins of clients that speak the protocol themselves. A copy of the test is
 * the client, and the server is in the same process. */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"

#include "tests/unit/checks.h"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static const char logins[] = "set \"logins\"; connects;\n";
static const char both[] = "set \"all\"; connects; wire;\n";

#define START "\0\0\0\43\0\3\0\0user\0ada\0database\0library\0\0"
#define WELCOME "R\0\0\0\10\0\0\0\0Z\0\0\0\5I"
#define REFUSAL "E\0\0\0\27SFATAL\0C28P01\0Mno\0\0"
#define QUERY "Q\0\0\0\15SELECT 1\0"
#define COMPLETE "C\0\0\0\15SELECT 1\0Z\0\0\0\5I"

static int client, server;

#define SEND(text) client_sends(text, sizeof(text) - 1)
#define ANSWER(text) server_sends(text, sizeof(text) - 1)

static void
client_sends(const char *bytes, size_t length)
{
	if (send(client, bytes, length, 0) != (ssize_t)length)
		_exit(1);
}

static void
server_sends(const char *bytes, size_t length)
{
	char room[256];

	syscall(SYS_sendto, server, bytes, length, 0, NULL, 0);
	if (recv(client, room, sizeof(room), 0) != (ssize_t)length)
		_exit(2);
}

/* An address without a name: the kernel chooses an abstract one. */
static void
connect_ends(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t length = sizeof(address);
	int door = socket(AF_UNIX, SOCK_STREAM, 0);

	client = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(door, (struct sockaddr *)&address, sizeof(sa_family_t)) < 0 ||
	    getsockname(door, (struct sockaddr *)&address, &length) < 0 ||
	    listen(door, 1) < 0 ||
	    connect(client, (struct sockaddr *)&address, length) < 0)
		_exit(3);
	server = accept(door, NULL, NULL);
	close(door);
}

static void
log_in(void)
{
	connect_ends();
	SEND(START);
	ANSWER(WELCOME);
	SEND(QUERY);
	ANSWER(COMPLETE);
	close(client);
}

/* The set has logins and no queries. */
START_TEST(a_login)
{
	stage_expect("--set stage.conf", logins, log_in,
		     "TIME postgresql-connect \"ada\" \"library\" = 0 <TIME>\n"
		     "TIME +++ exited (status 0) +++\n");
}
END_TEST

START_TEST(a_login_and_a_query)
{
	stage_expect("--set stage.conf", both, log_in,
		     "TIME postgresql-connect \"ada\" \"library\" = 0 <TIME>\n"
		     "TIME postgresql \"SELECT 1\" = 1 <TIME>\n"
		     "TIME +++ exited (status 0) +++\n");
}
END_TEST

static void
be_refused(void)
{
	connect_ends();
	SEND(START);
	ANSWER(REFUSAL);
	close(client);
}

START_TEST(a_login_that_fails)
{
	stage_expect("--set stage.conf", logins, be_refused,
		     "TIME postgresql-connect \"ada\" \"library\" = -1 ERROR "
		     "(28P01) \"no\" <TIME>\n"
		     "TIME +++ exited (status 0) +++\n");
}
END_TEST

/* Connections that end before xtrace knows whether the server is a database. */
static void
end_early(void)
{
	connect_ends();
	close(client);
	connect_ends();
	SEND(START);
	close(client);
	for (int i = 0; i < 2; i++) {
		connect_ends();
		SEND("hello");
		ANSWER("HELLO");
	}
}

START_TEST(connections_without_a_login)
{
	stage_expect("--set stage.conf", logins, end_early,
		     "TIME +++ exited (status 0) +++\n");
}
END_TEST

Suite *
connecting_suite(void)
{
	Suite *suite = suite_create("tracer/connecting");
	TCase *tests = tcase_create("connecting");

	tcase_add_test(tests, a_login);
	tcase_add_test(tests, a_login_and_a_query);
	tcase_add_test(tests, a_login_that_fails);
	tcase_add_test(tests, connections_without_a_login);
	suite_add_tcase(suite, tests);
	return suite;
}
