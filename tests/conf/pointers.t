# SPDX-License-Identifier: GPL-2.0-or-later
# What a pointer means, in either language.

@@ in C, const char * is a string
int f(const char *s, char const *t, const char *const u);
@@ gives
int f(string s, string t, string u);
@@ char * is one as a result or a field; as a parameter it may be a buffer
char *f(char *buffer, int size);
struct s { char *text; const char *more; char inside[16]; char rest[]; };
struct s *g(int x);
@@ gives
struct s {
	string text;
	string more;
	string(array(char, zero(16))) inside;
	string(array(char, zero)) rest;
};
string f(addr(char) buffer, int size);
addr(struct s) g(int x);
@@ but where it is said to be read or filled
void f(in char *a, out char *b, inout char *c, +char *d);
@@ gives
void f(string a, +string b, inout string c, +string d);
@@ T * is an address
int f(int *a, struct s *b, unsigned char *c, const unsigned char *d, const struct t *e, char **f, const char *const *g, FILE *h, void *i, Unknown *j);
struct s *g(void);
int *h(void);
@@ gives
struct s;
struct t;
int f(addr(int) a, addr(struct s) b, addr(unsigned char) c, addr(unsigned char) d, addr(struct t) e, addr(string) f, addr(string) g, addr(FILE) h, addr i, addr(Unknown) j);
addr(struct s) g();
addr(int) h();
@@ where it is annotated it is followed
int f(in int *a, out struct timeval *b, hex(int) *c, string *d, ref(int) e, ref(ref(int)) f, in char **g);
struct timeval { long s; long us; };
out struct timeval *g(int x);
+struct timeval *h(int x);
hex(int) *i(int x);
@@ gives
struct timeval {
	long s;
	long us;
};
int f(ref(int) a, out ref(struct timeval) b, ref(hex(int)) c, ref(string) d, ref(int) e, ref(ref(int)) f, ref(string) g);
ref(struct timeval) g(int x);
ref(struct timeval) h(int x);
ref(hex(int)) i(int x);
@@ and addr(T) never is
int f(addr(int) a, addr b, addr(struct s) c, +addr(Unknown) d);
@@ gives
struct s;
int f(addr(int) a, addr b, addr(struct s) c, +addr(Unknown) d);
@@ what makes a declaration C
int ltrace(int*);
int named(int *p);
int constant(const int*);
int tagged(struct s*);
int two_words(unsigned int*);
int typed(size_t*);
int nothing(void), *ltrace_too(int*);
int more(int*, ...);
int *still_ltrace(char*, ulong, bool, file, addr);
@@ gives
struct s;
int ltrace(ref(int));
int named(addr(int) p);
int constant(addr(int));
int tagged(addr(struct s));
int two_words(addr(unsigned int));
int typed(addr(size_t));
int nothing();
addr(int) ltrace_too(addr(int));
int more(addr(int), ...);
ref(int) still_ltrace(ref(char), ulong, bool, file, addr);
@@ typedefs made in C
typedef const char *text;
typedef char *buffer;
typedef int *numbers;
typedef struct opaque *handle;
typedef struct { int a; } pair;
void f(text a, buffer b, numbers c, handle d, pair e, pair *g);
void h(out numbers a, text*);
@@ gives
typedef pair = struct;
typedef text = string;
typedef buffer = string;
typedef numbers = addr(int);
struct opaque;
typedef handle = addr(struct opaque);
typedef pair = struct(int a);
void f(text a, buffer b, numbers c, handle d, pair e, addr(pair) g);
void h(out ref(int) a, addr(text));
@@ wide characters
wchar_t *wcscpy(wchar_t *dest, const wchar_t *src);
int f(const char16_t *a, const char32_t *b);
@@ gives
string(array(wchar_t, zero)*) wcscpy(addr(wchar_t) dest, string(array(wchar_t, zero)*) src);
int f(string(array(char16_t, zero)*) a, string(array(char32_t, zero)*) b);
