/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only the lists are here; report_complete() (tracer/report/report) does the
 * work. */
#include "tracer/report/completion.h"

#include "base/xmalloc.h"

#include <stdlib.h>

struct completion *
completion_new(void)
{
	return xcalloc(1, sizeof(struct completion));
}

void
completion_free(struct completion *completion)
{
	if (!completion)
		return;
	vec_release(&completion->unnamed);
	vec_release(&completion->unlearned);
	vec_release(&completion->untold);
	vec_release(&completion->unprepared);
	free(completion);
}
