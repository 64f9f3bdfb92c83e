/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interpreter of libpython, as a program.
 *
 * LDFLAGS: -l:libpython3.11.so.1.0
 */
int
Py_BytesMain(int argc, char **argv);

int
main(int argc, char **argv)
{
	return Py_BytesMain(argc, argv);
}
