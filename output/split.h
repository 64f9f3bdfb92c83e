/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A split gives every process a sink and a file of its own, PATH.PID (-ff).
 * It brings its own outs and writes them in time.
 */
#ifndef OUTPUT_SPLIT_H
#define OUTPUT_SPLIT_H

#include "base/attr.h"
#include "output/sink.h"

/*
 * make is the constructor of the sinks, text_sink_new() for one. The first
 * failure to open or write one of the files is left in *failure, a negative
 * errno, the caller's, which outlives the split.
 */
struct sink *split_sink_new(const struct look *look, const char *path,
			    struct sink *(*make)(const struct look *look,
						 struct out *out),
			    int *failure);

#endif
