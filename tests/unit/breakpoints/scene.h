/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tracee that calls three small functions again and again, and the sites of
 * its space.
 */
#ifndef TESTS_UNIT_BREAKPOINTS_SCENE_H
#define TESTS_UNIT_BREAKPOINTS_SCENE_H

#include "breakpoints/sites.h"
#include "tests/unit/live/tracee.h"

struct scene {
	struct tracee tracee;
	struct sites sites;
};

/*
 * Functions that return their argument plus one. The first instruction is a
 * no-op, an instruction that runs in a slot, or a call.
 */
extern const char __attribute__((visibility("hidden"))) scene_nop[],
	scene_add[], scene_call[];
/* Functions whose first instruction cannot be displaced, is a trap, or is the
 * whole function. */
extern const char __attribute__((visibility("hidden"))) scene_iret[],
	scene_int3[], scene_ret[];

/* The tracee is stopped. slots.scratch is set, but there is no handler area. */
void scene_begin(struct scene *scene);
void scene_end(struct scene *scene);

/* The byte at the address: scene_raw() as in the tracee, scene_veiled() as
 * readers see it. */
uint8_t scene_raw(struct scene *scene, const char *address);
uint8_t scene_veiled(struct scene *scene, const char *address);

/* Plants a trap, by the stopped thread. */
struct site *scene_plant(struct scene *scene, const char *address);
/* Plants a trap, and runs the tracee until it hits that trap. */
struct site *scene_run_to(struct scene *scene, const char *address);

/* Checks that the running program continues and counts correctly: waits for
 * some rounds. It may be untraced. */
void scene_goes_round(struct scene *scene);

#endif
