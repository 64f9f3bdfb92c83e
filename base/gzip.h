/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compresses bytes to a file of the gzip format (RFC 1952), with zlib. */
#ifndef BASE_GZIP_H
#define BASE_GZIP_H

#include "base/str.h"

#include <stdbool.h>

struct gzip;

/* fast: costs less time, and the result is larger. */
struct gzip *gzip_new(bool fast);
/* Takes the next bytes of the file. Adds to `to` the bytes that are compressed
 * by now. */
void gzip_add(struct gzip *gzip, const struct str *bytes, struct str *to);
/* Adds the rest of the file to `to`, and frees gzip. */
void gzip_end(struct gzip *gzip, struct str *to);

#endif
