# SPDX-License-Identifier: GPL-2.0-or-later
# What is wrong, where, and what is read all the same.

@@ a missing bracket costs its own line only
int f(int
int g(int);
int h(int, hex(int);
int i(string[3);
int j(int)
@@ gives
int g(int);
int j(int);
@@ says
t:1:10: expected ',' or ')' after 'int'
t:3:20: expected ',' or ')' before ';'
t:4:15: expected ']' before ')'
@@ every unknown type is named
int f(itn x, foo y, bar);
foo g(bar *x);
int h(struct unknown by_value);
struct unknown i(int);
@@ gives
struct unknown;
@@ says
t:1:14: unknown type 'foo'
t:1:21: unknown type 'bar'
t:2:1: unknown type 'foo'
t:3:7: 'struct unknown' is not defined, its size is unknown
t:4:1: 'struct unknown' is not defined, its size is unknown
@@ a function by way of a typedef is one of its own
typedef struct unknown result(int);
result f;
typedef int parameter(struct unknown x);
parameter g;
typedef int known(const char *format, ...);
known h, i;
@@ gives
struct unknown;
typedef struct unknown result(int);
typedef int parameter(struct unknown x);
typedef int known(string format, ...);
int h(format format);
int i(format format);
@@ says
t:2:1: 'struct unknown' is not defined, its size is unknown
t:4:11: 'struct unknown' is not defined, its size is unknown
@@ names in expressions
int f(string[lenght] s, int length);
int g(string[arg3], int);
int h(string[elt0]);
int i(string[arg100]);
typedef s = struct(int, array(int, elt3));
void j(int x if y == 2);
@@ says
t:1:14: 'lenght' is no parameter, field or constant
t:2:14: there is no arg3
t:3:14: 'elt0' is out of range
t:4:14: 'arg100' is out of range
t:5:36: there is no elt3
t:6:17: 'y' is no parameter, field or constant
@@ lenses
int a(string(long));
int b(string(double*));
int c(bytes);
int d(bytes[);
int e(array(int, ));
int f(array(void, 3));
int g(flags(int));
int h(flags(int, A=5/3));
int i(enum());
int j(enum(A B));
int k(enum(A=B));
int l(enum(A=1/0));
int m(hex());
int n(enum[int](A);
@@ says
t:1:7: string() is for characters
t:2:7: string() is for characters
t:3:7: unknown type 'bytes'
t:4:13: expected a number or a name before ')'
t:5:18: expected a number or a name before ')'
t:6:21: an array of void is not possible
t:7:16: expected ',' before ')'
t:8:20: the value has bits outside its mask
t:9:12: expected a name before ')'
t:10:14: expected ',' or ')' before 'B'
t:11:14: 'B' is no parameter, field or constant
t:12:14: this has no value
t:13:11: expected a type before ')'
t:14:19: expected ',' or ')' before ';'
@@ structs
struct a { int x; foo y; };
void f(struct a a);
struct b { int x }
struct c { struct c inner; };
struct d { int x : 33; };
struct e { double x : 3; };
struct { int x; };
struct g { int a; };
struct g { long a; };
typedef h = struct;
typedef h = struct(h);
struct i { int x;
int good(int);
@@ gives
typedef h = struct;
struct a;
struct b;
struct c;
struct d;
struct e;
struct g {
	int a;
};
struct i;
int good(int);
@@ says
t:1:19: unknown type 'foo'
t:2:8: 'struct a' is not defined, its size is unknown
t:3:18: expected ';' before '}'
t:4:21: 'struct c' is not defined, its size is unknown
t:5:18: no such bit-field
t:6:21: no such bit-field
t:9:8: 'struct g' is already defined, differently
t:11:20: 'h' is not defined, its size is unknown
t:12:18: expected '}' after ';'
@@ typedefs
typedef int = long;
typedef t = int;
typedef t = string;
typedef x = ;
typedef int;
typedef unsigned int a b;
@@ gives
typedef t = int;
typedef a = unsigned int;
@@ says
t:1:9: 'int' cannot be redefined
t:3:9: 't' is already defined, differently
t:4:13: expected a type before ';'
t:5:12: expected a name before ';'
t:6:24: expected ';' before 'b'
@@ what is no function
int x;
int y = 5;
int z[3];
int = 3;
int;
hex(int);
int f(int) int g(int);
f(int);
@@ says
t:1:5: 'x' is not a function
t:2:5: 'y' is not a function
t:3:5: 'z' is not a function
t:4:5: expected the name of a function before '='
t:5:4: expected the name of a function before ';'
t:6:9: expected the name of a function before ';'
t:7:12: expected ';' before 'int'
t:8:1: unknown type 'f'
@@ bad tokens
int a(int) @;
int b(`int);
int c(string[12ab]);
int d(string[99999999999999999999]);
int e("text);
int f(int) ’ ;
int g(int);
@@ gives
int a(int);
int f(int);
int g(int);
@@ says
t:1:12: unexpected '@'
t:2:7: unexpected '`'
t:3:14: '12ab' is not a number
t:4:14: the number 99999999999999999999 is too large
t:5:7: the closing " is missing
t:6:12: unexpected byte 0xe2
@@ a comment that is not closed
int f(int);
/* int g(int);
int h(int);
@@ gives
int f(int);
@@ says
t:2:1: the comment is not closed
@@ braces
int f(int) { return 1;
int g(int);
}
int h(int);
@@ gives
int f(int);
int h(int);
@@ unbalanced braces
}
int g(int);
@@ gives
int g(int);
@@ says
t:1:1: expected a type before '}'
@@ imports are not possible here
import "file";
import file;
@@ says
t:1:8: a file cannot be imported here
t:2:8: expected "a file" before 'file'
@@ words that do not go together
void f(unsigned double x);
void g(long long long y);
void h(short char z);
void i(int int j);
@@ says
t:1:8: these words do not make a type
t:2:8: these words do not make a type
t:3:8: these words do not make a type
t:4:12: 'int' is repeated
@@ parameters that cannot be
void f(int, void);
void g(int if);
void h(..., int);
void i(int,);
void j(int x y);
@@ says
t:1:13: a parameter cannot be void
t:2:14: expected a number or a name before ')'
t:3:11: expected ',' or ')' before ','
t:4:12: expected a type before ')'
t:5:14: expected ',' or ')' before 'y'
@@ text is matched in --if and in probes only
int f(string s, int n if s ~ "x");
@@ says
t:1:30: text is matched in --if and in probes only
@@ too deep
void f(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((int x);
int g(int ****************************************************************** x);
@@ says
t:1:8: expected a type before '('
t:2:72: the type is nested too deep
@@ one length for two results
string[n] f(int n), g(int m);
string[n] h(int n);
typedef string[n] i(int n), j(int n);
struct s { string[n] (*a)(int n), (*b)(int n); };
@@ gives
struct s;
string[n] h(int n);
@@ says
t:1:11: with a length in the result, declare it alone
t:3:19: with a length in the result, declare it alone
t:4:22: with a length in the result, declare it alone
@@ functions of functions
typedef int F(int);
F g(int);
F *h(int);
typedef t = int ((double)) (int a);
@@ gives
typedef int F(int);
int (*h(int))(int);
@@ says
t:2:4: a function cannot return a function, but a pointer to one
t:4:18: a function cannot return a function, but a pointer to one
