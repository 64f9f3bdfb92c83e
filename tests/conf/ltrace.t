# SPDX-License-Identifier: GPL-2.0-or-later
# ltrace's language, as ltrace has it.

@@ all basic types
void a(char, short, ushort, int, uint, long, ulong, llong, ullong, float, double);
itn misspelt(addr, file);
void mtrace();
@@ gives
void a(char, short, ushort, int, uint, long, ulong, llong, ullong, float, double);
itn misspelt(addr, file);
void mtrace();
@@ the semicolon may be missing, and comments may stand where it was
int f(int)
; a comment
int g(int);		; WARNING: 3rd argument may not be there
  ; one more, indented
# and in this way
int h (int) ; trailing junk
int i(int) more junk
@@ gives
int f(int);
int g(int);
int h(int);
int i(int);
@@ what is behind a + is shown at the return, unless it says otherwise
int f(string, +string, ulong*, in int*);
int g(out int*, ulong*);
@@ gives
int f(string, +string, ref(ulong), in ref(int));
int g(out ref(int), ref(ulong));
@@ the word typedef twice
typedef typedef count = int;
count f(count);
@@ gives
typedef count = int;
count f(count);
@@ the keyword function
function int f(int);
@@ gives
int f(int);
@@ types that are called like words of the language
typedef function = int;
typedef import = int;
typedef typedef = int;
function function f();
function import g();
function typedef h(typedef, int);
int i(typedef);
@@ gives
typedef function = int;
typedef import = int;
typedef typedef = int;
function function f();
function import g();
function typedef h(typedef, int);
int i(typedef);
@@ lenses on a type
void f(hex(int), hex(long), hex(short), hex(float), oct(int), octal(int), octal, bin(uint), bool(int), hide(int), guess(long), bitvec(ulong));
bool(int) g(bool(int));
octal umask(octal);
@@ gives
void f(hex(int), hex(long), hex(short), hex(float), oct(int), oct(int), oct(int), bin(uint), bool(int), hide(int), guess(long), bitvec(ulong));
bool(int) g(bool(int));
oct(int) umask(oct(int));
@@ strings in all their forms
int f(string, string[arg3], int, string2, string[zero], string[12]);
long read(int, +string0, ulong);
long read2(int, +string[retval], ulong);
addr memcpy(addr, string(array(char, arg3)*), ulong);
int g(string(array(char, zero)*), string(array(char, zero(arg3))*), int);
int h(string(char*));
void wide(string(array(int, zero)*), string(array(uint, arg1)*));
typedef named = struct(string(array(char, 6)), short);
void s(named*);
@@ gives
typedef named = struct;
typedef named = struct(string(array(char, 6)), short);
int f(string, string[arg3], int, string[arg2], string, string[12]);
long read(int, +string[retval], ulong);
long read2(int, +string[retval], ulong);
addr memcpy(addr, bytes[arg3], ulong);
int g(string, string[arg3], int);
int h(string);
void wide(string(array(int, zero)*), string(array(uint, arg1)*));
void s(ref(named));
@@ enum
typedef color = enum(RED, GREEN=2, BLUE);
void f(color);
void g(enum[char](A,B,C));
color h(enum(X=-1, Y));
@@ gives
typedef color = enum[int](RED=0, GREEN=2, BLUE=3);
void f(color);
void g(enum[char](A=0, B=1, C=2));
color h(enum[int](X=-1, Y=0));
@@ arrays, and lengths from arguments, results and fields
void f(array(int,arg2)*, int);
array(int,arg1)* g(int);
void h(array(int,6)*, array(double, retval)*);
typedef counted = struct(ulong, array(int, elt1));
void i(counted*);
void decays(array(int, 4));
@@ gives
typedef counted = struct;
typedef counted = struct(ulong, array(int, elt1));
void f(ref(array(int, arg2)), int);
ref(array(int, arg1)) g(int);
void h(ref(array(int, 6)), ref(array(double, retval)));
void i(ref(counted));
void decays(ref(array(int, 4)));
@@ structs, by value and behind pointers, declared first and recursive
struct(double,long) f(struct(double,long));
typedef l = struct;
typedef l = struct(int, l*);
void ll(l*);
typedef a = struct;
typedef b = struct(a*, int);
typedef a = struct(b, b*);
void ab(a, b);
typedef never = struct;
void n(never*);
void empty(struct());
@@ gives
typedef never = struct;
typedef l = struct;
typedef b = struct;
typedef a = struct;
typedef l = struct(int, ref(l));
typedef b = struct(ref(a), int);
typedef a = struct(b, ref(b));
struct(double, long) f(struct(double, long));
void ll(ref(l));
void ab(a, b);
void n(addr(never));
void empty(struct());
@@ bitvec
typedef flags = bitvec(uint);
void f(flags, bitvec(array(char, 32)*));
@@ gives
typedef flags = bitvec(unsigned int);
void f(flags, bitvec(ref(array(char, 32))));
@@ out-parameters
string f(+string, int);
int g(+int*);
int asprintf(+string*, format);
@@ gives
string f(+string, int);
int g(+ref(int));
int asprintf(+ref(string), format);
@@ formats
int printf(format);
int fprintf(file,format);
typedef wstring_t = string(array(int, zero)*);
int wprintf(format(wstring_t));
@@ gives
typedef wstring_t = string(array(int, zero)*);
int printf(format);
int fprintf(file, format);
int wprintf(format(array(int, zero)*));
@@ pointers are followed, however many
int f(int*, int***, char*, char**, addr, void*);
mntent *f2(addr);
typedef mntent = struct(string, string, int);
mntent *getmntent(addr);
mntent * * more(addr, +mntent*);
@@ gives
typedef mntent = struct;
typedef mntent = struct(string, string, int);
int f(ref(int), ref(ref(ref(int))), ref(char), ref(ref(char)), addr, addr);
addr(mntent) f2(addr);
ref(mntent) getmntent(addr);
ref(ref(mntent)) more(addr, +ref(mntent));
@@ a typedef for a pointer, used in both ways
typedef intp = int*;
void f(intp);
void g(intp p);
@@ gives
typedef intp = ref(int);
void f(intp);
void g(intp p);
@@ as ltrace's own wchar.h has it
typedef wchar_t = string(uint);
typedef wstring_t = string(array(uint, zero)*);
wchar_t f(wstring_t, wchar_t, char16_t);
__wchar_t g(const __wchar_t *);
@@ gives
typedef wchar_t = chr(unsigned int);
typedef wstring_t = string(array(uint, zero)*);
wchar_t f(wstring_t, wchar_t, char16_t);
__wchar_t g(string(array(__wchar_t, zero)*));
