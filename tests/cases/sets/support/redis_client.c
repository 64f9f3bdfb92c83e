/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A client with libhiredis: blocking commands, two commands in flight at once,
 * and passwords, which this server does not need.
 *
 * LDFLAGS: -lhiredis
 */
#include <hiredis/hiredis.h>

static void
identify(redisContext *context)
{
	static const char ready[] = "*2\r\n$4\r\nauth\r\n$6\r\nsecret\r\n";
	static const char other[] = "*1\r\n$4\r\nPING\r\n";
	const char *words[] = { "aUtH", "secret" };
	redisReply *reply;

	freeReplyObject(redisCommand(context, "AUTH %s", "secret"));
	freeReplyObject(redisCommand(context, "AUTH secret"));
	freeReplyObject(redisCommandArgv(context, 2, words, NULL));
	redisAppendFormattedCommand(context, ready, sizeof(ready) - 1);
	redisAppendFormattedCommand(context, other, sizeof(other) - 1);
	for (int i = 0; i < 2; i++) {
		if (redisGetReply(context, (void **)&reply) == REDIS_OK)
			freeReplyObject(reply);
	}
}

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
	identify(context);
	redisFree(context);
	return 0;
}
