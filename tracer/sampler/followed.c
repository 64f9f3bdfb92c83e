/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loader's lists are read once a second, when a walk meets code of no known
 * module, and as long as the loader is at work. */
#include "tracer/sampler/followed.h"

#include "base/clock.h"
#include "base/log.h"
#include "process/space.h"
#include "tracer/loader/modules.h"
#include "tracer/report/findings.h"
#include "tracer/report/where.h"

/* The modules of a program are read again at most once in this time. */
#define AGAIN_MS 20

void
followed_init(struct followed *followed)
{
	map_init(&followed->read);
}

void
followed_release(struct followed *followed)
{
	map_release(&followed->read);
}

void
followed_read(struct followed *followed, struct program *program)
{
	uint64_t serial = program->space->serial, now = clock_now() / 1000000;
	uint64_t last = (uint64_t)(uintptr_t)map_get(&followed->read, serial);

	if (options_plant(program->session->options) || now - last < AGAIN_MS)
		return;
	map_put(&followed->read, serial, (void *)(uintptr_t)now);
	if (modules_look_again(program) < 0)
		debug("%d has ended", program->space->pid);
}

static bool
all_relocated(const struct program *program)
{
	const struct modmap *map = &program->modules;

	for (size_t i = 0; i < map->modules.count; i++)
		if (!map->modules.at[i]->relocated)
			return false;
	return true;
}

void
followed_prepare(struct followed *followed, struct program *program)
{
	if (!all_relocated(program))
		followed_read(followed, program);
	if (program->findings->prepared != program->modules.changes)
		where_prepare(program);
}
