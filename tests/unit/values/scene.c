/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does by hand what the tracer does for a call. */
#include "tests/unit/values/scene.h"

#include "base/attr.h"
#include "conf/parse/parse.h"
#include "tests/unit/checks.h"

#include <string.h>

static const struct vregs *
scene_vregs(struct registers *registers)
{
	return &container_of(registers, struct scene, registers)->vregs;
}

void
scene_init(struct scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	memory_init(&scene->memory);
	arena_init(&scene->arena);
	scene->regs.gpr.rsp = SCENE_STACK;
	memory_put_u64(&scene->memory, SCENE_STACK, 0x401000);
	scene->registers.regs = &scene->regs;
	scene->registers.vregs = scene_vregs;
}

void
scene_release(struct scene *scene)
{
	if (scene->library)
		library_free(scene->library);
	arena_release(&scene->arena);
}

void
scene_integers(struct scene *scene, const uint64_t *numbers, size_t count)
{
	struct user_regs_struct *gpr = &scene->regs.gpr;
	unsigned long long *const places[] = { &gpr->rdi, &gpr->rsi, &gpr->rdx,
					       &gpr->rcx, &gpr->r8,  &gpr->r9 };

	for (size_t i = 0; i < count; i++) {
		if (i < array_size(places))
			*places[i] = numbers[i];
		else
			memory_put_u64(&scene->memory,
				       SCENE_STACK + 8 + 8 * (i - 6),
				       numbers[i]);
	}
}

void
scene_doubles(struct scene *scene, const double *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		memcpy(&scene->vregs.fxsave.xmm_space[4 * i], &numbers[i],
		       sizeof(numbers[i]));
}

static const struct proto *
parse(struct scene *scene, const char *declarations)
{
	const struct proto *proto;
	struct complaints complaints;
	const char *first = "";

	complaints_init(&complaints);
	scene->library = library_parse("test.conf", declarations,
				       strlen(declarations), NULL, &complaints);
	if (complaints.list.count > 0)
		first = complaints.list.at[0].text;
	proto = library_proto(scene->library, "f");
	ck_assert_msg(proto && !*first, "%s: %s", declarations, first);
	complaints_release(&complaints);
	return proto;
}

void
scene_enter(struct scene *scene, const char *declarations)
{
	const struct proto *proto = NULL;

	if (declarations)
		proto = parse(scene, declarations);
	capture_init(&scene->entry, &scene->memory.reader, &scene->arena);
	scene->arguments = arguments_fetch(proto, &scene->registers,
					   &scene->entry, &scene->arena);
}

void
scene_return(struct scene *scene, uint64_t number, double real)
{
	capture_seal(&scene->entry);
	scene->regs.gpr.rax = number;
	memcpy(scene->vregs.fxsave.xmm_space, &real, sizeof(real));
	capture_init(&scene->back, &scene->memory.reader, &scene->arena);
	arguments_result(scene->arguments, &scene->registers, &scene->back);
}
