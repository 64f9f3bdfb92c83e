/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An address in a tracee. It is an integer type of its own, so that the
 * compiler rejects its use as one of xtrace's own pointers.
 */
#ifndef BASE_ADDR_H
#define BASE_ADDR_H

#include <inttypes.h>
#include <stdint.h>

typedef uint64_t addr_t;

#define PRIxADDR PRIx64

/* The size of a page. Memory is mapped by whole pages, and a page can be read
 * as a whole or not at all. */
#define ADDR_PAGE UINT64_C(4096)

/* Where the page of address begins. */
static inline addr_t
addr_page(addr_t address)
{
	return address & ~(ADDR_PAGE - 1);
}

/*
 * A number of bytes, rounded up to whole pages. For an address, the end of the
 * page that contains the byte before it.
 */
static inline uint64_t
addr_whole_pages(uint64_t bytes)
{
	return addr_page(bytes + ADDR_PAGE - 1);
}

#endif
