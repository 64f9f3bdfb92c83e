/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends what is in a queue to a server, until xtrace has ended. */
#ifndef NETWORK_POST_H
#define NETWORK_POST_H

#include "network/curl.h"
#include "network/queue.h"

#include <stdatomic.h>

/* For how long texts that are left are still sent after xtrace has ended. */
#define POST_PATIENCE_MS 2000u

/* What has become of the texts, in memory that both processes share. */
struct post_told {
	/* the numbers of items (queue_put()) in these texts */
	atomic_uint_fast64_t sent, lost;
	/* The reason of the last failure. It is set before the process that
	 * sends ends. */
	char why[256];
};

struct post {
	struct queue *queue;
	struct curl *curl;
	struct post_told *told;
	/* The URL to which a text is sent: spans and metrics have one each. */
	const char *(*url_of)(const struct post *post, const struct str *text);
	const char *urls[2];
};

/* The work of a process (network/apart.h). `post` is a struct post. */
void post(void *post);

#endif
