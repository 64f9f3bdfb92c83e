# SPDX-License-Identifier: GPL-2.0-or-later
# Plain C, as in headers.

@@ from mysql.h, bare
int mysql_real_query(MYSQL *mysql, const char *q, unsigned long length);
int STDCALL mysql_query(MYSQL *mysql, const char *q);
typedef struct st_mysql MYSQL;
MYSQL * STDCALL mysql_init(MYSQL *mysql);
@@ gives
struct st_mysql;
typedef MYSQL = struct st_mysql;
int mysql_real_query(addr(MYSQL) mysql, string q, unsigned long length);
int mysql_query(addr(MYSQL) mysql, string q);
addr(MYSQL) mysql_init(addr(MYSQL) mysql);
@@ words for integers, in any order
void f(unsigned, unsigned int, long unsigned int, long long, unsigned long long int, short int, long int unsigned, signed, char signed, unsigned char);
void g(long double x, double long y, _Complex double z, float complex c, long double _Complex w, __int128 big, unsigned __int128 huge);
@@ gives
void f(unsigned int, unsigned int, unsigned long, long long, unsigned long long, short, unsigned long, int, signed char, unsigned char);
void g(long double x, long double y, double _Complex z, float _Complex c, long double _Complex w, __int128 big, unsigned __int128 huge);
@@ the types of ISO/IEC TS 18661-3, and GCC's
_Float128 a(_Float128 x, __float128 y, _Float64x z, _Float32 f, __float80 g);
int b(_Complex _Float128 x, _Float128 complex y, out _Float128 *p);
void c(_Float32x, _Float64, _Float128);
@@ gives
_Float128 a(_Float128 x, _Float128 y, long double z, float f, long double g);
int b(_Float128 _Complex x, _Float128 _Complex y, +ref(_Float128) p);
void c(double, double, _Float128);
@@ standard typedefs
ssize_t f(size_t n, off_t o, pid_t p, time_t t, FILE *stream, uint32_t u, int64_t i, socklen_t l, mode_t m, wchar_t w, bool b, _Bool c, va_list ap, intptr_t q, DIR *d, char16_t d16);
__off64_t g(__pid_t, __uint8_t);
@@ gives
ssize_t f(size_t n, off_t o, pid_t p, time_t t, addr(FILE) stream, uint32_t u, int64_t i, socklen_t l, mode_t m, wchar_t w, bool b, _Bool c, va_list ap, intptr_t q, addr(DIR) d, char16_t d16);
off64_t g(pid_t, uint8_t);
@@ qualifiers and storage classes say nothing
extern int f(volatile int x, register int y, char *restrict z, const int c, int *const p);
static inline int g(void);
@@ gives
int f(int x, int y, addr(char) z, int c, addr(int) p);
int g();
@@ functions without parameters
int f(void);
int g();
@@ gives
int f();
int g();
@@ pointers to functions, and functions that return them
void qsort(void *base, size_t nmemb, size_t size, int (*compar)(const void *, const void *));
void (*signal(int sig, void (*func)(int)))(int);
int atexit(void (*)(void));
void direct(int callback(int, ...));
typedef void (*handler)(int, siginfo_t *, unknown_by_value);
int set(handler h, handler *table);
typedef int function_type(int a, char b);
function_type declared_so;
@@ gives
typedef handler = void (*)(int, addr(siginfo_t), int);
typedef int function_type(int a, char b);
void qsort(addr base, size_t nmemb, size_t size, int (*compar)(addr, addr));
void (*signal(int sig, void (*func)(int)))(int);
int atexit(void (*)());
void direct(int (*callback)(int, ...));
int set(handler h, addr(handler) table);
int declared_so(int a, char b);
@@ arrays as parameters
int f(int v[], int w[3], int m[3][4], const char s[], char b[16], char *argv[]);
int g(int n, int v[n], const char s[static 8], int r[restrict], int x[*]);
int h(out int pair[2], in double v[n], int n, out char buffer[size], unsigned size);
@@ gives
int f(addr(int) v, addr(int) w, addr(array(int, 4)) m, string s, addr(char) b, addr(string) argv);
int g(int n, addr(int) v, string s, addr(int) r, addr(int) x);
int h(out ref(array(int, 2)) pair, ref(array(double, n)) v, int n, out string[size] buffer, unsigned int size);
@@ varargs
int open(const char *path, int flags, ...);
void v(...);
@@ gives
int open(string path, int flags, ...);
void v(...);
@@ printf formats, by name and by attribute
int printf(const char *format, ...);
int mine(int level, const char *fmt, ...);
int scanf(const char *format, ...);
int other(const char *text, ...);
int marked(int x, const char *text, ...) __attribute__((format(printf, 2, 3)));
int __fprintf_chk(FILE *__restrict __stream, int __flag, const char *__restrict __format, ...) __attribute__((__format__(__printf__, 3, 4)));
int wprintf(const wchar_t *format, ...);
@@ gives
int printf(format format);
int mine(int level, format fmt);
int scanf(scan format);
int other(string text, ...);
int marked(int x, format text);
int __fprintf_chk(addr(FILE) stream, int flag, format format);
int wprintf(format(array(wchar_t, zero)*) format);
@@ names lose their leading underscores
int f(int __fd, string[__n] __buf, size_t __n);
@@ gives
int f(int fd, string[n] buf, size_t n);
@@ a header as the preprocessor leaves it
# 1 "/usr/include/string.h" 1 3 4
extern "C" {
extern void *memcpy (void *__restrict __dest, const void *__restrict __src,
       size_t __n) throw () __attribute__ ((__nonnull__ (1, 2)));
extern char *strchr (const char *__s, int __c) __asm ("strchr") noexcept;
}
extern int errno;
extern char **environ, *program;
@@ gives
addr memcpy(addr dest, addr src, size_t n);
string strchr(string s, int c);
@@ a header as it stands in the file
/* Copyright
   and so on; int no(int); */
