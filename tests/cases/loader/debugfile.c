/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stripped library whose symbols are elsewhere: in .gnu_debugdata (as on
 * Fedora), or in /usr/lib/debug by build-id (as in Debian's libc6-dbg).
 *
 * CFLAGS: -g
 * POST: nm -D t --format=posix --defined-only | awk '{print $1}' | sort >dyn
 * POST: nm t --format=posix --defined-only | awk '$2=="T"||$2=="t"{print $1}' | sort >all
 * POST: comm -13 dyn all >keep
 * POST: objcopy --only-keep-debug t debug
 * POST: objcopy -S --remove-section .comment --keep-symbols=keep debug mini
 * POST: strip t
 * POST: xz -k mini
 * POST: objcopy --add-section .gnu_debugdata=mini.xz t
 * FILE: p.conf: int hidden(int);
 *
 * RUN: xtrace -F p.conf -x hidden %t
 * EXPECT:
 *   hidden(2) = 4
 *   +++ exited (status 4) +++
 *
 * RUN: xtrace -x _int_free %t
 * CONTAINS:
 *   _int_free(%any
 *   +++ exited (status 4) +++
 */
#include "subject.h"
#include <stdlib.h>

static NOINLINE int
hidden(int x)
{
	x *= 2;
	OPAQUE(x);
	return x;
}

int
main(void)
{
	void *block = malloc(4000), *other = malloc(10);

	OPAQUE(block);
	free(block);
	free(other);
	return hidden(2);
}
