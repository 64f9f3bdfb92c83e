/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The area that the tests share. It is in the memory of the test, because the
 * test is its own tracee.
 */
#ifndef TESTS_UNIT_AGENT_AREA_FIXTURE_H
#define TESTS_UNIT_AGENT_AREA_FIXTURE_H

#include "agent/area.h"

#include "tests/unit/checks.h"

/* The thread pointer of the first thread. */
#define FIRST_POINTER UINT64_C(0x7f1200000740)
#define STACK_SIZE UINT64_C(0x801000) /* glibc's stack and guard page */

extern struct space *space; /* our own process */
extern struct area area;
extern const struct meter_tables *there; /* the tables as meters see them */

/* The fixture of a test case: an area with room for all groups of blocks. */
void area_setup(void);
void area_teardown(void);

/* Fails unless the tables in memory equal area.tables. */
void check_tables(void);

/* The block that a meter finds for a thread pointer, or NULL. */
struct meter_block *block_of(addr_t pointer);

/* Adds a thread. *ret_number is the number of its block. */
struct meter_block *add_thread(addr_t pointer, unsigned *ret_number);

#endif
