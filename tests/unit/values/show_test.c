/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types and lenses, one row each: a prototype, the arguments, and how the call
 * is printed. The rows use these addresses:
 *
 *	T	"hello"
 *	Q	say "hi"\n
 *	L	a hundred x
 *	W, U	"wide" in wchar_t, and in char16_t
 *	I	ints 7 8 9 0 1 2
 *	N	a list of five
 *	R	a ring of two, and of one
 *	P	pointer to T, then to NULL
 *	B	a byte before an unreadable page
 */
#include "base/attr.h"
#include "tests/unit/values/scene.h"
#include "tests/unit/values/suites.h"
#include "values/items.h"
#include "values/show.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <wchar.h>

#define T 0x10000u
#define Q 0x10100u
#define L 0x10200u
#define W 0x10300u
#define U 0x10380u
#define V 0x10390u
#define G 0x10900u
#define I 0x10400u
#define N 0x10500u
#define R 0x10600u
#define P 0x10700u
#define S 0x10800u
#define B 0x10fffu
#define F 0x10a00u
#define NOWHERE 0xdead0000u
#define MINUS(n) ((uint64_t) - (int64_t)(n))

#define OPEN                                                              \
	"typedef o = flags(int, O_RDONLY=0/3, O_WRONLY=1/3, O_RDWR=2/3, " \
	"O_CREAT=0100, O_SYNC=04010000, O_DSYNC=010000);\n"
#define SET                                                          \
	"typedef set = flags(uint, ALL=0xffffffff, all=0xffffefff, " \
	"HUP=1, INT=2);\n"
#define TWO_FLOATS 0x1.000003fcp+3 /* 1.5 and 2.5 */
#define LIST "typedef l = struct; typedef l = struct(int, l*);\n"

struct row {
	const char *declarations;
	const char *shown;
	uint64_t integers[8];
	double doubles[4];
};

#define GIVEN(...) .integers = { __VA_ARGS__ }
#define REALS(...) .doubles = { __VA_ARGS__ }

