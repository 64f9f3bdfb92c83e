/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program that writes between its calls, for options/interleaved.py.
 *
 * CFLAGS: -O0
 */
#include <unistd.h>

int
f(int x)
{
	return 2 * x;
}

int
main(void)
{
	for (char digit = '1'; digit < '5'; digit++) {
		char line[] = { digit, '\n' };

		f(digit - '0');
		if (write(STDOUT_FILENO, line, sizeof(line)) < 0)
			return 1;
	}
	return 0;
}
