/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An environment is shown as the number of its variables, because it is long
 * and may contain secrets.
 *
 * RUN: xtrace -F %c/../../../etc -x execve+execvpe %t
 * EXPECT:
 *   execve("/no/such", ["a", "b"], %any 3 vars %any) = -1 ENOENT (No such file or directory)
 *   execve("/no/such", ["a", "b"], nil) = -1 ENOENT (No such file or directory)
 *   +++ exited (status 0) +++
 *
 * JSON has the variables themselves.
 *
 * RUN: xtrace -F %c/../../../etc --json -x execve %t
 * CONTAINS:
 *   %any["one=1","two=2","three=3"]%any
 */
#include <unistd.h>

int
main(void)
{
	char one[] = "one=1", two[] = "two=2", three[] = "three=3";
	char a[] = "a", b[] = "b";
	char *words[] = { a, b, NULL };
	char *vars[] = { one, two, three, NULL };

	execve("/no/such", words, vars);
	execve("/no/such", words, NULL);
	return 0;
}
