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
 * Functions that return their argument plus one. The first instruction of
 * scene_nop is a no-op; of scene_add, an instruction that runs in a slot; of
 * scene_call, a call.
 */
extern const char __attribute__((visibility("hidden"))) scene_nop[],
	scene_add[], scene_call[];
/* The first instruction of scene_iret cannot be displaced; of scene_int3, it is
 * a trap; of scene_ret, it is the whole function. */
extern const char __attribute__((visibility("hidden"))) scene_iret[],
	scene_int3[], scene_ret[];

/* The tracee is stopped. slots.scratch is set, but there is no handler area. */
void scene_begin(struct scene *scene);
void scene_end(struct scene *scene);

/* The byte at the address: scene_raw() as in the tracee, scene_veiled() as
 * readers see it. */
uint8_t scene_raw(struct scene *scene, const char *address);
uint8_t scene_veiled(struct scene *scene, const char *address);

/* The stopped thread makes the system calls that are needed to plant a trap. */
struct site *scene_plant(struct scene *scene, const char *address);
/* Plants a trap, and runs the tracee until it hits that trap. */
struct site *scene_run_to(struct scene *scene, const char *address);

/* Waits until the running program has called its functions for some rounds, and
 * checks that it counts correctly. The program may be untraced. */
void scene_goes_round(struct scene *scene);

#endif
