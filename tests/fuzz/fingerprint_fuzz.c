/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SQL of any kind: its fingerprint is not much longer than the text, outside of
 * quotes it has no white space except single blanks, and it does not begin with
 * a blank.
 */
#include "values/fingerprint.h"

#include <assert.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct str str;

	str_init(&str);
	fingerprint_add(&str, (const char *)bytes, length);
	assert(str.length <= 4 * length + 16);
	assert(str.length <= 2 * FINGERPRINT_MOST + 16);
	assert(str.length == 0 || str.text[0] != ' ');
	str_release(&str);
	return 0;
}
