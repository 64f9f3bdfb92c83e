/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions in a shared library, for the benchmark's subjects to call. */
#ifndef BENCH_CALLED_H
#define BENCH_CALLED_H

int bench_int(int number);
int bench_string(const char *text);
/* A function that the benchmark does not trace. */
int bench_quiet(int number);

#endif
