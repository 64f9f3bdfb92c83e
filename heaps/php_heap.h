/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The objects of PHP 8.2. All memory of a request is in one heap
 * (heaps/php_chunks), which can only be read as a whole: it is copied while PHP
 * does not run, and counted afterwards.
 */
#ifndef HEAPS_PHP_HEAP_H
#define HEAPS_PHP_HEAP_H

#include "base/attr.h"
#include "base/err.h"
#include "base/reader.h"
#include "heaps/census.h"
#include "heaps/heap_copy.h"
#include "stacks/binary.h"

/*
 * Copies the heap of the interpreter in the binary. Returns 0; -ENOENT if there
 * is no PHP in it; -ENOTSUP and a message if its version is not known; -EIO and
 * a message if its heap is not found; -EAGAIN or -EFBIG and a message if the
 * heap makes no sense or is too large.
 */
must_check int php_heap_copy(struct binary *binary, struct heap_copy *copy,
			     struct err *err);

/*
 * Counts the objects of a copied heap. Returns 0; -ENOENT, -ENOTSUP or -EIO
 * like php_heap_copy(); -EAGAIN and a message if the parts of the heap do not
 * agree, because PHP was about to change it.
 */
must_check int php_heap_count(struct binary *binary, struct reader *memory,
			      struct census *census, struct err *err);

#endif
