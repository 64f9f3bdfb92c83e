/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions with random signatures, as prototypes and as C text. For each
 * there is one that calls it: it takes the address to call and two blocks of
 * bytes, the arguments' one after the other and the result's. Some have a
 * format, and are called with what it asks for.
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
	/* Of the parameters, and of what the format asks for. */
	const struct type *types[PARAMS_MOST + VARARGS_MOST + 1];
	size_t count;
	unsigned char *arguments; /* values one behind the other */
	size_t arguments_size;
	unsigned char *result;
	struct str format;
};

/* Zeroed before; random's arena has its types. */
void random_function(struct random *random, struct function *function);
void random_function_release(struct function *function);

/*
 * typeN, functionN and callN, given the structs. functionN tells what it got
 * at *seen and returns what is at *wanted.
 */
void random_function_write(const struct function *function, unsigned number,
			   struct str *to);

#endif
