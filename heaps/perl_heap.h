/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of Perl 5.36 with threads: scalars, arrays, hashes, code. Their
 * heads are in arenas of one size, and most of their bodies are in other arenas
 * (sv.c); both are copied, and counted afterwards. Each head is judged alone,
 * so it does not matter that the program runs meanwhile.
 */
#ifndef HEAPS_PERL_HEAP_H
#define HEAPS_PERL_HEAP_H

#include "base/attr.h"
#include "base/err.h"
#include "base/reader.h"
#include "heaps/census.h"
#include "heaps/heap_copy.h"
#include "stacks/binary.h"

/*
 * Copies the heap of the first interpreter in the binary. Returns 0; -ENOENT if
 * there is no Perl in it; -ENOTSUP and a message if its version is not known;
 * -EIO and a message if its heap is not found; -EAGAIN or -EFBIG and a message
 * if the heap makes no sense or is too large.
 */
must_check int perl_heap_copy(struct binary *binary, struct heap_copy *copy,
			      struct err *err);

/* Counts the values of a copied heap. Returns 0; -ENOENT, -ENOTSUP or -EIO like
 * perl_heap_copy(); -EIO and a message, too, if the heap makes no sense. */
must_check int perl_heap_count(struct binary *binary, struct reader *memory,
			       struct census *census, struct err *err);

#endif
