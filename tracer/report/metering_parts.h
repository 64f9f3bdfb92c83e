/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of metering.h share. */
#ifndef TRACER_REPORT_METERING_PARTS_H
#define TRACER_REPORT_METERING_PARTS_H

#include "agent/area.h"
#include "base/vec.h"
#include "tracer/model/tracepoint.h"

struct act;
struct arch;
struct call;
struct hit;
struct metered_text;
struct param;
struct probe;
struct program;
struct proto;
struct session;
struct thread_record;

/* A handle with a cell. */
struct followed_handle {
	uint64_t handle;
	bool told; /* its cell says that xtrace follows its query */
};

struct metering {
	struct area area;
	/* The functions that have meters. The index is the number of their
	 * sums. */
	vec_of(struct tracepoint *) functions;
	/* the tests of these functions, if only some calls are shown */
	vec_of(struct meter_select) selects;
	vec_of(struct meter_query) queries; /* of AREA_QUERIES */
	bool follows; /* meters know that xtrace follows queries */
	/* The handles with a cell whose queries xtrace perhaps follows. */
	vec_of(struct followed_handle) followed;
	unsigned forgotten; /* sites.forgotten when it was read last */
	uint64_t checked;   /* when the area's pages were looked at last */
	bool refused;	    /* there is no area, or meters have faulted */
	bool small;	    /* the area cannot grow */
};

/* A thread whose calls are counted inside the program. */
struct metered {
	struct program *program;
	addr_t pointer; /* the thread pointer */
	unsigned block;
	/* The sums were read and the block is closed: nothing is lost if the
	 * thread execs now. */
	bool complete;
	uint64_t own;	 /* the thread's own time when it was last resumed */
	uint64_t passed; /* calls that were not selected, at the last reading */
	/* The sums that the sinks have been told, by the number of the
	 * function: in `told`, or in `wholes` for functions with histograms,
	 * where NULL means that nothing was told. */
	struct meter_sum told[METER_SUMS];
	struct meter_whole *wholes[METER_WHOLES];
};

/* Reads the processor's counter and clock_now() at one moment. */
void metering_now(const struct arch *arch, uint64_t *ret_ticks,
		  uint64_t *ret_clock);
/* Converts ticks of the processor's counter to ns. */
int64_t metering_ns(const struct session *session,
		    const struct program *program, uint64_t ticks);

/* What is known of the age of an open call when its thread has stopped, in
 * ns. */
struct open_times {
	/* its age by the clock, without the time since xtrace saw the stop */
	uint64_t clock;
	uint64_t own;	 /* the thread's own time since the last resume */
	uint64_t passed; /* the clock's time from that resume to the stop */
};
/* The least and the most that the age can be in the thread's own time. */
struct open_ages {
	uint64_t least, most;
};
void metering_ages(const struct open_times *times, struct open_ages *ret_ages);

/* Reads the sums of the thread and tells the sinks what is new. */
void metering_read(struct session *session, struct thread_record *record);
/*
 * Stores which calls of the function must stop, as far as a meter can decide
 * it. Returns NULL, or a static string that says why a meter cannot decide it.
 */
const char *metering_select(const struct session *session,
			    const struct program *program,
			    const struct tracepoint *tracepoint,
			    struct meter_select *ret_select);
/* Is the argument a text that meters can copy? */
bool metering_is_text(const struct param *param);
/* Fills in select->texts; registers has the number of each argument's
 * register. False if the texts cannot be copied. */
must_check bool metering_find_texts(const struct session *session,
				    const struct proto *proto,
				    const unsigned registers[6],
				    struct meter_select *select);
bool metering_has_texts(const struct meter_select *select);
/* The thread has stopped at an entry with a meter: meters may read the pages of
 * its texts from now on. */
void metering_add_pages(struct hit *hit);
/* Reads the texts, METER_TEXTS at most, of a call that was taken from the
 * thread's block. Returns their number. */
size_t metering_copies(struct hit *hit, const struct area_calls *calls,
		       unsigned call, struct metered_text *ret_texts);
/* Sets hit->regs to the registers of the call at the function's entry, as far
 * as they were kept. */
void metering_registers(struct hit *hit, const struct meter_open *open,
			const struct meter_kept *kept, addr_t entry);
/* Fetches the arguments of a call that was selected, or whose end xtrace will
 * see, and tells of its entry. */
void metering_tell_selected(struct hit *hit, struct call *call,
			    const struct metered_text *texts, size_t count);

/* ---- queries of --sql (metering_queries.c) --------------------------------*/

/* Number of the arguments that are kept. */
#define METER_ARGUMENTS 6u
/* The handle of a query that is one call is the block of its thread, whose
 * address is in the open call while the meter looks for the handle. */
#define HANDLE_OF_THREAD offsetof(struct meter_open, took)

/*
 * Does the key of the act, an argument, lead to the handle, because the set
 * links the act's table by a field? Then *ret_link is the field's offset.
 */
bool metering_links(const struct program *program,
		    const struct tracepoint *tracepoint, const struct act *act,
		    uint64_t *ret_link);
/* Is what the probe links found by a field of an argument? */
bool metering_may_link(const struct probe *probe);
/* May fast queries of this session pass inside the program? */
bool metering_takes_queries(const struct session *session);
/* Fills in what meters do for the function. Returns NULL, or a static string
 * that says why it has no meter. */
const char *metering_query(const struct session *session,
			   const struct program *program,
			   const struct tracepoint *tracepoint,
			   struct meter_query *ret_query);
/*
 * The open call of a query is about to be one of the thread's calls. If it
 * joins a query, that query is followed from now on. Reads the call's texts,
 * METER_TEXTS at most, and returns their number.
 */
size_t metering_take_query(struct hit *hit, const struct meter_open *open,
			   const struct meter_kept *kept,
			   const struct meter_query *query,
			   struct metered_text *ret_texts);
/* The thread has stopped at the entry of a probed function: tells or drops what
 * meters know of the queries whose handles are arguments of the call. */
void metering_tell_handles(struct hit *hit);
/* The thread has stopped at an entry with a meter: if the call may begin a
 * query, its handle gets a cell. */
void metering_add_handle(struct hit *hit);
/* Tells the meters which queries xtrace follows itself. */
void metering_follow(struct session *session, struct program *program);
/* Tells tracer/queries of a call that was entered inside the program. */
void metering_begin_query(struct hit *hit, struct call *call,
			  const struct metered_text *texts, size_t count);
/* Finds the text whose copy is in to->room. False if nothing was copied. */
must_check bool metering_text(const struct meter_text *text,
			      const struct meter_kept *kept,
			      struct metered_text *to);
/* Converts ns to ticks, and makes the result a bit smaller: if xtrace measures
 * the same duration again, it may get a bit more. */
uint64_t metering_ticks(const struct session *session,
			const struct program *program, uint64_t ns);

/* Tells that calls were counted within the innermost call that sinks know. */
void metering_tell_within(struct session *session,
			  const struct thread_record *record, uint64_t ticks);

#endif
