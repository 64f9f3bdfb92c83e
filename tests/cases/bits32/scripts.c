/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A 32-bit program with the symbols of a Python interpreter. xtrace knows only
 * the layouts of 64-bit interpreters. So it shows native frames, and prints no
 * message about Python's version.
 *
 * NEEDS: /lib32/libc.so.6
 * CFLAGS: -m32 -O1 -rdynamic
 * FILE: p.conf: int work(int);
 *
 * RUN: xtrace -F p.conf -x work -w 1 %t
 * EXPECT:
 *   work(3) = 3
 *       main+%hex@t
 *   +++ exited (status 0) +++
 */
const unsigned long Py_Version = 0x036302f0;
char PyCode_Type[4096], _PyRuntime[4096];

void
PyEval_EvalCode(void)
{
}

__attribute__((noinline)) int
work(int x)
{
	static volatile int zero;

	return x + zero;
}

int
main(void)
{
	return work(3) - 3;
}
