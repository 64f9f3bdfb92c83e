/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output/stacks/flame.js has the same rules for what it shows. */
#include "output/stacks/flame_text.h"

#include "output/stamp.h"

enum look_weight
flame_weight_of_unit(enum flame_unit unit)
{
	switch (unit) {
	case FLAME_TIME:
		return LOOK_WEIGHT_TIME;
	case FLAME_BYTES:
		return LOOK_WEIGHT_BYTES;
	default:
		return LOOK_WEIGHT_CALLS;
	}
}

/* 1234567 as "1,234,567". */
static void
add_grouped(struct str *to, uint64_t number)
{
	if (number >= 1000) {
		add_grouped(to, number / 1000);
		str_addf(to, ",%03lu", number % 1000);
	} else {
		str_add_unsigned(to, number);
	}
}

static void
add_bytes(struct str *to, uint64_t bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	unsigned unit = 1;
	uint64_t tenths = bytes / 100;

	if (bytes < 1000) {
		str_addf(to, "%lu B", bytes);
		return;
	}
	for (; tenths >= 10000 && unit < array_size(units) - 1; unit++)
		tenths /= 1000;
	str_addf(to, "%lu.%lu %s", tenths / 10, tenths % 10, units[unit]);
}

void
flame_add_counted(struct str *to, uint64_t number, const char *noun)
{
	add_grouped(to, number);
	str_addf(to, " %s%s", noun, number == 1 ? "" : "s");
}

void
flame_add_weight(struct str *to, uint64_t weight, enum flame_unit unit)
{
	switch (unit) {
	case FLAME_TIME:
		stamp_add_short(to, weight * 1000);
		break;
	case FLAME_CALLS:
		flame_add_counted(to, weight, "call");
		break;
	case FLAME_BYTES:
		add_bytes(to, weight);
		break;
	default:
		add_grouped(to, weight);
	}
}

void
flame_add_percent(struct str *to, uint64_t part, uint64_t whole)
{
	uint64_t parts =
		whole ? (uint64_t)((unsigned __int128)part * 1000000 / whole)
		      : 1000000;

	str_addf(to, "%lu.%04lu", parts / 10000, parts % 10000);
}

void
flame_add_share(struct str *to, uint64_t part, uint64_t whole)
{
	uint64_t parts =
		whole ? (uint64_t)((unsigned __int128)part * 100000 / whole)
		      : 100000;

	if (parts >= 1000)
		str_addf(to, "%lu.%lu %%", parts / 1000, parts / 100 % 10);
	else
		str_addf(to, "%lu.%02lu %%", parts / 1000, parts / 10 % 100);
}

void
flame_add_change(struct str *to, uint64_t weight, uint64_t before,
		 enum flame_unit unit)
{
	uint64_t less = weight < before ? before - weight : 0;
	uint64_t more = weight > before ? weight - before : 0;

	str_add_char(to, less ? '-' : '+');
	flame_add_weight(to, less + more, unit);
	if (before == 0)
		return;
	str_add(to, less ? ", -" : ", +");
	flame_add_share(to, less + more, before);
}
