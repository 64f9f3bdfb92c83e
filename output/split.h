/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A split gives every process its own sink and file, PATH.PID (-ff). It opens,
 * flushes and closes the files.
 */
#ifndef OUTPUT_SPLIT_H
#define OUTPUT_SPLIT_H

#include "base/attr.h"
#include "output/sink.h"

/*
 * make is the constructor of the sinks, for example text_sink_new(). The first
 * error in opening or writing a file is stored in *failure, as a negative
 * errno. The caller owns failure; it must exist as long as the split.
 */
struct sink *split_sink_new(const struct look *look, const char *path,
			    struct sink *(*make)(const struct look *look,
						 struct out *out),
			    int *failure);

#endif