static const struct row rows[] = {
	/* numbers */
	{ "void f(int, uint, long, ulong);",
	  "-1, 4294967295, -2, 18446744073709551614",
	  GIVEN(MINUS(1), MINUS(1), MINUS(2), MINUS(2)) },
	{ "void f(short, ushort);", "-1, 65535", GIVEN(0xffff, 0xfffff) },
	{ "void f(signed char, unsigned char);", "-3, 253", GIVEN(0xfd, 0xfd) },
	{ "void f(int8_t, uint16_t, int64_t);", "-1, 1, -9223372036854775808",
	  GIVEN(0xff, 1, (uint64_t)1 << 63) },
	{ "void f(char, char, char, char);", "'a', '\\'', '\\0', '\\377'",
	  GIVEN('a', '\'', 0, 0xff) },
	{ "void f(chr(int), chr(int), chr(unsigned char), dec(char));",
	  "'a', EOF, '\\n', 97", GIVEN('a', MINUS(1), '\n', 'a') },
	{ "void f(hex(int), hex(long), hex(short), hex(int));",
	  "0xff, 0xffffffffffffffff, 0xffff, 0",
	  GIVEN(255, MINUS(1), MINUS(1), 0) },
	{ "void f(__int128, hex(__int128));",
	  "-18446744073709551616, 0x10000000000000002",
	  GIVEN(0, MINUS(1), 2, 1) },
	{ "void f(octal(int), oct(int), octal(int));", "0, 010, 037777777777",
	  GIVEN(0, 8, MINUS(1)) },
	{ "void f(bin(int), bin(char), bin(int));", "0b101, 0b1100001, 0",
	  GIVEN(5, 'a', 0) },
	{ "void f(bool(int), bool(int), _Bool);", "true, false, true",
	  GIVEN(7, 0, 1) },
	{ "void f(int, int, hide(int), int);", "1, 2, 4", GIVEN(1, 2, 3, 4) },
	{ "void f(hide(int), int, hide(int));", "2", GIVEN(1, 2) },
	{ "void f(hide(int), hide(int));", "", GIVEN(1, 2) },
	{ "void f(void);", "", GIVEN(1, 2) },
	{ "void f(guess(long), guess(long), guess(long), guess(int));",
	  "10000, -10000, 0x2711, 0xffffd8ef",
	  GIVEN(10000, MINUS(10000), 10001, MINUS(10001)) },
	{ "void f(bitvec(uint), bitvec(uint), bitvec(uint), bitvec(uint));",
	  "<>, <0,2>, ~<0>, <3-5,7>", GIVEN(0, 5, 0xfffffffe, 0xb8) },
	{ "void f(bitvec(uint), bitvec(uint));", "<0-1,5,8>, ~<0-1>",
	  GIVEN(0x123, 0xfffffffc) },
	{ "void f(bitvec(char), bitvec(ushort));", "~<>, <14-15>",
	  GIVEN(0xff, 0xc000) },
	{ "void f(bitvec(array(uint, 2))*);", "<0-2,35>", GIVEN(S) },
	{ "void f(bitvec(struct(uint, uint))*);", "<0-2,35>", GIVEN(S) },
	{ "void f(bitvec(array(uint, arg2))*, int);", "<0-2,35>, 2",
	  GIVEN(S, 2) },
	{ "void f(bitvec(array(uint, arg2))*, int);", "<0-2>, 1", GIVEN(S, 1) },
	{ "void f(bitvec(array(uint, arg2))*, int);", "<>, -1",
	  GIVEN(S, MINUS(1)) },

	/* names for numbers */
	{ "typedef c = enum(RED, GREEN=2, BLUE);\nvoid f(c, c, c, c);",
	  "RED, GREEN, 7, -1", GIVEN(0, 2, 7, MINUS(1)) },
	{ "void f(enum[char](A,B,C), enum[long](D = -5));", "C, D",
	  GIVEN(2, MINUS(5)) },
	{ "enum c { RED, GREEN = 2, BLUE };\nvoid f(enum c x, enum c y);",
	  "BLUE, 1", GIVEN(3, 1) },
	{ OPEN "void f(o, o, o, o);",
	  "O_RDONLY, O_RDWR|O_CREAT, O_WRONLY|0x100000, O_RDONLY|O_SYNC",
	  GIVEN(0, 0102, 0x100001, 04010000) },
	{ "void f(flags(A, B, C = 8), flags(A, B), flags[short](A = -0x8000));",
	  "A|C, 0, A", GIVEN(9, 0, 0x8000) },

	/* a set of nearly everything, shown by what it lacks */
	{ SET "void f(set, set, set, set);",
	  "all, ALL, ~<INT>, ~<HUP|INT|0xef00>",
	  GIVEN(0xffffefff, UINT32_MAX, 0xffffeffd, 0xffff00fc) },
	{ SET "void f(set, set, set, set);",
	  "~<INT>, 0, HUP|INT|0xfffc, ~<0xfffe0000>",
	  GIVEN(0xfffffffd, 0, 0xffff, 0x1ffff) },
	{ "void f(flags(A, B), flags(A, B));", "A|B|0xfffffffc, B|0xfffffffc",
	  GIVEN(UINT32_MAX, 0xfffffffe) },

	/* a number without a name is shown by the inner lens */
	{ "void f(flags(oct(int), A=1), flags[bin(int)](A), "
	  "enum[hex(int)](A));",
	  "A|0110, 0b110, 0x20", GIVEN(0111, 6, 0x20) },
	{ "void f(enum[hide(int)](A), errno(enum[hex(short)](A=-1)), int);",
	  "A, A, 3", GIVEN(0, 0xffff, 3) },

	/* pointers with a name, and those without */
	{ "typedef h = enum[addr](ERR=-1, DFL, IGN);\nvoid f(h, h, h, h);",
	  "ERR, DFL, IGN, 0x10000", GIVEN(MINUS(1), 0, 1, T) },
	{ "void f(enum[string](NONE=1), enum[string](NONE=1));",
	  "\"hello\", NONE", GIVEN(T, 1) },

	/* types of network protocols */
	{ "void f(net(short), hex(net(uint)), net(long), flags(net(ushort), "
	  "A=256));",
	  "-2, 0x1020304, 1, A|0x1",
	  GIVEN(0xfeff, 0x04030201, (uint64_t)1 << 56, 0x0101) },
	{ "void f(inet(uint), inet(array(char, 4))*, inet(array(char, 16))*);",
	  "127.0.0.1, 7.0.0.0, 700:0:800:0:900::", GIVEN(0x0100007f, I, I) },

	/* reals */
	{ "void f(double, double, double, double);", "1.5, 0.1, 1e+300, 1e-30",
	  REALS(1.5, 0.1, 1e300, 1e-30) },
	{ "void f(double, double, double, double);",
	  "2, -0, 0.30000000000000004, 123456789",
	  REALS(2, -0.0, 0.1 + 0.2, 123456789) },
	{ "void f(double, double, double, double);",
	  "inf, -inf, 1.7976931348623157e+308, 5e-324",
	  REALS(INFINITY, -INFINITY, DBL_MAX, 4.9406564584124654e-324) },
	{ "void f(double, double);", "nan, 1234567.25",
	  REALS(NAN, 1234567.25) },
	{ "void f(hex(double), int, double);", "0x1.8p+0, 3, 4", GIVEN(3),
	  REALS(1.5, 4) },
	{ "void f(long double, int);", "1.5, 1",
	  GIVEN(1, 0, 0, 0, 0, 0, 0xc000000000000000, 0x3fff) },
	{ "void f(hex(long double));", "0xcp-3",
	  GIVEN(0, 0, 0, 0, 0, 0, 0xc000000000000000, 0x3fff) },
	{ "void f(double _Complex, float _Complex);", "1.5-2i, 1.5+2.5i",
	  REALS(1.5, -2, TWO_FLOATS) },
	{ "void f(array(__float128, 4)*);",
	  "[0.1000000000000000055511151231257827, "
	  "0.3333333333333333333333333333333333, 7, -0]",
	  GIVEN(F) },
	{ "void f(array(_Float128, 4)*);",
	  "[1.189731495357231765085759326628007e+4932, 6e-4966, inf, nan]",
	  GIVEN(F + 64) },
	{ "void f(in hex(_Float128) *a, in _Float128 _Complex *b);",
	  "0x1.999999999999ap-4, 7-0i", GIVEN(F, F + 32) },

	/* text */
	{ "void f(string, string);", "\"hello\", nil", GIVEN(T, 0) },
	{ "void f(const char *, char *);", "\"hello\", 0x10000", GIVEN(T, T) },
	{ "void f(string);", "\"say \\\"hi\\\"\\n\"", GIVEN(Q) },
	{ "void f(string);", "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"...",
	  GIVEN(L) },
	{ "void f(string);", "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"",
	  GIVEN(L + 68) },
	{ "void f(string[32]);", "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"",
	  GIVEN(L) },
	{ "void f(string);", "0xdead0000", GIVEN(NOWHERE) },
	{ "void f(string);", "\"~\"...", GIVEN(B) },
	{ "void f(string[1]);", "\"~\"", GIVEN(B) },
	{ "void f(string[3], int);", "\"hel\", 2", GIVEN(T, 2) },
	{ "void f(string[99], int);", "\"hello\", 2", GIVEN(T, 2) },
	{ "void f(string3, int, int);", "\"he\", 1, 2", GIVEN(T, 1, 2) },
	{ "void f(string[arg2], int);", "\"\", 0", GIVEN(T, 0) },
	{ "void f(string[arg2], int);", "\"\", 0", GIVEN(NOWHERE, 0) },
	{ "void f(string[arg2], int);", "0x10000, -1", GIVEN(T, MINUS(1)) },
	{ "void f(string[n * 2 - 1] s, int n);", "\"hel\", 2", GIVEN(T, 2) },
	{ "void f(string[retval]);", "0x10000", GIVEN(T) },
	{ "void f(bytes[7]);", "\"hello\\0\\0\"", GIVEN(T) },
	{ "void f(string(array(char, 7))*);", "\"hello\\0\\0\"", GIVEN(T) },
	{ "void f(string(array(int, zero)*));", "\"wide\"", GIVEN(W) },
	{ "void f(const wchar_t *, const char16_t *);",
	  "\"wide\", \"\xf0\x9f\x90\xa7!\"", GIVEN(W, U) },
	{ "void f(string);", "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"...",
	  GIVEN(G) },
	{ "void f(string[33]);", "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"...",
	  GIVEN(G) },
	{ "void f(const char16_t *, const wchar_t *, const char16_t *);",
	  "\"\\355\\240\\200a\", 0xdead0000, nil", GIVEN(V, NOWHERE, 0) },
	{ "void f(sql, format);", "\"hello\", \"hello\"", GIVEN(T, T) },

	/* pointers */
	{ "void f(addr, void *);", "0x1, nil", GIVEN(1, 0) },
	{ "void f(int *p, in int *q);", "0x10400, 7", GIVEN(I, I) },
	{ "typedef i = int*;\nvoid f(i, int*, int*);", "7, nil, 0xdead0000",
	  GIVEN(I, 0, NOWHERE) },
	{ "void f(string*, string*, string*);", "\"hello\", nil, 0xdead0000",
	  GIVEN(P, P + 8, NOWHERE) },
	{ "void f(hex(int*), bool(int*));", "0x7, true", GIVEN(I, I) },
	{ "void f(int (*callback)(int), FILE *file);", "0x10400, 0x10000",
	  GIVEN(I, T) },

	/* arrays */
	{ "void f(array(int,arg2)*, int);", "[7, 8, 9, 0, ...], 6",
	  GIVEN(I, 6) },
	{ "void f(array(int,arg2)*, int);", "[7, 8, 9, 0], 4", GIVEN(I, 4) },
	{ "void f(array(int,arg2)*, int);", "[], 0", GIVEN(I, 0) },
	{ "void f(array(int,arg2)*, int);", "nil, 3", GIVEN(0, 3) },
	{ "void f(array(int,arg2)*, int);", "[], -1", GIVEN(I, MINUS(1)) },
	{ "void f(array(int,arg2)*, int);", "[], -1",
	  GIVEN(0xdead0000, MINUS(1)) },
	{ "void f(array(int,arg2)*, ulong);",
	  "[7, 8, 9, 0, ...], 18446744073709551615", GIVEN(I, MINUS(1)) },
	{ "void f(array(int,arg2)*, int);", "0xdead0000, 2",
	  GIVEN(NOWHERE, 2) },
	{ "void f(array(int,retval)*);", "0x10400", GIVEN(I) },
	{ "void f(array(int,zero)*);", "[7, 8, 9]", GIVEN(I) },
	{ "void f(array(int,zero(2))*);", "[7, 8]", GIVEN(I) },
	{ "void f(array(hex(int),arg2 * 2 - 1)*, int);", "[0x7, 0x8, 0x9], 2",
	  GIVEN(I, 2) },
	{ "void f(hex(array(int,2)*));", "[0x7, 0x8]", GIVEN(I) },
	{ "void f(array(string,2)*);", "[\"hello\", nil]", GIVEN(P) },
	{ "void f(array(char,2)*);", "['h', 'e']", GIVEN(T) },
	{ "void f(array(hide(int),2)*);", "[]", GIVEN(I) },
	{ "void f(vars(array(int,zero)*));", "/* 3 vars */", GIVEN(I) },
	{ "void f(vars(array(int,zero)*));", "/* 1 var */", GIVEN(I + 8) },
	{ "void f(vars(array(int,zero)*));", "/* 0 vars */", GIVEN(I + 12) },
	{ "void f(vars(array(int,zero)*));", "nil", GIVEN(0) },
	{ "void f(vars(array(int,zero)*));", "0xdead0000", GIVEN(NOWHERE) },

	/* structs */
	{ "void f(struct(int, short)*);", "{7, 8}", GIVEN(I) },
	{ "void f(struct(int, hide(int), int)*);", "{7, 9}", GIVEN(I) },
	{ "void f(struct(string, long)*);", "{\"hello\", 0}", GIVEN(P) },
	{ "void f(struct(string(array(char,6)), short)*);", "{\"hello\\0\", 0}",
	  GIVEN(T) },
	{ "void f(struct(int,int)*);", "0xdead0000", GIVEN(NOWHERE) },
	{ "void f(struct(int,int)*);", "{2113929216, ?}", GIVEN(B - 3) },
	{ "void f(struct(double,long));", "{2.5, 7}", GIVEN(7), REALS(2.5) },
	{ "void f(struct(float,float), hex(struct(int,int)));",
	  "{1.5, 2.5}, {0x1, 0x2}", GIVEN(0x200000001), REALS(TWO_FLOATS) },
	{ "void f(struct(int, array(int, elt1))*);", "{7, [8, 9, 0, 1, ...]}",
	  GIVEN(I) },
	{ "struct s { int n; int a[]; };\nvoid f(in struct s *p);",
	  "{7, [...]}", GIVEN(I) },
	{ "struct s { unsigned n : 3; bitvec(uint) b : 5; };\n"
	  "void f(in struct s *p, in struct s *q);",
	  "{7, <>}, {0, <0>}", GIVEN(I, I + 4) },
	{ "struct p { int x, y; };\nvoid f(struct p p, in struct p *q);",
	  "{7, 8}, {7, 8}", GIVEN(0x800000007, I) },
	{ "struct b { unsigned a : 3, b : 4; int c : 20; long : 0; char d; };"
	  "\nvoid f(in struct b *q);",
	  "{7, 0, 0, '\\t'}", GIVEN(I) },
	{ "union u { int i; char c; };\nvoid f(in union u *q);", "{7, '\\a'}",
	  GIVEN(I) },
	{ LIST "void f(l*);", "{5, {4, {3, {2, ...}}}}", GIVEN(N) },
	{ LIST "void f(l*);", "{4, {3, {2, {1, nil}}}}", GIVEN(N + 16) },
	{ LIST "void f(l*);", "{1, {2, recurse^}}", GIVEN(R) },
	{ LIST "void f(l*);", "{2, {1, recurse^}}", GIVEN(R + 16) },
	{ LIST "void f(l*);", "{3, recurse}", GIVEN(R + 32) },

	/* fields with a condition */
	{ "void f(struct(int, int if elt1 == 7, int if elt1 == 8, int)*);",
	  "{7, 8, 0}", GIVEN(I) },
	{ "struct s { int n; union { int a if n == 7; int b if n == 8; }; };\n"
	  "void f(in struct s *p, in struct s *q, in struct s *r);",
	  "{7, 8}, {8, 9}, {9}", GIVEN(I, I + 4, I + 8) },
	{ "struct s { int n; union { struct { int a, b; } if n == 7;\n"
	  " struct { int c; } named if n == 8; }; };\n"
	  "void f(in struct s *p, in struct s *q);",
	  "{7, 8, 9}, {8, {9}}", GIVEN(I, I + 4) },
	{ "typedef t = struct(array(int, arg.count) x if arg.count > 1);\n"
	  "void f(t *p, int count);\nvoid g(int);",
	  "{[7, 8, 9]}, 3", GIVEN(I, 3) },
	{ "typedef t = struct(int n if arg.count, int);\nvoid f(t*, int "
	  "other);",
	  "{8}, 3", GIVEN(I, 3) },

	/* one field in place of the whole struct */
	{ "typedef t = only(struct(hide(int) n, int a if n == 8, int b));\n"
	  "void f(in t *p, in t *q, in t *r, in array(t, 2) *s);",
	  "9, 9, 1, [9, 2]", GIVEN(I, I + 4, I + 8, I) },
	{ "typedef t = only(struct(int n if 0));\nvoid f(in t *p);", "?",
	  GIVEN(I) },
	{ "struct in { int a, b; };\n"
	  "typedef t = only(struct(hide(int) n, struct in in));\n"
	  "void f(in t *p);",
	  "{8, 9}", GIVEN(I) },
	{ "typedef t = only(union(hex(int) if arg.kinds[] > 7, int));\n"
	  "void f(in array(t, 3) *p, const int *kinds);",
	  "[7, 0x8, 0x9], 0x10400", GIVEN(I, I) },
	{ "typedef t = only(union(hex(int) if arg.kinds[] > 7, int));\n"
	  "void f(in array(t, 2) *p, int *kinds, in t *one);",
	  "[7, 8], nil, 7", GIVEN(I, 0, I) },

	/* errors */
	{ "void f(errnum(int), errnum(int), errnum(int));",
	  "2 ENOENT (No such file or directory), -4 EINTR (Interrupted "
	  "system call), 0",
	  GIVEN(2, MINUS(4), 0) },

	/* more arguments than registers */
	{ "void f(int, int, int, int, int, int, string, int);",
	  "1, 2, 3, 4, 5, 6, \"hello\", 8", GIVEN(1, 2, 3, 4, 5, 6, T, 8) },

	/* conditions */
	{ "int f(int cmd, int n if cmd == 1, string s if cmd == 2);", "1, 7",
	  GIVEN(1, 7) },
	{ "int f(int cmd, int n if cmd == 1, string s if cmd == 2);",
	  "2, \"hello\"", GIVEN(2, T) },
	{ "int f(int cmd, int n if cmd == 1, string s if cmd == 2);", "3",
	  GIVEN(3, T) },

	/* without a prototype */
	{ NULL, "0xffffffff, 0x10000, 4, -5",
	  GIVEN(0xffffffff, T, 4, MINUS(5), 5, 6) },
};

