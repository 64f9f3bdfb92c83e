// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * With -C a filter may be the demangled name, as it is printed, or the mangled
 * name. Without -C a filter is compared with the mangled name alone.
 *
 * LIB: libstack.so -DLIBRARY
 * LDFLAGS: -lstack
 *
 * RUN: xtrace -C -x 'push<int>' %t
 * MESSAGES: any
 * EXPECT:
 *   push<int>(%any) = %any
 *   +++ exited (status 3) +++
 *
 * RUN: xtrace -C -x 'push<*>-push<int>' %t
 * MESSAGES: any
 * EXPECT:
 *   push<long>(%any) = %any
 *   +++ exited (status 3) +++
 *
 * RUN: xtrace -C -x _Z4pushIiET_S0_ -x pull %t
 * MESSAGES: any
 * EXPECT:
 *   push<int>(%any) = %any
 *   pull(%any) = %any
 *   pull(%any) = %any
 *   +++ exited (status 3) +++
 *
 * RUN: xtrace -C -x '/^pus/' -x 'operator new' %t
 * MESSAGES: any
 * EXPECT:
 *   push<int>(%any) = %any
 *   push<long>(%any) = %any
 *   operator new(%any) = %hex
 *   +++ exited (status 3) +++
 *
 * RUN: xtrace -C -e pull@MAIN %t
 * MESSAGES: any
 * EXPECT:
 *   pull(%any) = %any
 *   pull(%any) = %any
 *   +++ exited (status 3) +++
 *
 * RUN: xtrace -x 'pus*+pull' %t
 * MESSAGES: any
 * EXPECT:
 *   +++ exited (status 3) +++
 */
#include "subject.h"

#ifdef LIBRARY
EXPORT int
pull(int x)
{
	return x + 1;
}

EXPORT long
pull(long x)
{
	return x + 1;
}
#else
int pull(int x);
long pull(long x);

template <typename T>
NOINLINE T
push(T x)
{
	OPAQUE(x);
	return x;
}

int
main()
{
	int *made;

	pull(push<int>(1));
	pull(push<long>(2));
	made = new int(3);
	OPAQUE(made);
	return *made;
}
#endif
