/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of 113 bits: each is in one vector register, alone and in a struct.
 * The results of libm and libc are shown exactly. A complex number is in
 * memory. Types with similar names but another width are shown right, too.
 *
 * FILE: p.conf: struct quad { __float128 x; };
 * FILE: p.conf: struct quad wrapped(struct quad a, double b, _Float128 c);
 * FILE: p.conf: _Float64x mixed(_Float32 a, _Float64 b, _Float64x c, _Float32x d);
 *
 * LDFLAGS: -lm
 * RUN: xtrace -F p.conf -F %c/../../../etc -x wrapped+mixed+strtof128,sqrtf128,frexpf128,sincosf128,fmaf128,cabsf128 %t
 * EXPECT:
 *   strtof128("0.1", nil) = 0.1
 *   strtof128("1e-4950 ", " ") = 1e-4950
 *   sqrtf128(2) = 1.414213562373095048801688724209698
 *   frexpf128%any(10, 4) = 0.625
 *   sincosf128(0.5, 0.4794255386042030002732879352155714, 0.8775825618903727161162815826038297) = <void>
 *   fmaf128(%any, -1) = 4.8148248609680896326399448564623183e-35
 *   cabsf128(3+4i) = 5
 *   wrapped({0.1}, 2.5, 10) = {1}
 *   mixed(1.5, 2.5, 0.1, -3) = 1.1
 *   +++ exited (status 0) +++
 */
#define _GNU_SOURCE
#include "subject.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>

struct quad {
	__float128 x;
};

NOINLINE struct quad
wrapped(struct quad a, double b, _Float128 c)
{
	OPAQUE(b);
	a.x *= c;
	return a;
}

NOINLINE _Float64x
mixed(_Float32 a, _Float64 b, _Float64x c, _Float32x d)
{
	OPAQUE(d);
	return c * (int)(a + b + 7);
}

int
main(void)
{
	volatile _Float128 two = 2, ten = 10, half = 0.5;
	_Float128 tenth = strtof128("0.1", NULL), sine, cosine;
	struct quad quad = { tenth };
	volatile _Float128 sink;
	char *end;
	int exponent;

	strtof128("1e-4950 ", &end);
	sink = sqrtf128(two);
	sink = frexpf128(ten, &exponent);
	sincosf128(half, &sine, &cosine);
	sink = fmaf128(tenth, ten, -1);
	sink = cabsf128(CMPLXF128(two + 1, two * two));
	(void)sink;
	quad = wrapped(quad, 2.5, ten);
	return mixed(1.5f, 2.5, 0.1L, -3) != 1.1L || quad.x != 1;
}
