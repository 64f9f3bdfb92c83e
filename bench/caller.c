/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library that calls bench_int() through its GOT without a PLT (-fno-plt), so
 * that its calls are watched at the callee's entry. The library is never
 * called. Therefore all hits at that entry are calls from elsewhere, which are
 * filtered out.
 */
#include "bench/called.h"

int bench_caller(int number);

int
bench_caller(int number)
{
	return bench_int(number) + 1;
}
