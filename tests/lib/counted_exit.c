/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For `make coverage`: xtrace is linked with -Wl,--wrap=_exit, because gcov
 * writes its counters in exit(3) only. xtrace also ends in die(), in its
 * watcher and after a broken run, with _exit(2).
 */
void __gcov_dump(void);
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));

void
__wrap__exit(int status)
{
	__gcov_dump();
	__real__exit(status);
}
