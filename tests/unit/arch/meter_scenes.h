/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scenes in which meters are run: a machine with random registers, and an
 * area with the thread's block, which is in one of the cases that meters tell
 * apart.
 */
#ifndef TESTS_UNIT_ARCH_METER_SCENES_H
#define TESTS_UNIT_ARCH_METER_SCENES_H

#include "arch/check.h"
#include "arch/meter.h"
#include "arch/x86/int3.h"
#include "tests/unit/arch/machine.h"
#include "tests/unit/checks.h"

#include <stddef.h>

#define FLAGS 0xcd5u
#define SUM 7
#define WHOLE 1
/* The first bytes of the area, which are compared before and after a run. */
#define AREA_USED                               \
	(offsetof(struct area_of_test, block) + \
	 offsetof(struct meter_block, kept[METER_DEPTH + 1]))

struct area_of_test {
	struct meter_tables tables;
	uint64_t pages[1 << METER_PAGE_BITS][METER_WAYS];
	struct meter_select select;
	struct meter_block block;
};

enum scene {
	CERTAIN,
	/* like CERTAIN, but entries are in the second way of their buckets */
	SECOND_WAY,
	IDLE,	   /* a return: the last open call is further up the stack */
	SHARED,	   /* a call that xtrace follows has the same stack pointer */
	UNWOUND,   /* the last open call is further down the stack */
	ELSEWHERE, /* the call returns to another address */
	UNKNOWN_THREAD,
	CLOSED,
	OTHER_STACK,
	FULL,
	NO_ADDRESS, /* the return address is 0 */
	LONG,	    /* a return: the call has taken long, or is selected */
	SCENES
};

/* Where the text is that the entry of a meter copies. */
enum text_place {
	TEXT_KNOWN,	/* in one or two pages that are known */
	TEXT_EMPTY,	/* NULL, or its length is 0 */
	TEXT_LONG,	/* as TEXT_KNOWN, but longer than its room */
	TEXT_ELSEWHERE, /* in a page that the area does not list as readable */
	TEXT_TORN,	/* begins in a listed page, and ends in the next one */
	TEXT_PLACES
};

struct text_row {
	const char *name;
	bool copied;
};

extern const struct text_row text_places[TEXT_PLACES];

struct scene_row {
	const char *name;
	bool entry_counts, return_counts, return_passes, whole_traps;
};

extern const struct scene_row scenes[SCENES];
extern struct machine machine;
extern uint64_t seed;
/* The machine's data and the area, before the meter runs. */
extern uint8_t memory_before[MACHINE_DATA_SIZE];
extern struct area_of_test area, area_before;

/* The address to which the meter belongs, and where its code is. */
addr_t site(void);
addr_t place(void);

/* Makes the meter of this kind. */
void make(enum check_kind kind, struct check *ret_check);

void random_state(struct machine_state *state);
/* Sets a word of memory_before. */
void set_word(addr_t at, uint64_t word);
/* Sets area_before, for a meter that runs from this state. */
void set_area(enum scene scene, enum check_kind kind,
	      const struct machine_state *before, uint64_t returns_to);
/* Puts the n-th text of the function at such a place, and describes it in
 * area_before and in the registers. Returns its address. *ret_length is the
 * number of bytes that the meter copies. */
const uint8_t *set_text(enum text_place place, unsigned n,
			struct machine_state *before, size_t *ret_length);
/* Runs the meter until it traps. */
void run(const struct check *check, const struct machine_state *before,
	 struct machine_state *after);

/* As run(), but does not copy area_before to `area` first. */
void run_check(const struct check *check, const struct machine_state *before,
	       struct machine_state *after);
uint64_t thread_pointer(void);

/* Asserts that the registers, and the memory that a meter must not change, are
 * as before. */
void same_world(const char *name, enum check_kind kind,
		const struct machine_state *before,
		const struct machine_state *after);
/* Stores the offsets of all instructions of the meter's own code, and of the
 * first displaced one. Returns their number. */
size_t own_instructions(const struct check *check, size_t *offsets);
/* The number in the environment variable METER_STATES; `most` if it is not
 * set. */
unsigned states(unsigned most);

/* The tests of meters for queries. */
TCase *meter_query_case(void);

#endif
