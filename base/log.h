/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug talk, for us and not for the user. Each source file that talks says
 *	#define debug(...) debug_of(LOG_BREAKPOINTS, __VA_ARGS__)
 * with its room's topic, then debug("planted %s", ...). A topic that is not
 * asked for costs a branch. What was said is kept, the last 64 KiB of it, and
 * written by die(), a failed assertion or SIGUSR1.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/attr.h"

#include <stdbool.h>

enum log_topic {
	LOG_BASE,
	LOG_ARCH,
	LOG_SYMBOLS,
	LOG_CONF,
	LOG_PROTOCOLS,
	LOG_VALUES,
	LOG_STACKS,
	LOG_OUTPUT,
	LOG_PROCESS,
	LOG_BREAKPOINTS,
	LOG_AGENT,
	LOG_TRACER,
	LOG_TOPICS
};

/*
 * Which topics to write to descriptor as they are said: names with commas
 * between, or "all". -EINVAL on a name that is no topic.
 */
must_check int log_choose(const char *topics, int descriptor);

/* True where a debug() of this topic would be heard or kept. */
extern unsigned log_heard;

void log_write(enum log_topic topic, const char *format, ...) printf_like(2, 3);

/* Writes what is kept. Async-signal-safe. */
void log_dump(int descriptor);

#define debug_of(topic, ...)                             \
	do {                                             \
		if (log_heard & 1u << (topic))           \
			log_write((topic), __VA_ARGS__); \
	} while (0)

#endif
