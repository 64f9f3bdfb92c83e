/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fork's child begins without findings, because its modules may soon differ
 * from its parent's. Each finding is made again when it is first needed.
 */
#include "tracer/report/findings.h"

#include "base/xmalloc.h"
#include "stacks/native.h"
#include "stacks/source.h"
#include "tracer/model/rooms.h"
#include "tracer/model/session.h"

#include <stdlib.h>

struct sources *
findings_sources(struct program *program)
{
	if (!program->findings->sources)
		program->findings->sources = sources_new();
	return program->findings->sources;
}

static void
findings_born(struct program *program)
{
	program->findings = xcalloc(1, sizeof(*program->findings));
}

static void
findings_copied(struct program *child, const struct program *parent)
{
	(void)parent;
	findings_born(child);
}

static void
findings_gone(struct program *program)
{
	sources_free(program->findings->sources);
	native_free(program->findings->native);
	free(program->findings);
}

const struct life findings_life = {
	.born = findings_born,
	.copied = findings_copied,
	.gone = findings_gone,
};
