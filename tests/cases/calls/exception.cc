// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * C++ exceptions through traced frames. One exception is caught and thrown
 * again.
 *
 * FILE: p.conf: void thrower(int);
 * FILE: p.conf: void middle(int);
 * FILE: p.conf: int catcher(int);
 *
 * RUN: xtrace -F p.conf -n 2 -x thrower+middle+catcher %t
 * EXPECT:
 *   catcher(1 <unfinished ...>
 *     middle(1 <unfinished ...>
 *       thrower(1) = <unwound>
 *     <... middle resumed> ) = <unwound>
 *   <... catcher resumed> ) = 10
 *   catcher(2 <unfinished ...>
 *     middle(2 <unfinished ...>
 *       thrower(2) = <unwound>
 *     <... middle resumed> ) = <unwound>
 *   <... catcher resumed> ) = 20
 *   +++ exited (status 0) +++
 */
#include "subject.h"
#include <stdexcept>

struct guard {
	int *at;
	~guard()
	{
		*at += 0;
	}
};

extern "C" NOINLINE void
thrower(int x)
{
	throw std::runtime_error(x == 1 ? "1" : "2");
}

extern "C" NOINLINE void
middle(int x)
{
	guard kept{ &x };

	try {
		thrower(x);
	} catch (const std::logic_error &) {
		say("not this one");
	}
}

extern "C" NOINLINE int
catcher(int x)
{
	try {
		middle(x);
	} catch (const std::runtime_error &fault) {
		say(fault.what());
		return x * 10;
	}
	return 0;
}

int
main()
{
	return catcher(1) + catcher(2) - 30;
}
