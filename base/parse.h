/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers as a user writes them. Each function parses all of text. It returns
 * -EINVAL if the text is wrong and -ERANGE if the number is out of range. The
 * out-parameter is written only on success.
 */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include "base/attr.h"

#include <stdint.h>

/* A number from 0 to most: decimal, hexadecimal with 0x, or octal with 0. */
must_check int parse_unsigned(const char *text, uint64_t most,
			      uint64_t *ret_value);

/* "10ms", "1.5s", "250us", "3m", "1h", "20ns"; a number without a unit is in
 * seconds. The result is in nanoseconds. */
must_check int parse_duration(const char *text, uint64_t *ret_ns);

#endif
