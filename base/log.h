/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug output, for the developers of xtrace: debug("planted %s", ...). Its
 * topic is the room that the source file is in; GNUmakefile passes it to the
 * compiler (DEBUG_TOPIC). A topic that is off costs a branch. The last 64 KiB
 * are kept in memory, and die(), a failed assertion or SIGUSR1 writes them.
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
	LOG_NETWORK,
	LOG_BREAKPOINTS,
	LOG_AGENT,
	LOG_TRACER,
	LOG_TOPICS
};

/*
 * Chooses the topics that are written to descriptor at once: names with commas
 * between them, or "all". Returns -EINVAL for an unknown name.
 */
must_check int log_choose(const char *topics, int descriptor);

/* The name of a topic, whose number is less than LOG_TOPICS. */
const char *log_topic_name(enum log_topic topic);

/* Topics whose debug() calls are written or kept. */
extern unsigned log_heard;

void log_write(enum log_topic topic, const char *format, ...) printf_like(2, 3);

/* Writes the lines that are kept. Async-signal-safe. */
void log_dump(int descriptor);

#define debug_of(topic, ...)                             \
	do {                                             \
		if (log_heard & 1u << (topic))           \
			log_write((topic), __VA_ARGS__); \
	} while (0)

#define debug(...) debug_of(DEBUG_TOPIC, __VA_ARGS__)

#endif
