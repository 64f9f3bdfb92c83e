/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * VARIANT: narrow -m32
 * VARIANT: wide
 */
#include <stdio.h>
#include <stdlib.h>

int
main(void)
{
	puts("text");
	return getenv("no such variable") != NULL;
}