static struct scene scene;
static const struct show_look look = { .string_length = 32, .array_length = 4 };

static void
put_list(addr_t at, uint64_t number, addr_t next)
{
	memory_put_u64(&scene.memory, at, number);
	memory_put_u64(&scene.memory, at + 8, next);
}

static void
setup(void)
{
	static const int ints[] = { 7, 8, 9, 0, 1, 2 };
	static const unsigned short penguin[] = { 0xd83d, 0xdc27, '!', 0 };
	static const unsigned short half[] = { 0xd800, 'a', 0 };
	static const uint64_t largest[] = { UINT64_MAX, 0x7ffeffffffffffff };
	static const uint64_t smallest[] = { 1, 0 };
	__float128 quads[] = {
		0.1, (__float128)1 / 3, 7, -0.0, 0, 0, INFINITY, NAN,
	};
	struct memory *memory = &scene.memory;
	char many[100];

	memcpy(&quads[4], largest, sizeof(largest));
	memcpy(&quads[5], smallest, sizeof(smallest));
	scene_init(&scene);
	memset(many, 'x', sizeof(many));
	memory_put(memory, L, many, sizeof(many));
	memory_put(memory, G, many, 31);
	memory_put_text(memory, G + 31, "\xc3\xbcx");
	memory_put(memory, V, half, sizeof(half));
	memory_put_text(memory, T, "hello");
	memory_put_text(memory, Q, "say \"hi\"\n");
	memory_put(memory, W, L"wide", 5 * sizeof(wchar_t));
	memory_put(memory, U, penguin, sizeof(penguin));
	memory_put(memory, I, ints, sizeof(ints));
	for (uint64_t i = 0; i < 5; i++)
		put_list(N + 16 * i, 5 - i, i < 4 ? N + 16 * (i + 1) : 0);
	put_list(R, 1, R + 16);
	put_list(R + 16, 2, R);
	put_list(R + 32, 3, R + 32);
	memory_put_u64(memory, P, T);
	memory_put_u64(memory, S, 0x800000007);
	memory_put(memory, B, "~", 1);
	memory_put(memory, F, quads, sizeof(quads));
}

