/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The objects of Ruby 3.1. They are RVALUEs of 40 bytes on pages of 16 KiB
 * (gc.c); larger parts of strings, arrays and objects come from malloc().
 */
#ifndef HEAPS_RUBY_HEAP_H
#define HEAPS_RUBY_HEAP_H

#include "base/attr.h"
#include "base/err.h"
#include "base/reader.h"
#include "heaps/census.h"
#include "heaps/heap_copy.h"
#include "stacks/binary.h"

/*
 * Counts the objects of the interpreter in the binary, even if the next sweep
 * will free them. Returns 0; -ENOENT if there is no Ruby in it; -ENOTSUP and a
 * message if its version is not known; -EIO and a message if its heap makes no
 * sense.
 */
must_check int ruby_heap_count(struct binary *binary, struct reader *memory,
			       struct census *census, struct err *err);

/*
 * Copies the heap that ruby_heap_count() reads. Returns 0; -ENOENT, -ENOTSUP or
 * -EIO like ruby_heap_count(); -EAGAIN or -EFBIG and a message if the copy
 * fails.
 */
must_check int ruby_heap_copy(struct binary *binary, struct heap_copy *copy,
			      struct err *err);

#endif
