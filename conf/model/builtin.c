/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types that exist without a declaration, as in Linux on x86-64 (SysV
 * x86-64 psABI 3.1.2, glibc's <bits/typesizes.h>): the types of C, of its
 * standard library and of POSIX, and ltrace's short words. A user may redefine
 * all of them except C's own.
 *
 * Types that are only used through a pointer (fd_set, regex_t, stack_t) are not
 * here, because an undeclared name behind a pointer is an opaque struct.
 *
 * If a name with a leading "__" is not found, it is looked up without the "__".
 * This allows preprocessed system headers (__off_t) to be pasted.
 */
#include "conf/model/lens.h"
#include "conf/model/type.h"

#include <stdlib.h>
#include <string.h>

static const struct lens oct = { .kind = LENS_OCT };
static const struct lens truth = { .kind = LENS_BOOL };

static const struct type_body opaque = { .align = 1 };
static const struct type file = { .kind = TYPE_STRUCT,
				  .name = "FILE",
				  .body = &opaque };
static const struct type nothing = { .kind = TYPE_VOID, .name = "void" };
static const struct type float_4 = { .kind = TYPE_FLOAT,
				     .bytes = 4,
				     .name = "float" };
static const struct type float_8 = { .kind = TYPE_FLOAT,
				     .bytes = 8,
				     .name = "double" };
static const struct type float_16 = { .kind = TYPE_FLOAT,
				      .bytes = 16,
				      .name = "long double" };
static const struct type float_quad = {
	.kind = TYPE_FLOAT, .bytes = 16, .is_quad = true, .name = "_Float128"
};

#define SIGNED(text, size)                                     \
	{                                                      \
		.kind = TYPE_INT, .name = text, .bytes = size, \
		.is_signed = true                              \
	}
#define UNSIGNED(text, size)                                  \
	{                                                     \
		.kind = TYPE_INT, .name = text, .bytes = size \
	}
#define CHARS(text, size, sign)                                \
	{                                                      \
		.kind = TYPE_INT, .name = text, .bytes = size, \
		.is_signed = sign, .is_char = true             \
	}
#define SEEN(text, size, through)                                              \
	{                                                                      \
		.kind = TYPE_INT, .name = text, .bytes = size, .lens = through \
	}
#define FLOATS(text, size)                                      \
	{                                                       \
		.kind = TYPE_FLOAT, .name = text, .bytes = size \
	}
#define COMPLEX(text, size, of)                                             \
	{                                                                   \
		.kind = TYPE_COMPLEX, .name = text, .bytes = size, .to = of \
	}
#define ADDRESS(text, of)                                                 \
	{                                                                 \
		.kind = TYPE_POINTER, .name = text, .bytes = 8, .to = of, \
		.depth = 1                                                \
	}

/* The built-in types, sorted by name with strcmp(3). */
static const struct type builtins[] = {
	{ .kind = TYPE_STRUCT, .name = "DIR", .body = &opaque },
	{ .kind = TYPE_STRUCT, .name = "FILE", .body = &opaque },
	SEEN("_Bool", 1, &truth),
	{ .kind = TYPE_FLOAT,
	  .name = "_Float128",
	  .bytes = 16,
	  .is_quad = true },
	COMPLEX("_Float128 _Complex", 32, &float_quad),
	FLOATS("_Float32", 4),
	FLOATS("_Float32x", 8),
	FLOATS("_Float64", 8),
	FLOATS("_Float64x", 16),
	ADDRESS("__builtin_va_list", &nothing),
	ADDRESS("__compar_d_fn_t", &nothing),
	ADDRESS("__compar_fn_t", &nothing),
	ADDRESS("__gnuc_va_list", &nothing),
	SIGNED("__int128", 16),
	ADDRESS("__sighandler_t", &nothing),
	ADDRESS("addr", &nothing),
	SIGNED("blkcnt64_t", 8),
	SIGNED("blkcnt_t", 8),
	SIGNED("blksize_t", 8),
	SEEN("bool", 1, &truth),
	ADDRESS("caddr_t", &nothing),
	UNSIGNED("cc_t", 1),
	CHARS("char", 1, true),
	CHARS("char16_t", 2, false),
	CHARS("char32_t", 4, false),
	CHARS("char8_t", 1, false),
	SIGNED("clock_t", 8),
	SIGNED("clockid_t", 4),
	ADDRESS("comparison_fn_t", &nothing),
	SIGNED("daddr_t", 4),
	UNSIGNED("dev_t", 8),
	FLOATS("double", 8),
	COMPLEX("double _Complex", 16, &float_8),
	FLOATS("double_t", 8),
	SIGNED("error_t", 4),
	UNSIGNED("eventfd_t", 8),
	ADDRESS("file", &file),
	FLOATS("float", 4),
	COMPLEX("float _Complex", 8, &float_4),
	FLOATS("float_t", 4),
	UNSIGNED("fsblkcnt64_t", 8),
	UNSIGNED("fsblkcnt_t", 8),
	UNSIGNED("fsfilcnt64_t", 8),
	UNSIGNED("fsfilcnt_t", 8),
	UNSIGNED("gid_t", 4),
	SIGNED("greg_t", 8),
	ADDRESS("iconv_t", &nothing),
	UNSIGNED("id_t", 4),
	SIGNED("idtype_t", 4),
	UNSIGNED("in_addr_t", 4),
	UNSIGNED("in_port_t", 2),
	UNSIGNED("ino64_t", 8),
	UNSIGNED("ino_t", 8),
	SIGNED("int", 4),
	SIGNED("int16_t", 2),
	SIGNED("int32_t", 4),
	SIGNED("int64_t", 8),
	SIGNED("int8_t", 1),
	SIGNED("int_fast16_t", 8),
	SIGNED("int_fast32_t", 8),
	SIGNED("int_fast64_t", 8),
	SIGNED("int_fast8_t", 1),
	SIGNED("int_least16_t", 2),
	SIGNED("int_least32_t", 4),
	SIGNED("int_least64_t", 8),
	SIGNED("int_least8_t", 1),
	SIGNED("intmax_t", 8),
	SIGNED("intptr_t", 8),
	SIGNED("itn", 4),
	SIGNED("key_t", 4),
	SIGNED("llong", 8),
	ADDRESS("locale_t", &nothing),
	SIGNED("loff_t", 8),
	SIGNED("long", 8),
	FLOATS("long double", 16),
	COMPLEX("long double _Complex", 32, &float_16),
	SIGNED("long long", 8),
	SEEN("mode_t", 4, &oct),
	SIGNED("mqd_t", 4),
	UNSIGNED("nfds_t", 8),
	ADDRESS("nl_catd", &nothing),
	SIGNED("nl_item", 4),
	UNSIGNED("nlink_t", 8),
	SIGNED("off64_t", 8),
	SIGNED("off_t", 8),
	SIGNED("pid_t", 4),
	UNSIGNED("pthread_key_t", 4),
	SIGNED("pthread_once_t", 4),
	SIGNED("pthread_spinlock_t", 4),
	UNSIGNED("pthread_t", 8),
	SIGNED("ptrdiff_t", 8),
	SIGNED("quad_t", 8),
	SIGNED("register_t", 8),
	SIGNED("regoff_t", 4),
	UNSIGNED("rlim64_t", 8),
	UNSIGNED("rlim_t", 8),
	UNSIGNED("sa_family_t", 2),
	SIGNED("short", 2),
	SIGNED("sig_atomic_t", 4),
	ADDRESS("sig_t", &nothing),
	ADDRESS("sighandler_t", &nothing),
	SIGNED("signed char", 1),
	UNSIGNED("size_t", 8),
	UNSIGNED("socklen_t", 4),
	UNSIGNED("speed_t", 4),
	SIGNED("ssize_t", 8),
	SIGNED("suseconds_t", 8),
	UNSIGNED("tcflag_t", 4),
	ADDRESS("thrd_start_t", &nothing),
	UNSIGNED("thrd_t", 8),
	SIGNED("time_t", 8),
	ADDRESS("timer_t", &nothing),
	ADDRESS("tss_dtor_t", &nothing),
	UNSIGNED("tss_t", 4),
	UNSIGNED("u_char", 1),
	UNSIGNED("u_int", 4),
	UNSIGNED("u_int16_t", 2),
	UNSIGNED("u_int32_t", 4),
	UNSIGNED("u_int64_t", 8),
	UNSIGNED("u_int8_t", 1),
	UNSIGNED("u_long", 8),
	UNSIGNED("u_quad_t", 8),
	UNSIGNED("u_short", 2),
	UNSIGNED("uid_t", 4),
	UNSIGNED("uint", 4),
	UNSIGNED("uint16_t", 2),
	UNSIGNED("uint32_t", 4),
	UNSIGNED("uint64_t", 8),
	UNSIGNED("uint8_t", 1),
	UNSIGNED("uint_fast16_t", 8),
	UNSIGNED("uint_fast32_t", 8),
	UNSIGNED("uint_fast64_t", 8),
	UNSIGNED("uint_fast8_t", 1),
	UNSIGNED("uint_least16_t", 2),
	UNSIGNED("uint_least32_t", 4),
	UNSIGNED("uint_least64_t", 8),
	UNSIGNED("uint_least8_t", 1),
	UNSIGNED("uintmax_t", 8),
	UNSIGNED("uintptr_t", 8),
	UNSIGNED("ullong", 8),
	UNSIGNED("ulong", 8),
	UNSIGNED("unsigned __int128", 16),
	UNSIGNED("unsigned char", 1),
	UNSIGNED("unsigned int", 4),
	UNSIGNED("unsigned long", 8),
	UNSIGNED("unsigned long long", 8),
	UNSIGNED("unsigned short", 2),
	UNSIGNED("useconds_t", 4),
	UNSIGNED("ushort", 2),
	ADDRESS("va_list", &nothing),
	{ .kind = TYPE_VOID, .name = "void" },
	CHARS("wchar_t", 4, true),
	ADDRESS("wctrans_t", &nothing),
	UNSIGNED("wctype_t", 8),
	UNSIGNED("wint_t", 4),
};

static int
compare(const void *name, const void *type)
{
	return strcmp(name, ((const struct type *)type)->name);
}

static const struct type *
find(const char *name)
{
	return bsearch(name, builtins, array_size(builtins),
		       sizeof(builtins[0]), compare);
}

const struct type *
type_builtin(const char *name)
{
	const struct type *type = find(name);

	while (!type && !strncmp(name, "__", 2))
		type = find(name += 2);
	return type;
}
