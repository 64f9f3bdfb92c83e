/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is in a fork's child, and where, may soon differ from its parent, so the
 * child begins with nothing. All of it is found again when it is needed first.
 */
#include "tracer/report/findings.h"

#include "base/xmalloc.h"
#include "stacks/native.h"
#include "stacks/source.h"
#include "tracer/model/rooms.h"
#include "tracer/model/session.h"

#include <stdlib.h>

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
