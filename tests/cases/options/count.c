/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables: -c as ltrace prints it, --summary, sorted and cut, --folded.
 *
 * FILE: p.conf: int outer(int n);
 * FILE: p.conf: int inner(int n);
 *
 * RUN: xtrace -F p.conf -c -x outer+inner -- %t slow
 * EXPECT:
 *   % time     seconds  usecs/call     calls      function
 *   ------ ----------- ----------- --------- --------------------
 *   %any %dur %any 2 outer
 *   %any %dur %any 6 inner
 *   ------ ----------- ----------- --------- --------------------
 *   100.00 %any%dur                     8 total
 *
 * RUN: xtrace --count --config p.conf -x inner %t
 * CONTAINS:
 *   100.00 %any%dur %any 6 inner
 *
 * RUN: xtrace -F p.conf --summary -x outer+inner -- %t slow
 * EXPECT:
 *   %anytotal%anyself%anycalls%anymean%anyp50%anyp95%anyp99%anymax  function
 *   %any  outer
 *   %any  inner
 *   8 calls of 2 functions, %any in them
 *
 * RUN: xtrace -F p.conf --summary --sort calls --top 1 -x outer+inner %t
 * EXPECT:
 *   %anytotal%any  function
 *   %any  inner
 *   ... and 1 more
 *   8 calls of 2 functions, %any in them
 *
 * RUN: xtrace -F p.conf --summary --sort=name -x outer+inner %t
 * EXPECT:
 *   %anytotal%any  function
 *   %any  inner
 *   %any  outer
 *   8 calls of 2 functions, %any in them
 *
 * RUN: xtrace -F p.conf --summary --group-by=process -x outer+inner %t
 * EXPECT:
 *   %anytotal%any  process
 *   %any
 *   8 calls in 1 group by process, %any in them
 *
 * RUN: xtrace -F p.conf --folded --stack=calls --weight calls -x outer+inner %t
 * EXPECT:
 *   %any %id;thread %id;inner 1
 *   %any %id;thread %id;outer 1
 *   %any %id;thread %id;outer;inner 1
 *   %any %id;thread %id;outer;outer 1
 *   %any %id;thread %id;outer;outer;inner 2
 *   %any %id;thread %id;outer;outer;inner;inner 1
 *   %any %id;thread %id;outer;outer;inner;inner;inner 1
 *
 * RUN: xtrace -F p.conf --folded --stack=calls --weight=calls --collapse-recursion -x outer+inner %t
 * EXPECT:
 *   %any %id;thread %id;inner 1
 *   %any %id;thread %id;outer 2
 *   %any %id;thread %id;outer;inner 5
 *
 * RUN: xtrace -F p.conf --folded --stack=calls --weight time -x outer %t
 * EXPECT:
 *   %any %id;thread %id;outer %num
 *   %any %id;thread %id;outer;outer %num
 */
#include "subject.h"

NOINLINE int
inner(int n)
{
	int result = n > 1 ? inner(n - 1) + 1 : n;

	OPAQUE(result);
	return result;
}

/*
 * Sleeps long enough that outer has the most own time on a busy machine, too.
 */
static useconds_t own_time;

NOINLINE int
outer(int n)
{
	usleep(own_time);
	int result = n > 1 ? outer(n - 1) : inner(3);

	OPAQUE(result);
	return result + inner(1);
}

int
main(int argc, char **argv)
{
	(void)argv;
	own_time = argc > 1 ? 500000 : 0;
	outer(2);
	inner(1);
	return 0;
}
