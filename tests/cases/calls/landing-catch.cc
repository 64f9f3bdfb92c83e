/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of a catch block is exactly where the call that threw would have
 * returned to, with the same stack pointer. Nevertheless it is not shown as a
 * return.
 *
 * CFLAGS: -O2
 * FILE: p.conf: int thrower(int); int fine(int);
 *
 * RUN: xtrace -F p.conf -x thrower+fine %t
 * EXPECT:
 *   thrower(0) = 0
 *   fine(0) = 0
 *   thrower(1) = <unwound>
 *   fine(1) = 1
 *   thrower(2) = 2
 *   fine(2) = 2
 *   thrower(3) = <unwound>
 *   fine(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x thrower %t
 * EXPECT:
 *   thrower(0) = 0
 *   thrower(1) = <unwound>
 *   thrower(2) = 2
 *   thrower(3) = <unwound>
 *   +++ exited (status 0) +++
 */
extern "C" __attribute__((noipa)) int
thrower(int x)
{
	if (x & 1)
		throw x;
	return x;
}

extern "C" __attribute__((noipa)) int
fine(int x)
{
	return x;
}

int
main()
{
	for (volatile int i = 0; i < 4; i++) {
		try {
			thrower(i);
		} catch (int) {
		}
		if (fine(i) != i)
			return 1;
	}
	return 0;
}
