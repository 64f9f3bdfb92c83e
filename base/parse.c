/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers with and without units (base/parse.h). */
#include "base/parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit duration_units[] = {
	{ "", 1000000000 },
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "m", UINT64_C(60000000000) },
	{ "h", UINT64_C(3600000000000) },
	{ NULL, 0 },
};

int
parse_unsigned(const char *text, uint64_t most, uint64_t *ret_value)
{
	unsigned long long value;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &end, 0);
	if (*end)
		return -EINVAL;
	if (errno == ERANGE || value > most)
		return -ERANGE;
	*ret_value = value;
	return 0;
}

int
parse_duration(const char *text, uint64_t *ret_ns)
{
	size_t digits = strspn(text, "0123456789.");
	const struct unit *unit = duration_units;
	double number, value;
	char *end;

	if (digits == 0 || text[0] == '.')
		return -EINVAL;
	number = strtod(text, &end);
	if (end != text + digits)
		return -EINVAL;
	while (unit->name && strcmp(unit->name, end) != 0)
		unit++;
	if (!unit->name)
		return -EINVAL;
	value = number * (double)unit->factor + 0.5;
	if (value >= 9e18)
		return -ERANGE;
	*ret_ns = (uint64_t)value;
	return 0;
}
