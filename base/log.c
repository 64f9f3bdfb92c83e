/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring of text, and optionally a descriptor to which lines are written at
 * once. The ring is static memory, so that it can still be read after any
 * fault. Lines are written whole; where the ring wraps, the oldest line is cut.
 */
#include "base/log.h"

#include "base/escape.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define RING_SIZE 65536u
#define LINE_SIZE 512

static const char *const topic_names[LOG_TOPICS] = {
	"base",	       "arch",	 "symbols", "conf",    "protocols",
	"values",      "stacks", "output",  "process", "network",
	"breakpoints", "agent",	 "tracer",
};

unsigned log_heard;

static struct {
	char ring[RING_SIZE];
	size_t written;
	int descriptor;
} kept = { .descriptor = -1 };

const char *
log_topic_name(enum log_topic topic)
{
	return topic_names[topic];
}

static int
topic_bit(const char *name, size_t length, unsigned *ret_bits)
{
	if (length == 3 && !strncmp(name, "all", 3)) {
		*ret_bits = (1u << LOG_TOPICS) - 1;
		return 0;
	}
	for (unsigned i = 0; i < LOG_TOPICS; i++) {
		if (strlen(topic_names[i]) == length &&
		    !strncmp(name, topic_names[i], length)) {
			*ret_bits = 1u << i;
			return 0;
		}
	}
	return -EINVAL;
}

int
log_choose(const char *topics, int descriptor)
{
	unsigned heard = 0;

	while (*topics) {
		size_t length = strcspn(topics, ",");
		unsigned bits;

		if (topic_bit(topics, length, &bits) < 0)
			return -EINVAL;
		heard |= bits;
		topics += length;
		topics += *topics == ',';
	}
	log_heard = heard;
	kept.descriptor = descriptor;
	return 0;
}

static void
keep(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		kept.ring[kept.written++ % RING_SIZE] = line[i];
}

void
log_write(enum log_topic topic, const char *format, ...)
{
	char line[LINE_SIZE], said[LINE_SIZE];
	va_list arguments;
	size_t length;

	length = (size_t)snprintf(line, sizeof(line),
				  "xtrace[%s]: ", topic_names[topic]);
	va_start(arguments, format);
	vsnprintf(said, sizeof(said), format, arguments);
	va_end(arguments);
	/* A byte of `line` is left for the newline, which replaces the NUL. */
	length += escape_name_into(line + length, sizeof(line) - length, said);
	line[length++] = '\n';
	keep(line, length);
	if (kept.descriptor >= 0 && write(kept.descriptor, line, length) < 0)
		kept.descriptor = -1;
}

void
log_dump(int descriptor)
{
	size_t count = kept.written < RING_SIZE ? kept.written : RING_SIZE;
	size_t start = kept.written - count;

	while (count > 0) {
		size_t at = start % RING_SIZE;
		size_t run = RING_SIZE - at < count ? RING_SIZE - at : count;
		ssize_t n = write(descriptor, kept.ring + at, run);

		if (n <= 0)
			return;
		start += (size_t)n;
		count -= (size_t)n;
	}
}
