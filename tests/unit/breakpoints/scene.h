/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tracee that calls three small functions over and over, and the sites of its
 * space.
 */
#ifndef TESTS_UNIT_BREAKPOINTS_SCENE_H
#define TESTS_UNIT_BREAKPOINTS_SCENE_H

#include "breakpoints/sites.h"
#include "tests/unit/live/tracee.h"

struct scene {
	struct tracee tracee;
	struct sites sites;
};

/* They give back their argument and one more. What their first instruction is:
 * nothing; one that runs in a slot; a call. */
extern const char __attribute__((visibility("hidden"))) scene_nop[],
	scene_add[], scene_call[];
/* One that cannot be displaced, one that is a trap, and one that is all of the
 * function. */
extern const char __attribute__((visibility("hidden"))) scene_iret[],
	scene_int3[], scene_ret[];

/* Stopped, with a place for stubs in slots.scratch, but no home. */
void scene_begin(struct scene *scene);
void scene_end(struct scene *scene);

/* The byte at the address, as the tracee has it and as readers see it. */
uint8_t scene_raw(struct scene *scene, const char *address);
uint8_t scene_veiled(struct scene *scene, const char *address);

/* Plants a trap through the stopped thread. */
struct site *scene_plant(struct scene *scene, const char *address);
/* Plants it, and runs the tracee until it has trapped there. */
struct site *scene_run_to(struct scene *scene, const char *address);

/* Does the program that runs go round and count right? Waits for some rounds.
 * It may be traced by nobody. */
void scene_goes_round(struct scene *scene);

#endif
