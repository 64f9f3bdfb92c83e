/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The C library's debug information is in a separate file, which is found by
 * its build-id (Debian's libc6-dbg). A function that another one calls through
 * the PLT has its prototype, too.
 *
 * NEEDS: /usr/lib/debug/.build-id
 *
 * RUN: xtrace --names -x usleep@libc.so.6 %t
 * EXPECT:
 *   usleep(useconds=1000) = 0
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace --names -e usleep@MAIN %t
 * EXPECT:
 *   usleep(useconds=1000) = 0
 *   +++ exited (status 0) +++
 */
#include "subject.h"

int
main(void)
{
	return usleep(1000);
}
