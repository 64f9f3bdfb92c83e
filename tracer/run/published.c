/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracing thread copies a new version into shared memory; a process of its
 * own, which cannot trace, answers requests with it. The process ends before
 * the port is given up by xtrace, so a run that follows can have it at once.
 */
#include "tracer/run/published.h"

#include "base/fd.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "network/address.h"
#include "network/apart.h"
#include "network/board.h"
#include "network/serve.h"
#include "output/out.h"

#include <errno.h>
#include <stdlib.h>

/* How long xtrace waits at its end for the process that answers requests. That
 * process does nothing that takes long. */
#define PATIENCE_MS 1000

struct published {
	struct out_target target;
	struct board *board;
	struct apart apart;
};

static void
publish(struct out_target *target, const char *bytes, size_t length)
{
	struct published *published =
		container_of(target, struct published, target);

	if (!board_publish(published->board, bytes, length))
		debug("a version of %zu bytes is not published", length);
}

static int
end(struct out_target *target)
{
	struct published *published =
		container_of(target, struct published, target);

	apart_end(&published->apart, PATIENCE_MS);
	board_free(published->board);
	free(published);
	return 0;
}

static int
start(struct published *published, int socket, struct err *err)
{
	struct apart_work work = {
		.name = "xtrace-metrics",
		.given = socket,
		.run = serve,
	};

	published->board = board_new();
	if (!published->board)
		return err_set(err, -ENOMEM, "no memory for metrics");
	work.argument = published->board;
	return apart_start(&published->apart, &work, err);
}

int
published_open(const char *address, struct out **ret_out, struct err *err)
{
	struct published *published;
	cleanup(fd_closep) int socket = -1;
	struct address where;
	int r = address_parse(address, &where);

	if (r == 0)
		r = address_listen(&where, address, &socket, err);
	if (r < 0)
		return r;
	published = xcalloc(1, sizeof(*published));
	published->target = (struct out_target){
		.versions = true,
		.get = publish,
		.close = end,
	};
	r = start(published, socket, err);
	if (r < 0) {
		board_free(published->board);
		free(published);
		return r;
	}
	*ret_out = out_target(&published->target);
	return 0;
}
