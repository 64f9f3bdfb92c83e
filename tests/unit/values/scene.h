/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call staged for a test: a prototype as one writes it in a file, registers
 * and memory of our choice.
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

/* Memory without a page but for the stack's. */
void scene_init(struct scene *scene);
void scene_release(struct scene *scene);

/* The first six go to registers, the rest to the stack. */
void scene_integers(struct scene *scene, const uint64_t *numbers, size_t count);
void scene_doubles(struct scene *scene, const double *numbers, size_t count);
/* Calls f(), which declarations declare, or, where they are NULL, nobody. */
void scene_enter(struct scene *scene, const char *declarations);
/* It returns these. */
void scene_return(struct scene *scene, uint64_t number, double real);

#endif
