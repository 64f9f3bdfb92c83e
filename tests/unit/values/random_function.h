/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions with random signatures, as prototypes and as C text. Each function
 * has a caller, also as C text. The caller takes the function's address and two
 * blocks of bytes: the arguments one after the other, and the result. Some
 * functions have a format and are called with its arguments.
 */
#ifndef TESTS_UNIT_VALUES_RANDOM_FUNCTION_H
#define TESTS_UNIT_VALUES_RANDOM_FUNCTION_H

#include "conf/model/proto.h"
#include "tests/unit/values/random_type.h"

#define PARAMS_MOST 12u
#define VARARGS_MOST 20u

struct function {
	struct proto proto;
	struct param params[PARAMS_MOST + 1];
	/* The types of the parameters, and of the format's arguments. */
	const struct type *types[PARAMS_MOST + VARARGS_MOST + 1];
	size_t count;
	unsigned char *arguments; /* values one after the other */
	size_t arguments_size;
	unsigned char *result;
	struct str format;
};

/* `function` must be zeroed. The types are in random's arena. */
void random_function(struct random *random, struct function *function);
void random_function_release(struct function *function);

/*
 * Writes typeN, functionN and callN, after the structs. functionN stores its
 * arguments at *seen and returns the value at *wanted.
 */
void random_function_write(const struct function *function, unsigned number,
			   struct str *to);

#endif
