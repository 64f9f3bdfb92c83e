/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is counted in a run, for --stats and for what is said at its end. */
#ifndef TRACER_MODEL_COUNTS_H
#define TRACER_MODEL_COUNTS_H

#include <stdint.h>

struct counts {
	uint64_t shown; /* calls that the trace shows */
	uint64_t begun; /* calls that have begun */
	/* calls that had not returned when we left: their end is not known */
	uint64_t lost;
	uint64_t attached; /* processes to which xtrace has attached */
	/* requests to a server, see tracer/queries/requests.h */
	uint64_t requests;
	uint64_t planted; /* planted sites */
	uint64_t refused; /* functions that cannot be traced */
	/* jumps: sites that got a jump. jumps_refused: hot sites that got none.
	 * jumps_back: sites that have traps again, because their boundaries
	 * have trapped. */
	uint64_t jumps, jumps_refused, jumps_back;
	uint64_t inside; /* calls that were counted inside the programs */
	/* Because the tables in the program are full: functions and return
	 * addresses without a meter, and threads whose calls are not counted
	 * inside the program. */
	uint64_t meters_refused, threads_refused;
	uint64_t metered; /* threads that had a block */
	/* threads with a block that could not be read at their end */
	uint64_t metered_lost;
	uint64_t confined; /* processes with a seccomp policy that restricts
			    * xtrace */
};

#endif
