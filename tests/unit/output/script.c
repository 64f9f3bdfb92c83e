/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All sinks of a script write to one memory, in the order in which they were
 * opened. */
#include "script.h"

#include <stdlib.h>

void
script_init(struct script *script)
{
	*script = (struct script){
		.look = { .align = 50, .string_length = 32, .array_length = 4 },
	};
	script->out = out_memory(&script->text);
	script->tee = tee_new();
}

void
script_open(struct script *script, script_sink sink)
{
	tee_add(script->tee, sink(&script->look, script->out));
}

char *
script_close(struct script *script)
{
	tee_close(script->tee);
	ck_assert_int_eq(out_close(script->out), 0);
	return str_take(&script->text);
}

void
script_expect(struct script *script, const char *text)
{
	char *got = script_close(script);

	ck_assert_str_eq(got, text);
	free(got);
}

struct event_call *
script_call(struct script *script, const char *name)
{
	struct event_call *call = &script->calls[script->begun++];

	ck_assert_uint_le(script->begun, SCRIPT_CALLS);
	call->id = script->begun;
	call->name = call->display = name;
	call->module = "libfoo.so.1";
	call->entry = 0x7f0000001000 + 64 * script->begun;
	call->return_address = 0x400000 + 16 * script->begun;
	return call;
}

static struct event
event_at(pid_t tid, enum event_kind kind, uint64_t micros)
{
	return (struct event){ .kind = kind,
			       .when = micros * 1000,
			       .track = micros * 1000,
			       .pid = SCRIPT_PID,
			       .tid = tid };
}

void
script_enter(struct script *script, pid_t tid, struct event_call *call,
	     uint64_t micros)
{
	struct event event = event_at(tid, EVENT_ENTRY, micros);

	call->depth = script->depth[tid - SCRIPT_PID]++;
	call->began = call->began_own = call->began_track = event.when;
	event.call = call;
	tee_event(script->tee, &event);
}

struct event_call *
script_begin(struct script *script, pid_t tid, const char *name,
	     uint64_t micros)
{
	struct event_call *call = script_call(script, name);

	script_enter(script, tid, call, micros);
	return call;
}

void
script_in_flight(struct script *script, pid_t tid, struct event_call *call,
		 uint64_t micros)
{
	struct event event = event_at(tid, EVENT_IN_FLIGHT, micros);

	call->duration = (int64_t)(event.when - call->began);
	event.call = call;
	tee_event(script->tee, &event);
}

void
script_end(struct script *script, pid_t tid, struct event_call *call,
	   uint64_t micros, enum call_end end)
{
	struct event event = event_at(tid, EVENT_RETURN, micros);

	script->depth[tid - SCRIPT_PID]--;
	call->wall = event.when - call->began;
	call->duration = (int64_t)call->wall + script->error;
	call->ended_track = event.when;
	call->end = end;
	event.call = call;
	tee_event(script->tee, &event);
	for (unsigned i = 0; i < SINKS_MOST; i++)
		ck_assert_ptr_null(call->kept[i]);
}

void
script_whole(struct script *script, pid_t tid, const char *name, uint64_t from,
	     uint64_t to)
{
	struct event_call *call = script_begin(script, tid, name, from);

	script_end(script, tid, call, to, CALL_RETURNED);
}

void
script_tell(struct script *script, pid_t tid, enum event_kind kind,
	    uint64_t micros, int number, const char *text)
{
	struct event event = event_at(tid, kind, micros);

	event.number = number;
	event.text = text;
	tee_event(script->tee, &event);
}
