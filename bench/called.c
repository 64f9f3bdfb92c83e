/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The library that the subjects call. Its functions do nothing, so that only
 * the tracing is measured. bench_many_x() are for hot paths that are not
 * traced.
 */
#include "bench/called.h"

#include <string.h>

int
bench_int(int number)
{
	return number + 1;
}

int
bench_string(const char *text)
{
	return text[0];
}

int
bench_quiet(int number)
{
	return number * 3 + 1;
}
