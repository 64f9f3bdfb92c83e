/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The area of the tests, and its threads. */
#include "tests/unit/agent/area_fixture.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct tally tally;
struct space *space;
struct area area;
const struct meter_tables *there;

static addr_t
map(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	ck_assert_ptr_ne(memory, MAP_FAILED);
	return (addr_t)memory;
}

void
area_setup(void)
{
	struct err err = { "" };

	space = space_new(getpid(), &tally);
	ck_assert_int_eq(space_open(space, &err), 0);
	memset(&area, 0, sizeof(area));
	area.at = map(sizeof(struct meter_selects));
	there = (const struct meter_tables *)(uintptr_t)area.at;
	for (unsigned i = 0; i < AREA_GROUPS; i++)
		area.groups[i] = map((AREA_FIRST_GROUP << i) *
				     area_block_size(AREA_WHOLES));
	area.group_count = 1;
}

void
area_teardown(void)
{
	space_unref(space);
}

void
check_tables(void)
{
	ck_assert(!memcmp(there, &area.tables, sizeof(area.tables)));
}

struct meter_block *
block_of(addr_t pointer)
{
	const struct meter_thread *bucket =
		there->threads[meter_bucket(pointer, METER_THREAD_BITS)];

	for (unsigned i = 0; i < METER_WAYS; i++)
		if (bucket[i].pointer == pointer)
			return (struct meter_block *)(uintptr_t)bucket[i].block;
	return NULL;
}

struct meter_block *
add_thread(addr_t pointer, unsigned *ret_number)
{
	int number = area_add_thread(&area, space, pointer);

	ck_assert_int_ge(number, 0);
	*ret_number = (unsigned)number;
	ck_assert_ptr_nonnull(block_of(pointer));
	return block_of(pointer);
}
