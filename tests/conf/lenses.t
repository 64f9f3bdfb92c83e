# SPDX-License-Identifier: GPL-2.0-or-later
# The lenses that ltrace does not have.

@@ flags
int f(flags(int, A, B, C=0x10, D));
typedef open_flags = flags(int, O_RDONLY=0/3, O_WRONLY=1/3, O_RDWR=2/3, O_CREAT=0100, O_NONE=0);
int open(string path, open_flags flags, octal(int) mode if flags & O_CREAT);
void g(flags[long](X=1<<3, Y=(16/2)/0xf), flags(uint8_t, Z=0x80,));
@@ gives
typedef open_flags = flags[int](O_RDONLY=0x0/0x3, O_WRONLY=0x1/0x3, O_RDWR=0x2/0x3, O_CREAT=0x40, O_NONE=0x0);
int f(flags[int](A=0x1, B=0x2, C=0x10, D=0x20));
int open(string path, open_flags flags, oct(int) mode if flags & O_CREAT);
void g(flags[long](X=0x8, Y=0x8/0xf), flags[uint8_t](Z=0x80));
@@ errno and errnum
errno(int) open(string path);
errno(addr) mmap(addr at);
errno(FILE *) fopen(string path);
errno f();
errno(hex(int)) g(int);
errnum(int) pthread_create(addr);
string strerror(errnum(int) number);
@@ gives
errno(int) open(string path);
errno(addr) mmap(addr at);
errno(addr(FILE)) fopen(string path);
errno(int) f();
errno(hex(int)) g(int);
errnum(int) pthread_create(addr);
string strerror(errnum(int) number);
@@ dec, chr, bytes
void f(dec(char), chr(int), bytes[arg4], ulong);
@@ gives
void f(dec(char), chr(int), bytes[arg4], ulong);
@@ only, and what stands beside
typedef t = only(union(bytes[arg.lengths[]] if arg.formats[] == 1, string));
void f(int n, in array(t, n) *values, const int *lengths, const int *formats);
@@ gives
typedef t = only(union(bytes[arg.lengths[]] if arg.formats[] == 1, string));
void f(int n, ref(array(t, n)) values, addr(int) lengths, addr(int) formats);
@@ what the elements before take of a result
struct piece { bytes[retval <= before(size) ? 0 : retval - before(size)] at; ulong size; };
long f(out array(struct piece, count) *pieces, ulong count);
@@ gives
struct piece {
	bytes[(retval <= before(size)) ? 0 : (retval - before(size))] at;
	ulong size;
};
long f(out ref(array(struct piece, count)) pieces, ulong count);
@@ before needs a field
struct piece { bytes[before(3)] at; ulong size; };
@@ gives
struct piece;
@@ says
t:1:29: expected the name of a field before '3'
@@ only is for structs and unions
void f(only(int) x);
@@ says
t:1:8: only() is for structs and unions
@@ sql
int mysql_query(addr, sql);
int sqlite3_prepare_v2(sqlite3 *db, sql[size] text, int size, out addr *statement, out string *tail);
int a(sql(string[arg2]), int, sql(bytes[arg2]), sql(array(char, zero)*));
@@ gives
int mysql_query(addr, sql);
int sqlite3_prepare_v2(addr(sqlite3) db, sql[size] text, int size, +ref(addr) statement, +ref(string) tail);
int a(sql[arg2], int, sql(array(char, arg2)*), sql);
@@ a format that is cut
int f(format[12], int);
@@ gives
int f(format[12], int);
@@ lenses over lenses
void f(hide(hex(int)), hex(mode_t), errno(bool(int)), hide(string));
@@ gives
void f(hide(hex(int)), hex(mode_t), errno(bool(int)), hide(string));
@@ the number of variables
typedef strings = array(string, zero)*;
void f(strings vars, vars(strings));
@@ gives
typedef strings = ref(array(string, zero));
void f(strings vars, vars(strings));
@@ alone, a lens is of an int
void f(hex, oct, bin, guess, bitvec, errnum, dec, chr);
hex g(int);
@@ gives
void f(hex(int), oct(int), bin(int), guess(long), bitvec(int), errnum(int), dec(int), chr(int));
hex(int) g(int);
@@ lens words are names where a name belongs
int hex(int string, int format, int flags, int out, int in, int addr);
int array(int array);
int string(int bytes, int enum_, int sql);
@@ gives
int hex(int string, int format, int flags, int out, int in, int addr);
int array(int array);
int string(int bytes, int enum_, int sql);
@@ the bracket of a declarator is not that of a lens
bool (*f(int x))(int);
int g(bool (*callback)(string), string (*other)(int));
@@ gives
bool (*f(int x))(int);
int g(bool (*callback)(string), string (*other)(int));
@@ aliases of the built-in lenses are looked through
typedef mode = oct(mode_t);
void f(mode m, hex(mode) n);
@@ gives
typedef mode = oct(oct(unsigned int));
void f(mode m, hex(mode) n);
@@ numbers and addresses of networks
typedef port = net(ushort);
void f(net(int), hex(net(uint)), inet(uint), port, net(hex(short)), net(double));
void g(inet(array(char, 16))*, in inet(array(uint8_t, 4)) *four);
int net(int net, int inet);
@@ gives
typedef port = net(unsigned short);
void f(net(int), hex(net(unsigned int)), inet(uint), port, hex(net(short)), net(double));
void g(ref(inet(array(char, 16))), ref(inet(array(uint8_t, 4))) four);
int net(int net, int inet);
@@ ... and what is none
void f(net(long double));
void g(inet(long));
void h(inet(array(char, 5)));
void i(net(__int128));
@@ says
t:1:8: net() is for integers, float and double
t:2:8: inet() is for 4 bytes or 16
t:3:8: inet() is for 4 bytes or 16
t:4:8: net() is for integers, float and double
@@ values in PostgreSQL's binary format
void f(int n, uint type, postgres[n, type] value, int postgres);
@@ gives
void f(int n, uint type, postgres[n, type] value, int postgres);
@@ ... need a length and a type
void f(postgres[1] value);
@@ says
t:1:18: expected ',' before ']'
@@ pointers with names
typedef handler = enum[addr](SIG_ERR=-1, SIG_DFL, SIG_IGN);
handler signal(int, handler);
@@ gives
typedef handler = enum[addr](SIG_ERR=-1, SIG_DFL=0, SIG_IGN=1);
handler signal(int, handler);