#ifndef _H
#define _H 1
#include <stddef.h>
__BEGIN_DECLS
extern int f (int __x) __THROW __nonnull ((1)) __wur;
extern int g (int __x)
     __THROW;
CURL_EXTERN CURL *curl_easy_init(void);
CURL_EXTERN void curl_easy_cleanup(CURL *curl);
SQLITE_API int sqlite3_exec(
  sqlite3*,                                  /* An open database */
  const char *sql,                           /* SQL to be evaluated */
  int (*callback)(void*,int,char**,char**),  /* Callback function */
  void *,                                    // 1st argument to callback
  char **errmsg                              /* Error msg written here */
);
PyAPI_FUNC(int) PyRun_SimpleString(const char *s);
PyAPI_FUNC(PyObject *) PyEval_EvalCode(PyObject *, PyObject *, PyObject *);
[[nodiscard]] int attributed([[maybe_unused]] int x);
static inline int doubled(int x) { return x * 2; }
int last(int);
__END_DECLS
#endif
@@ gives
#define _H 1
int f(int x);
int g(int x);
addr(CURL) curl_easy_init();
void curl_easy_cleanup(addr(CURL) curl);
int sqlite3_exec(addr(sqlite3), string sql, int (*callback)(addr, int, addr(string), addr(string)), addr, addr(string) errmsg);
int PyRun_SimpleString(string s);
addr(PyObject) PyEval_EvalCode(addr(PyObject), addr(PyObject), addr(PyObject));
int attributed(int x);
int doubled(int x);
int last(int);
@@ values of #define
#define SIZE 16
#define TWICE (SIZE * 2)
#define NOT_A_NUMBER "text"
#define FUNCTION(x) (x + 1)
#define EMPTY
# define LONG_ONE \
	5
struct s { char name[SIZE]; int v[TWICE + 1]; };
void f(struct s *s, string[SIZE] t);
@@ gives
#define SIZE 16
#define TWICE 32
struct s {
	string(array(char, zero(SIZE))) name;
	array(int, TWICE + 1) v;
};
void f(addr(struct s) s, string[SIZE] t);
@@ several declarators
int f(int a), *g(int b), h(string);
typedef int number, *pointer_to_it, numbers[4];
void i(number a, pointer_to_it b, numbers c);
@@ gives
typedef number = int;
typedef pointer_to_it = addr(int);
typedef numbers = array(int, 4);
int f(int a);
addr(int) g(int b);
int h(string);
void i(number a, pointer_to_it b, addr(numbers) c);
@@ brackets round a name
int (isalpha)(int c);
int ((twice))(int);
@@ gives
int isalpha(int c);
int twice(int);
@@ what headers do, and compilers understand
__extension__ typedef long long quad;
typedef union { const void *a; struct sockaddr *b; } __ARGUMENT __attribute__ ((__transparent_union__));
static __inline __uint16_t
__bswap_16 (__uint16_t __bsx)
{
  return __builtin_bswap16 (__bsx);
}
struct stack
                    *first(struct stack *s);
