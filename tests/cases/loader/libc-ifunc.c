/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The IFUNCs of the C library: strlen and memcpy are shown under these names,
 * whatever variant the machine uses.
 *
 * CFLAGS: -fno-builtin
 * VARIANT: lazy -Wl,-z,lazy
 * VARIANT: now -Wl,-z,now
 * VARIANT: static -static
 * FILE: p.conf: ulong strlen(string);
 * FILE: p.conf: addr memcpy(addr, string, ulong);
 *
 * RUN: xtrace -F p.conf -x strlen+memcpy %t
 * COUNT: 3 strlen%any("a marker %num") = 10
 * COUNT: 3 memcpy%any(%hex, "a marker %num", 11) = %hex
 *
 * RUN: xtrace -F p.conf -x strlen+memcpy -p %p
 * ATTACH:
 * COUNT: 3 %id strlen%any("a marker %num") = 10
 * COUNT: 3 %id memcpy%any(%hex, "a marker %num", 11) = %hex
 */
#include "subject.h"

int
main(void)
{
	char text[] = "a marker 0", copy[16];
	int sum = 0;

	ready();
	for (int i = 0; i < 3; i++) {
		size_t length = strlen(text);

		memcpy(copy, text, length + 1);
		OPAQUE(length);
		sum += (int)length;
		text[9]++;
	}
	return sum - 30;
}
