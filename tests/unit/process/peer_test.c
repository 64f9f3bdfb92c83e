/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The other ends of connected sockets, as the kernel names them. */
#include "process/peer.h"

#include "base/attr.h"
#include "tests/unit/process/suites.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Connects a socket to a listening one at this address, and reads its peer. */
static int
peer_at(const struct sockaddr *address, socklen_t length, struct peer *ret_peer)
{
	struct sockaddr_storage bound;
	socklen_t room = sizeof(bound);
	int server = socket(address->sa_family, SOCK_STREAM, 0);
	int client = socket(address->sa_family, SOCK_STREAM, 0);
	int r;

	ck_assert_int_eq(bind(server, address, length), 0);
	ck_assert_int_eq(listen(server, 1), 0);
	ck_assert_int_eq(getsockname(server, (void *)&bound, &room), 0);
	ck_assert_int_eq(connect(client, (void *)&bound, room), 0);
	r = peer_read(getpid(), client, ret_peer);
	if (r == 0 && address->sa_family == AF_INET)
		ck_assert_uint_eq(
			ret_peer->port,
			ntohs(((struct sockaddr_in *)&bound)->sin_port));
	close(client);
	close(server);
	return r;
}

START_TEST(of_ipv4)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct peer peer;

	ck_assert_int_eq(peer_at((void *)&address, sizeof(address), &peer), 0);
	ck_assert_str_eq(peer.address, "127.0.0.1");
}
END_TEST

/* The path may fill the whole address, without a NUL. */
START_TEST(of_unix)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t head = offsetof(struct sockaddr_un, sun_path);
	struct peer peer;
	char name[64];
	int length;

	length = snprintf(name, sizeof(name), "xtrace-peer-%d", (int)getpid());
	memcpy(address.sun_path + 1, name, (size_t)length);
	ck_assert_int_eq(peer_at((void *)&address,
				 (socklen_t)(head + 1 + (size_t)length), &peer),
			 0);
	ck_assert_int_eq(peer.address[0], '@');
	ck_assert_str_eq(peer.address + 1, name);
	ck_assert_uint_eq(peer.port, 0);
	memset(address.sun_path, 'p', sizeof(address.sun_path));
	ck_assert_int_eq(peer_of((void *)&address, sizeof(address), &peer), 0);
	ck_assert_uint_eq(strlen(peer.address), sizeof(address.sun_path));
	ck_assert_int_eq(peer_of((void *)&address, (socklen_t)head, &peer),
			 -ENODATA);
}
END_TEST

START_TEST(of_ipv6)
{
	struct sockaddr_in6 address = { .sin6_family = AF_INET6,
					.sin6_port = htons(5432) };
	struct peer peer;

	inet_pton(AF_INET6, "::ffff:10.0.0.7", &address.sin6_addr);
	ck_assert_int_eq(peer_of((void *)&address, sizeof(address), &peer), 0);
	ck_assert_str_eq(peer.address, "10.0.0.7");
	inet_pton(AF_INET6, "2001:db8::5", &address.sin6_addr);
	ck_assert_int_eq(peer_of((void *)&address, sizeof(address), &peer), 0);
	ck_assert_str_eq(peer.address, "2001:db8::5");
	ck_assert_uint_eq(peer.port, 5432);
}
END_TEST

START_TEST(of_what_has_none)
{
	int pair[2], alone = socket(AF_INET, SOCK_STREAM, 0), pipes[2];
	struct sockaddr other = { .sa_family = AF_PACKET };
	struct peer peer;

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	ck_assert_int_eq(peer_read(getpid(), pair[0], &peer), -ENODATA);
	ck_assert_int_eq(peer_read(getpid(), alone, &peer), -ENOTCONN);
	close(pair[0]);
	close(pair[1]);
	close(alone);
	ck_assert_int_eq(peer_read(getpid(), 999, &peer), -EBADF);
	ck_assert_int_eq(pipe(pipes), 0);
	ck_assert_int_eq(peer_read(getpid(), pipes[0], &peer), -ENOTSOCK);
	close(pipes[0]);
	close(pipes[1]);
	ck_assert_int_eq(peer_of(&other, sizeof(other), &peer), -EAFNOSUPPORT);
}
END_TEST

Suite *
peer_suite(void)
{
	Suite *suite = suite_create("peer");
	TCase *tests = tcase_create("peer");

	tcase_add_test(tests, of_ipv4);
	tcase_add_test(tests, of_unix);
	tcase_add_test(tests, of_ipv6);
	tcase_add_test(tests, of_what_has_none);
	suite_add_tcase(suite, tests);
	return suite;
}
