/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The objects of CPython 3.11. They are in pools of 16 KiB, each for blocks of
 * one size up to 512 bytes, and the pools are in arenas of 1 MiB
 * (Objects/obmalloc.c). Each pool tells how many of its blocks are in use, so a
 * pool that was copied while it changed is recognized, and copied again.
 */
#ifndef HEAPS_PYTHON_HEAP_H
#define HEAPS_PYTHON_HEAP_H

#include "base/attr.h"
#include "base/err.h"
#include "base/reader.h"
#include "heaps/census.h"
#include "heaps/heap_copy.h"
#include "stacks/binary.h"

/*
 * Counts the objects of the interpreter in the binary. Returns 0; -ENOENT if
 * there is no Python in it; -ENOTSUP and a message if its version is not known;
 * -EIO and a message if its heap makes no sense.
 */
must_check int python_heap_count(struct binary *binary, struct reader *memory,
				 struct census *census, struct err *err);

/*
 * Copies the heap that python_heap_count() reads. Returns 0; -ENOENT, -ENOTSUP
 * or -EIO like python_heap_count(); -EAGAIN or -EFBIG and a message if the copy
 * fails.
 */
must_check int python_heap_copy(struct binary *binary, struct heap_copy *copy,
				struct err *err);

#endif
