# SPDX-License-Identifier: GPL-2.0-or-later
# Structs, unions, enums, constants.

@@ tags, bit-fields, nested and unnamed ones
struct s {
	int a;
	unsigned flag : 1, mode : 3, : 4;
	int : 0;
	struct { short x, y; } point;
	union { int i; double d; };
	union tagged { char c[8]; long l; } u;
	int (*callback)(struct s *, int);
	struct s *next, *previous;
	double matrix[2][3];
};
void f(struct s by_value);
@@ gives
union tagged {
	string(array(char, zero(8))) c;
	long l;
};
struct s {
	int a;
	unsigned int flag : 1;
	unsigned int mode : 3;
	unsigned int : 4;
	int : 24;
	struct(short x, short y) point;
	union(int i, double d);
	union tagged u;
	int (*callback)(addr(struct s), int);
	addr(struct s) next;
	addr(struct s) previous;
	array(array(double, 3), 2) matrix;
};
void f(struct s by_value);
@@ packed
struct __attribute__((packed)) a { char c; int i; };
struct b { char c; int i; } __attribute__((__packed__));
struct c { char c; struct { char d; int e; } __attribute__((packed)) f; int g; };
void f(struct a a, struct b b, struct c c);
@@ gives
struct __attribute__((packed)) a {
	char c;
	int i;
};
struct __attribute__((packed)) b {
	char c;
	int i;
};
struct c {
	char c;
	struct __attribute__((packed)) (char d, int e) f;
	int g;
};
void f(struct a a, struct b b, struct c c);
@@ in ltrace's brackets with names and bits
typedef s = struct(int length, array(int, length) items, uint a : 3, uint b : 5);
void f(s*);
union(int, double) g(int);
@@ gives
typedef s = struct;
typedef s = struct(int length, array(int, length) items, uint a : 3, uint b : 5);
void f(ref(s));
union(int, double) g(int);
@@ used before it is defined
void f(struct later *l);
struct later { int x; };
void g(struct later l);
typedef struct even_later even_later;
int h(even_later *e);
struct even_later { even_later *next; struct later l; };
int i(even_later e);
@@ gives
struct later {
	int x;
};
typedef even_later = struct even_later;
struct even_later {
	addr(even_later) next;
	struct later l;
};
void f(addr(struct later) l);
void g(struct later l);
int h(addr(even_later) e);
int i(even_later e);
@@ enums
enum color { RED, GREEN = 4, BLUE };
typedef enum { ONE = 1, TWO = ONE << 1, THREE = ONE | TWO, LAST = -1 } number;
enum big { SMALL = 1, BIG = 0x100000000 };
enum high : unsigned char { HIGH = 255 };
void f(enum color c, number n, enum big b, enum high h, enum unknown u, const enum color *p);
void g(string[BLUE] s, int x if n == LAST, int n);
@@ gives
enum color : int { RED=0, GREEN=4, BLUE=5 };
typedef number = enum[int](ONE=1, TWO=2, THREE=3, LAST=-1);
enum big : long { SMALL=1, BIG=4294967296 };
enum high : unsigned char { HIGH=255 };
void f(enum color c, number n, enum big b, enum high h, int u, addr(enum color) p);
void g(string[BLUE] s, int x if n == LAST, int n);
@@ sizeof and casts in constants
struct set { unsigned long bits[1024 / (8 * sizeof(unsigned long))]; char rest[sizeof(struct { char c; long l; })]; int x[(int)3]; };
void f(struct set s);
@@ gives
struct set {
	array(unsigned long, 1024 / (8 * 8)) bits;
	string(array(char, zero(16))) rest;
	array(int, 3) x;
};
void f(struct set s);
@@ the same header pasted twice
struct s { int a; char *b; };
typedef struct s S;
struct s { int a; char *b; };
typedef struct s S;
enum e { A };
enum e { A };
void f(S s);
@@ gives
struct s {
	int a;
	string b;
};
typedef S = struct s;
enum e : int { A=0 };
void f(S s);
@@ a length that names a field
struct message { unsigned short size; in int *codes; array(uint8_t, size) data; };
void f(in struct message *m);
@@ gives
struct message {
	unsigned short size;
	ref(int) codes;
	array(uint8_t, size) data;
};
void f(ref(struct message) m);
@@ constants of the preprocessor inside
struct stat {
	long st_mtim;
# define st_mtime st_mtim.tv_sec
#define PAD 2
	int pad[PAD];
};
int f(struct stat *s);
@@ gives
#define PAD 2
struct stat {
	long st_mtim;
	array(int, PAD) pad;
};
int f(addr(struct stat) s);
@@ a length in the result of a function that is pointed to
typedef string[n] text_of(int n);
struct callbacks { string[size] (*read)(int size); };
void f(string[arg2] (*other)(int, int size), addr(string[m] (int m)));
@@ gives
typedef string[n] text_of(int n);
struct callbacks {
	string[size] (*read)(int size);
};
void f(string[arg2] (*other)(int, int size), string[m] (*)(int m));
@@ fields that are there under a condition
struct option {
	int kind;
	union {
		int number if kind == 1;
		string text if kind == 2 && arg.length > 3;
		struct { short x, y if x; } if kind == 3;
	};
	uint flag : 1 if !kind;
};
typedef choice = union(hex(int) if 1, bytes[arg.count] if elt1);
void f(in struct option *option, size_t length, ref(choice));
@@ gives
typedef choice = union;
struct option {
	int kind;
	union(int number if kind == 1, string text if (kind == 2) && (arg.length > 3), struct(short x, short y if x) if kind == 3);
	uint flag : 1 if !kind;
};
typedef choice = union(hex(int) if 1, bytes[arg.count] if elt1);
void f(ref(struct option) option, size_t length, ref(choice));
@@ whose fields a condition may ask
struct outer { int a; struct inner { int b if a; }; };
struct other { int a; struct { int b if c; }; };
@@ gives
struct outer;
struct inner;
struct other;
@@ says
t:1:47: 'a' is no parameter, field or constant
t:2:41: 'c' is no parameter, field or constant