static void
teardown(void)
{
	scene_release(&scene);
}

static void
check_shown(const char *shown, enum show_phase phase)
{
	struct str str = { 0 };

	show_arguments(&str, scene.arguments, &look, phase);
	ck_assert_str_eq(str_text(&str), shown);
	str_release(&str);
}

START_TEST(a_call_is_shown)
{
	const struct row *row = &rows[_i];

	scene_integers(&scene, row->integers, 8);
	scene_doubles(&scene, row->doubles, 4);
	scene_enter(&scene, row->declarations);
	check_shown(row->shown, SHOW_ALL);
}
END_TEST

START_TEST(results_are_shown)
{
	static const struct {
		const char *declarations;
		const char *shown;
		uint64_t number;
		double real;
		int error;
	} results[] = {
		{ "void f(int);", "<void>", 1, 1, 0 },
		{ "int f(int);", "-1", UINT32_MAX, 0, 0 },
		{ "double f(int);", "2.5", 0, 2.5, 0 },
		{ "string f(int);", "\"hello\"", T, 0, 0 },
		{ "char *f(void);", "\"hello\"", T, 0, 0 },
		{ "array(int,arg1)* f(int);", "[7, 8, 9]", I, 0, 0 },
		{ "struct(double,long) f(int);", "{2.5, 7}", 7, 2.5, 0 },
		{ "struct(int,int,int,int,int) f();", "{7, 8, 9, 0, 1}", I, 0,
		  0 },
		{ "errno(int) f(int);", "-1 ENOENT (No such file or directory)",
		  UINT32_MAX, 0, ENOENT },
		{ "errno(int) f(int);", "-1", UINT32_MAX, 0, 0 },
		{ "errno(int) f(int);", "3", 3, 0, ENOENT },
		{ "errno(addr) f(int);", "nil ENOMEM (Cannot allocate memory)",
		  0, 0, ENOMEM },
		{ "errno(string) f(int);",
		  "nil ENOMEM (Cannot allocate memory)", 0, 0, ENOMEM },
		{ "errno(string) f(int);", "\"hello\"", T, 0, ENOMEM },
		{ "errno(hex(long)) f(int);", "0x7", 7, 0, ENOMEM },
		{ "bool(int) f(int);", "false", 0, 0, 0 },
		{ NULL, "0x10000", T, 0, 0 },
	};

	for (size_t i = 0; i < array_size(results); i++) {
		struct str str = { 0 };

		scene.regs.gpr.rdi = 3;
		scene_enter(&scene, results[i].declarations);
		scene_return(&scene, results[i].number, results[i].real);
		show_result(&str, scene.arguments->result, results[i].error,
			    &look);
		ck_assert_str_eq(str_text(&str), results[i].shown);
		str_release(&str);
		library_free(scene.library);
		scene.library = NULL;
	}
}
END_TEST

