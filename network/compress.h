/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compresses what is sent. */
#ifndef NETWORK_COMPRESS_H
#define NETWORK_COMPRESS_H

#include "base/str.h"

/* Replaces what is in `to` by the text in the form of gzip (RFC 1952). */
void compress_gzip(struct str *to, const struct str *text);

#endif
