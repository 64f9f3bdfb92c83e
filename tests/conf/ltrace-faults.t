# SPDX-License-Identifier: GPL-2.0-or-later
# What ltrace does wrong, or lacks.

@@ a typedef whose name begins with string
typedef stringlist = array(string, zero);
typedef string_t = string;
void f(stringlist*, string_t);
@@ gives
typedef stringlist = array(string, zero);
typedef string_t = string;
void f(ref(stringlist), string_t);
@@ a typedef named as a lens
typedef flags = bitvec(uint);
typedef in = int;
typedef sql = struct(int);
void f(flags, in, sql*);
@@ gives
typedef sql = struct;
typedef flags = bitvec(unsigned int);
typedef in = int;
typedef sql = struct(int);
void f(flags, in, ref(sql));
@@ spaces round = and a trailing comma
void f(enum(A = 1, B =2, C= 3,));
@@ gives
void f(enum[int](A=1, B=2, C=3));
@@ # comments
# alone
int f(int); # behind
	# indented
@@ gives
int f(int);
@@ exact widths, signs and long double
void f(unsigned char, signed char, int8_t, uint8_t, int64_t, long double);
typedef ldouble = long double;
ldouble sinl(ldouble);
@@ gives
typedef ldouble = long double;
void f(unsigned char, signed char, int8_t, uint8_t, int64_t, long double);
ldouble sinl(ldouble);
@@ arithmetic in lengths
void f(array(int, arg2 * 2 + 1)*, int);
void g(string[(arg2 - 1) / 4 % 8], int, string[arg2 << 2 | 1 & ~3 ^ 5 >> 1]);
@@ gives
void f(ref(array(int, (arg2 * 2) + 1)), int);
void g(string[((arg2 - 1) / 4) % 8], int, string[(arg2 << 2) | ((1 & (~3)) ^ (5 >> 1))]);
@@ parameters with names, and names in expressions
int f(string[len] text, int len);
void g(array(double, rows * columns)* matrix, int rows, int columns);
@@ gives
int f(string[len] text, int len);
void g(ref(array(double, rows * columns)) matrix, int rows, int columns);
@@ parameters that depend on others
int open(string path, int flags, octal mode if flags & 0100);
int fcntl(int fd, enum(F_DUPFD=0, F_SETFL=4) cmd, int number if cmd == F_DUPFD, hex(int) bits if cmd == F_SETFL || arg2 > 7 && !(fd != 1));
@@ gives
#define F_DUPFD 0
#define F_SETFL 4
int open(string path, int flags, oct(int) mode if flags & 0100);
int fcntl(int fd, enum[int](F_DUPFD=0, F_SETFL=4) cmd, int number if cmd == F_DUPFD, hex(int) bits if (cmd == F_SETFL) || ((arg2 > 7) && (!(fd != 1))));
@@ in, out and inout, each for itself
int f(in int *a, out int *b, inout int *c, int *d);
int g(+int*, int*);
@@ gives
int f(ref(int) a, out ref(int) b, inout ref(int) c, addr(int) d);
int g(+ref(int), ref(int));
@@ a byte order mark
﻿int f(int);
@@ gives
int f(int);
@@ more than one item on a line
int f(int); int g(int); typedef t = int; t h(t);
@@ gives
typedef t = int;
int f(int);
int g(int);
t h(t);
@@ a line over several lines
int f(int,
	string[arg3],
	int
);
int
g(int);
@@ gives
int f(int, string[arg3], int);
int g(int);
@@ two prototypes for one function: the later counts
int f(int);
int g(int);
int f(string);
@@ gives
int f(string);
int g(int);
@@ two names for one prototype
int open(string, int);
alias open64 = open;
alias nothing = nobody;
@@ gives
int open(string, int);
int open64(string, int);
@@ says
t:3:17: 'nobody' has no prototype
