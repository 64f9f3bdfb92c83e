// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of C++: a pattern with :: or ( is compared with demangled names; commas
 * within <> and () do not separate patterns. Without -C the trace shows mangled
 * names. The + in libstdc++.so.6 does not begin a rule.
 *
 * FILE: p.conf: void _ZN5house4Room4openEi(addr, int);
 *
 * RUN: xtrace -F p.conf -x 'house::Room::open' %t
 * EXPECT:
 *   _ZN5house4Room4openEi(%hex, 1) = <void>
 *   +++ exited (status 3) +++
 *
 * RUN: xtrace -x 'house::Room::fill(std::map<int, int, std::less<int>, std::allocator<std::pair<int const, int> > >&, int)' %t
 * EXPECT:
 *   _ZN5house4Room4fillERSt3mapIiiSt4lessIiESaISt4pairIKiiEEEi(%any) = %any
 *   +++ exited (status 3) +++
 *
 * RUN: xtrace -x 'house::Room::*' %t
 * CONTAINS:
 *   _ZN5house4Room4openEi(%any
 *   _ZN5house4Room4fillE%any
 *
 * RUN: xtrace -C -x 'house::Room::open(int)' %t
 * EXPECT:
 *   house::Room::open(%any) = %any
 *   +++ exited (status 3) +++
 *
 * RUN: xtrace -CC -x 'house::Room::open' %t
 * EXPECT:
 *   house::Room::open(int)(%any) = %any
 *   +++ exited (status 3) +++
 *
 * RUN: xtrace -CC -e '_Znwm@MAIN' %t
 * CONTAINS:
 *   operator new(unsigned long)(%num%any) = %hex
 *
 * RUN: ltrace -C -L -x 'house::Room::open' %t
 * STATUS: 0
 * EXPECT:
 *   house::Room::open(int)(%any) = %any
 *   +++ exited (status 3) +++
 *
 * RUN: xtrace -x '_Znwm@libstdc++.so.6' %t
 * CONTAINS:
 *   _Znwm(%any) = %hex
 *
 * RUN: xtrace -x '_Znwm@libstdc++.so.6+_ZdlPv*@libstdc++.so.6' %t
 * CONTAINS:
 *   _Znwm(%any) = %hex
 *   _ZdlPv%any(%any
 */
#include "subject.h"
#include <map>

namespace house {
class Room {
	int opened = 0;

    public:
	NOINLINE void
	open(int x)
	{
		OPAQUE(x);
		opened += x;
	}
	NOINLINE int
	fill(std::map<int, int> &people, int x)
	{
		people[x] = opened;
		return (int)people.size() + x;
	}
};
}

int
main()
{
	house::Room room;
	std::map<int, int> people;

	room.open(1);
	return room.fill(people, 2);
}