START_TEST(what_is_filled_in_is_shown_later)
{
	static const uint64_t given[] = { 3, Q, 10 };

	scene_integers(&scene, given, 3);
	scene_enter(&scene, "long f(int, +string0, ulong);");
	check_shown("3, ", SHOW_ENTRY);
	ck_assert(show_arguments_late(scene.arguments));
	memory_put_text(&scene.memory, Q, "afterwards");
	scene_return(&scene, 5, 0);
	check_shown("\"after\", 10", SHOW_RETURN);
	check_shown("3, \"after\", 10", SHOW_ALL);
}
END_TEST

START_TEST(in_and_out_show_both)
{
	static const uint64_t given[] = { I, I + 4 };
	const int filled = 70;

	scene_integers(&scene, given, 2);
	scene_enter(&scene, "void f(inout int *a, inout int *b);");
	check_shown("", SHOW_ENTRY);
	arguments_keep(scene.arguments, 32, 4);
	memory_put(&scene.memory, I, &filled, sizeof(filled));
	scene_return(&scene, 0, 0);
	check_shown("7 -> 70, 8", SHOW_ALL);
}
END_TEST

START_TEST(what_was_kept_outlives_the_call)
{
	static const uint64_t given[] = { I, T, N };

	scene_integers(&scene, given, 3);
	scene_enter(&scene, LIST "void f(out int *a, string s, in l *list);");
	ck_assert(show_arguments_late(scene.arguments));
	arguments_keep(scene.arguments, 32, 4);
	memory_put_text(&scene.memory, T, "overwritten");
	memory_put_u64(&scene.memory, N + 16, 77);
	scene_return(&scene, 0, 0);
	check_shown("7, \"hello\", {5, {4, {3, {2, ...}}}}", SHOW_ALL);
}
END_TEST

