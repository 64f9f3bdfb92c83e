/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A client with libhiredis: what blocks, and two commands under way at once.
 *
 * LDFLAGS: -lhiredis
 */
#include <hiredis/hiredis.h>

int
main(int argc, char **argv)
{
	redisContext *context = redisConnectUnix(argv[argc - 1]);
	redisReply *reply;

	if (!context || context->err)
		return 1;
	freeReplyObject(redisCommand(context, "SET %s %d", "n", 7));
	freeReplyObject(redisCommand(context, "SELEKT"));
	redisAppendCommand(context, "INCR %s", "n");
	redisAppendCommand(context, "TYPE n");
	for (int i = 0; i < 2; i++) {
		if (redisGetReply(context, (void **)&reply) != REDIS_OK)
			return 1;
		freeReplyObject(reply);
	}
	redisFree(context);
	return 0;
}
