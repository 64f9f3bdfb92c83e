/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program without a shared libc.
 *
 * CFLAGS: -static
 */
#include <stdio.h>

int
main(void)
{
	puts("all");
	fflush(stdout);
	return getchar() != EOF;
}
