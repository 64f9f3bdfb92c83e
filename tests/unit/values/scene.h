/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call for a test: a prototype in the notation of a file, with chosen
 * registers and memory.
 */
#ifndef TESTS_UNIT_VALUES_SCENE_H
#define TESTS_UNIT_VALUES_SCENE_H

#include "arch/regs.h"
#include "conf/model/library.h"
#include "tests/unit/values/memory.h"
#include "values/capture.h"
#include "values/fetch.h"

#define SCENE_STACK 0x7fff0000u

struct scene {
	struct memory memory;
	struct arena arena;
	struct capture entry, back;
	struct library *library;
	struct regs regs;
	struct vregs vregs;
	struct registers registers;
	struct arguments *arguments;
};

/* In a scene, only the stack has memory. */
void scene_init(struct scene *scene);
void scene_release(struct scene *scene);

/* Adds arguments: the first six go to registers, the rest to the stack. */
void scene_integers(struct scene *scene, const uint64_t *numbers, size_t count);
void scene_doubles(struct scene *scene, const double *numbers, size_t count);
/* Calls f(), which declarations declare. If declarations is NULL, f() has no
 * prototype. */
void scene_enter(struct scene *scene, const char *declarations);
/* Lets the call of scene_enter() return with these results. */
void scene_return(struct scene *scene, uint64_t number, double real);

#endif
