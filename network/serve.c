/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One loop around poll(2). A client that sends its request slowly, or reads the
 * answer slowly, is dropped after some seconds. If there are too many clients,
 * the others wait in the queue of the socket.
 */
#include "network/serve.h"

#include "base/clock.h"
#include "base/fd.h"
#include "network/apart.h"
#include "network/http_head.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#define CLIENTS_MOST 32
#define PATIENCE (10 * CLOCK_SECOND)
#define MS UINT64_C(1000000)

struct client {
	int fd;
	uint64_t limit; /* the client is dropped at this time */
	struct str request, answer;
	size_t sent; /* how many bytes of the answer were sent */
	bool over;
};

struct server {
	const struct board *board;
	struct str metrics;
	struct client clients[CLIENTS_MOST];
	nfds_t count;
};

static void
client_release(struct client *client)
{
	fd_closep(&client->fd);
	str_release(&client->request);
	str_release(&client->answer);
}

static void
accept_client(struct server *server)
{
	int fd = accept4(APART_GIVEN, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd < 0)
		return;
	server->clients[server->count++] = (struct client){
		.fd = fd,
		.limit = clock_now() + PATIENCE,
	};
}

static bool
try_again(ssize_t n)
{
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

static void
read_request(struct server *server, struct client *client)
{
	char bytes[1024];
	ssize_t n = recv(client->fd, bytes, sizeof(bytes), 0);

	if (try_again(n))
		return;
	if (n <= 0) {
		client->over = true;
		return;
	}
	str_add_bytes(&client->request, bytes, (size_t)n);
	if (!http_head_complete(&client->request) &&
	    client->request.length < HTTP_HEAD_MOST)
		return;
	if (board_read(server->board, &server->metrics))
		http_head_answer(&client->answer, &client->request,
				 &server->metrics);
	else
		client->over = true;
}

static void
send_answer(struct client *client)
{
	size_t left = client->answer.length - client->sent;
	ssize_t n = send(client->fd, client->answer.text + client->sent, left,
			 MSG_NOSIGNAL);

	if (try_again(n))
		return;
	if (n > 0)
		client->sent += (size_t)n;
	client->over = n <= 0 || client->sent == client->answer.length;
}

static void
serve_client(struct server *server, struct client *client)
{
	if (!client->answer.length)
		read_request(server, client);
	if (client->answer.length && !client->over)
		send_answer(client);
}

static void
drop_clients(struct server *server, uint64_t now)
{
	nfds_t kept = 0;

	for (nfds_t i = 0; i < server->count; i++) {
		struct client *client = &server->clients[i];

		if (client->over || now >= client->limit)
			client_release(client);
		else
			server->clients[kept++] = *client;
	}
	server->count = kept;
}

/* Fills what is polled: xtrace's pipe, the socket, the clients. Returns the
 * number of rows. */
static nfds_t
prepare(const struct server *server, struct pollfd *rows)
{
	rows[0] = (struct pollfd){ .fd = APART_LIFE, .events = POLLIN };
	rows[1] = (struct pollfd){
		.fd = server->count < CLIENTS_MOST ? APART_GIVEN : -1,
		.events = POLLIN,
	};
	for (nfds_t i = 0; i < server->count; i++)
		rows[2 + i] = (struct pollfd){
			.fd = server->clients[i].fd,
			.events = server->clients[i].answer.length ? POLLOUT
								   : POLLIN,
		};
	return 2 + server->count;
}

/* The time until a client must be dropped, in ms; -1: there is no client. */
static int
wait_time(const struct server *server, uint64_t now)
{
	uint64_t limit = UINT64_MAX;

	for (nfds_t i = 0; i < server->count; i++)
		if (server->clients[i].limit < limit)
			limit = server->clients[i].limit;
	return limit == UINT64_MAX ? -1
				   : (int)(clock_between(now, limit) / MS) + 1;
}

void
serve(void *board)
{
	struct server server = { .board = board };
	struct pollfd rows[CLIENTS_MOST + 2];

	for (;;) {
		nfds_t count = prepare(&server, rows);

		if (poll(rows, count, wait_time(&server, clock_now())) < 0 &&
		    errno != EINTR)
			break;
		if (rows[0].revents && !apart_awake())
			break;
		for (nfds_t i = 2; i < count; i++)
			if (rows[i].revents)
				serve_client(&server, &server.clients[i - 2]);
		if (rows[1].revents)
			accept_client(&server);
		drop_clients(&server, clock_now());
	}
	while (server.count > 0)
		client_release(&server.clients[--server.count]);
	str_release(&server.metrics);
}
