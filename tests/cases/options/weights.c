/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folded stacks weighed by calls, and by the bytes that the calls ask for, with
 * recursion as it is and folded. A call that failed has asked for nothing.
 *
 * FILE: p.conf: void *take(size_t size);
 * FILE: p.conf: void *take_many(int where, size_t count, size_t size);
 * FILE: p.conf: long refuse(size_t size);
 * FILE: p.conf: int again(int depth, size_t room);
 *
 * RUN: xtrace -F p.conf -x 'take*+refuse+again' --folded --stack=calls --weight bytes %t
 * EXPECT:
 *   %word %num;thread %num;again 700
 *   %word %num;thread %num;again;again 700
 *   %word %num;thread %num;again;again;again 700
 *   %word %num;thread %num;take 101
 *   %word %num;thread %num;take_many 30
 *   %word %num;thread %num;take_many;take 30
 *
 * RUN: xtrace -F p.conf -x 'take*+refuse+again' --folded --stack=calls --weight calls %t
 * EXPECT:
 *   %word %num;thread %num;again 1
 *   %word %num;thread %num;again;again 1
 *   %word %num;thread %num;again;again;again 1
 *   %word %num;thread %num;refuse 1
 *   %word %num;thread %num;take 2
 *   %word %num;thread %num;take_many 1
 *   %word %num;thread %num;take_many;take 1
 *
 * RUN: xtrace -F p.conf -x again --folded --stack=calls --weight=bytes --collapse-recursion %t
 * EXPECT:
 *   %word %num;thread %num;again 2100
 */
#include "subject.h"

#include <stddef.h>

static char room[1000];

NOINLINE void *
take(size_t size)
{
	OPAQUE(size);
	return room + size;
}

NOINLINE void *
take_many(int where, size_t count, size_t size)
{
	OPAQUE(where);
	return (char *)take(count * size) + where;
}

NOINLINE long
refuse(size_t size)
{
	OPAQUE(size);
	return -1;
}

NOINLINE int
again(int depth, size_t size)
{
	OPAQUE(depth);
	return depth > 0 ? again(depth - 1, size) + 1 : 0;
}

int
main(void)
{
	take(100);
	take(1);
	take_many(1, 3, 10);
	refuse(77);
	return again(2, 700) - 2;
}
