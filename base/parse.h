/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers as a user writes them. Each takes the whole of text or answers
 * -EINVAL, and -ERANGE where it does not fit; the out-parameter is written on
 * success only.
 */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include "base/attr.h"

#include <stdint.h>

/* Decimal, 0x hexadecimal or 0 octal, from 0 to most. */
must_check int parse_unsigned(const char *text, uint64_t most,
			      uint64_t *ret_value);

/* "10ms", "1.5s", "250us", "3m", "1h", "20ns"; a bare number is seconds.
 * In nanoseconds. */
must_check int parse_duration(const char *text, uint64_t *ret_ns);

/* "64", "4k", "1M", "2G" (powers of 1024). In bytes. */
must_check int parse_size(const char *text, uint64_t *ret_bytes);

#endif
