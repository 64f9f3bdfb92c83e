/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An id must look random, because collectors sample by it, and must not be 0
 * (https://www.w3.org/TR/trace-context). It is a random number plus the number
 * of the event, passed through the last steps of SplitMix64, which give
 * different results for different numbers (Steele, Lea and Flood, "Fast
 * Splittable Pseudorandom Number Generators", 2014).
 */
#include "output/otlp/ids.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

static uint64_t
mixed(uint64_t number)
{
	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	number ^= number >> 31;
	return number ? number : 1;
}

void
ids_init(struct ids *ids)
{
	uint64_t now = clock_now() ^ (uint64_t)getpid() << 32;

	/* If the kernel has no random numbers yet, the ids are made from the
	 * time and the pid. */
	if (getrandom(ids, sizeof(*ids), GRND_NONBLOCK) == sizeof(*ids))
		return;
	ids->run = mixed(now);
	for (int i = 0; i < ID_KINDS; i++)
		ids->seeds[i] = mixed(ids->run + (uint64_t)i);
}

static uint64_t
id_of(const struct ids *ids, enum id_kind kind, uint64_t number)
{
	return mixed(ids->seeds[kind] + number);
}

static void
add_id(struct jsonw *json, const char *key, const char *text)
{
	jsonw_key(json, key);
	jsonw_ascii(json, text);
}

void
ids_add_trace(const struct ids *ids, struct jsonw *json, enum id_kind kind,
	      uint64_t number)
{
	char text[40];

	snprintf(text, sizeof(text), "%016" PRIx64 "%016" PRIx64, ids->run,
		 id_of(ids, kind, number));
	add_id(json, "traceId", text);
}

void
ids_add_span(const struct ids *ids, struct jsonw *json, const char *key,
	     enum id_kind kind, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%016" PRIx64, id_of(ids, kind, number));
	add_id(json, key, text);
}