START_TEST(names_are_shown_on_demand)
{
	static const struct show_look named = { .string_length = 32,
						.array_length = 4,
						.names = true };
	static const uint64_t given[] = { T, I, 1 };
	struct str str = { 0 };

	scene_integers(&scene, given, 3);
	scene_enter(&scene, "struct p { int x, y; };\n"
			    "int f(const char *q, in struct p *p, int);");
	show_arguments(&str, scene.arguments, &named, SHOW_ALL);
	ck_assert_str_eq(str_text(&str), "q=\"hello\", p={x=7, y=8}, 1");
	str_release(&str);
}
END_TEST

/* -s limits texts, but not numbers. */
START_TEST(items_are_shown)
{
	static const struct value_item items[] = {
		{ true, "1234567", 7, 7 }, { false, "a\0b", 3, 3 },
		{ true, "NULL", 4, 4 },	   { false, "long", 4, 5 },
		{ false, "", 0, 0 },	   { false, "longer", 6, 6 },
	};
	const struct show_look five = { .string_length = 5 };
	struct value value;
	struct arena arena;
	struct str text = { 0 };

	arena_init(&arena);
	items_value(&value, &arena, items, array_size(items), false);
	show_value(&text, &value, &five);
	ck_assert_str_eq(text.text, "[1234567, \"a\\0b\", NULL, "
				    "\"long\"..., \"\", \"longe\"...]");
	str_release(&text);
	arena_release(&arena);
}
END_TEST

START_TEST(limits_are_obeyed)
{
	static const struct show_look tight = { .string_length = 0,
						.array_length = 0 };
	static const uint64_t given[] = { T, I, N };
	struct str str = { 0 };

	scene_integers(&scene, given, 3);
	scene_enter(&scene, LIST "void f(string, array(int,3)*, l*);");
	show_arguments(&str, scene.arguments, &tight, SHOW_ALL);
	ck_assert_str_eq(str_text(&str), "\"\"..., [...], {5, ...}");
	str_release(&str);
}
END_TEST

Suite *
show_suite(void)
{
	Suite *suite = suite_create("show");
	TCase *tcase = tcase_create("show");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, a_call_is_shown, 0, array_size(rows));
	tcase_add_test(tcase, results_are_shown);
	tcase_add_test(tcase, what_is_filled_in_is_shown_later);
	tcase_add_test(tcase, in_and_out_show_both);
	tcase_add_test(tcase, what_was_kept_outlives_the_call);
	tcase_add_test(tcase, names_are_shown_on_demand);
	tcase_add_test(tcase, items_are_shown);
	tcase_add_test(tcase, limits_are_obeyed);
	suite_add_tcase(suite, tcase);
	return suite;
}