extern "C++" void *rawmemchr (void *__s, int __c)
     __THROW __asm ("rawmemchr") __nonnull ((1));
ZEXTERN int ZEXPORT deflate OF((z_stream *strm, int flush));
API_CALL const char version[];
PyAPI_DATA(int) (*PyOS_InputHook)(void);
extern LZMA_API(uint64_t) lzma_memusage(const lzma_stream *strm);
__extern_always_inline void *f(void);
extern _Complex _Float32 cacosf32 (_Complex _Float32 __z);
@@ gives
typedef quad = long;
struct sockaddr;
typedef __ARGUMENT = addr;
struct stack;
uint16_t __bswap_16(uint16_t bsx);
addr(struct stack) first(addr(struct stack) s);
addr rawmemchr(addr s, int c);
int deflate(addr(z_stream) strm, int flush);
uint64_t lzma_memusage(addr(lzma_stream) strm);
addr f();
float _Complex cacosf32(float _Complex z);
@@ what is said differently within #if is for another system
#ifdef A
typedef int number;
struct s { int a; };
#else
typedef long number;
struct s { long a; };
#endif
int f(number n, struct s s);
@@ gives
typedef number = int;
struct s {
	int a;
};
int f(number n, struct s s);
@@ a parameter called like a type, in brackets
#define BIG (long) 1 << 3
int d(int file, int mode if (file) + 1);
int e(int bool, string[(bool) * 2] x, int n if (bool));
int f(int size_t, string[(size_t) & 3] x, string[(int) size_t] y);
int g(int a[BIG]);
@@ gives
int d(int file, int mode if file + 1);
int e(int bool, string[bool * 2] x, int n if bool);
int f(int size_t, string[size_t & 3] x, string[size_t] y);
int g(addr(int) a);
@@ formats of scanf, and those that no arguments follow
int in(const char *from, const char *format, ...) __attribute__((__format__(__scanf__, 2, 3)));
int sscanf(const char *s, const char *format, ...);
int vprintf(const char *f, va_list rest) __attribute__((format(printf, 1, 0)));
int out(const char *f, ...) __attribute__((format(gnu_printf, 1, 2)));
int both(const char *format, scan);
@@ gives
int in(string from, scan format);
int sscanf(string s, scan format);
int vprintf(string f, va_list rest);
int out(format f);
int both(string format, scan);
@@ a choice in a constant
enum e { A = (0) < 8 ? 1 << 8 : 2, B = 0 ? 1 : 2 > 3 ? 4 : 5 };
typedef char check[8 == (int)sizeof(long) ? 1 : -1];
int f(string[n ? n : 4] s, int n, int flag if n ? flag : 1 || n);
@@ gives
enum e : int { A=256, B=5 };
typedef check = string(array(char, zero((8 == 8) ? 1 : (-1))));
int f(string[n ? n : 4] s, int n, int flag if n ? flag : (1 || n));
@@ what the preprocessor leaves where it broke lines
struct file {
 char *path;
# 59 "stream.h" 3 4
_Bool
# 59 "stream.h"
     primary;
 int length;
};
extern double complex a (double x)
# 12 "bits/cmathcalls.h"
__attribute__ ((__nothrow__ , __leaf__));
static inline int
first(int x)
{
# 13 "x.h"
 for (;;) { x += '{';
 }
}
int last(struct file f);
@@ gives
struct file {
	string path;
	_Bool primary;
	int length;
};
double _Complex a(double x);
int first(int x);
int last(struct file f);
@@ other things that stand in headers
__attribute__((__deprecated__)) typedef int old;
_Static_assert(sizeof(int) == 4, "int: " "4");
__extension__ _Static_assert(8 == sizeof(long), "");
static const char digits[] = "0123", more[2] = { 1, 2 };
static inline enum kind
kind_of(int x)
{
	return x;
}
__attribute__((__pure__))
static inline struct point
*middle(int a, const char *format [[maybe_unused]], int n [[maybe_unused]]);
old f(void)
    ;
extern char *crypt(const char *key, const char *salt)
__attribute__ ((__nothrow__ , __leaf__));
extern const char handler[sizeof("output")];
extern char *setkey(char handler[sizeof("output")]);
@@ gives
typedef old = int;
struct point;
int kind_of(int x);
addr(struct point) middle(int a, string format, int n);
old f();
string crypt(string key, string salt);
string setkey(addr(char) handler);
