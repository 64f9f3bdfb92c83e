/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compressed bytes in a file of the gzip format (RFC 1952), made by zlib. */
#ifndef OUTPUT_FORMATS_GZIP_H
#define OUTPUT_FORMATS_GZIP_H

#include "base/str.h"

struct gzip;
struct out;

/* Everything is written to out, which must exist until gzip_close(). */
struct gzip *gzip_new(struct out *out);
void gzip_write(struct gzip *gzip, const struct str *bytes);
/* Writes the rest and frees. */
void gzip_close(struct gzip *gzip);

#endif
