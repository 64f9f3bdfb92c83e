/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One small run in the formats of other tools. */
#include "suites.h"

#include "base/str.h"
#include "script.h"
#include "stacks/stack.h"
#include "subject.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MAIN SCRIPT_PID

static struct script script;

/* main.py calls f twice; g calls h, which another thread calls, too. */
static void
some_calls(void)
{
	static const struct frame script_frame = {
		.kind = FRAME_PYTHON,
		.function = "main",
		.file = "main.py",
		.line = 42,
	};
	struct event_call *call;

	script_tell(&script, MAIN, EVENT_START, 0, 0, "/usr/bin/python3");
	for (unsigned i = 0; i < 2; i++) {
		call = script_call(&script, "f");
		call->frames = &script_frame;
		call->frame_count = 1;
		script_enter(&script, MAIN, call, 100 * i);
		script_end(&script, MAIN, call, 100 * i + 30, CALL_RETURNED);
	}
	call = script_begin(&script, MAIN, "g", 300);
	script_whole(&script, MAIN, "h", 310, 350);
	script_end(&script, MAIN, call, 400, CALL_UNWOUND);
	script_whole(&script, MAIN + 1, "h", 500, 504);
}

static void
open_with(script_sink sink, enum look_weight weight)
{
	script_init(&script);
	script.look.weight = weight;
	script_open(&script, sink);
}

/* ---- callgrind -------------------------------------------------------------
 */

static const char callgrind_wanted[] = "# callgrind format\n"
				       "version: 1\n"
				       "creator: xtrace\n"
				       "cmd: python3 1000\n"
				       "positions: line\n"
				       "events: us calls\n"
				       "summary: 164 5\n"
				       "\n"
				       "fl=(1) ???\n"
				       "fn=(1) all\n"
				       "0 0 0\n"
				       "cfl=(1)\n"
				       "cfn=(2) python3 1000\n"
				       "calls=5 0\n"
				       "0 164 5\n"
				       "\n"
				       "fl=(1)\n"
				       "fn=(2)\n"
				       "0 0 0\n"
				       "cfl=(1)\n"
				       "cfn=(3) thread 1001\n"
				       "calls=1 0\n"
				       "0 4 1\n"
				       "cfl=(1)\n"
				       "cfn=(4) thread 1000\n"
				       "calls=4 0\n"
				       "0 160 4\n"
				       "\n"
				       "fl=(1)\n"
				       "fn=(3)\n"
				       "0 0 0\n"
				       "cfl=(1)\n"
				       "cfn=(5) h\n"
				       "calls=1 0\n"
				       "0 4 1\n"
				       "\n"
				       "fl=(1)\n"
				       "fn=(5)\n"
				       "0 4 1\n"
				       "\n"
				       "fl=(1)\n"
				       "fn=(4)\n"
				       "0 0 0\n"
				       "cfl=(1)\n"
				       "cfn=(6) g\n"
				       "calls=1 0\n"
				       "0 100 2\n"
				       "cfl=(2) main.py\n"
				       "cfn=(7) main\n"
				       "calls=2 42\n"
				       "0 60 2\n"
				       "\n"
				       "fl=(1)\n"
				       "fn=(6)\n"
				       "0 60 1\n"
				       "cfl=(1)\n"
				       "cfn=(5)\n"
				       "calls=1 0\n"
				       "0 40 1\n"
				       "\n"
				       "fl=(1)\n"
				       "fn=(5)\n"
				       "0 40 1\n"
				       "\n"
				       "fl=(2)\n"
				       "fn=(7)\n"
				       "42 0 0\n"
				       "cfl=(1)\n"
				       "cfn=(8) f\n"
				       "calls=2 0\n"
				       "42 60 2\n"
				       "\n"
				       "fl=(1)\n"
				       "fn=(8)\n"
				       "0 60 2\n"
				       "\n"
				       "totals: 164 5\n";

START_TEST(callgrind)
{
	open_with(callgrind_sink_new, LOOK_WEIGHT_TIME);
	some_calls();
	script_expect(&script, callgrind_wanted);
}
END_TEST

START_TEST(callgrind_of_nothing)
{
	open_with(callgrind_sink_new, LOOK_WEIGHT_BYTES);
	script_expect(&script, "# callgrind format\n"
			       "version: 1\n"
			       "creator: xtrace\n"
			       "cmd: -\n"
			       "positions: line\n"
			       "events: us calls bytes\n"
			       "summary: 0 0 0\n"
			       "\n"
			       "fl=(1) ???\n"
			       "fn=(1) all\n"
			       "0 0 0 0\n"
			       "\n"
			       "totals: 0 0 0\n");
}
END_TEST

/* ---- speedscope ------------------------------------------------------------
 */

START_TEST(speedscope)
{
	open_with(speedscope_sink_new, LOOK_WEIGHT_TIME);
	some_calls();
	script_expect(
		&script,
		"{\"$schema\":\"https://www.speedscope.app/file-format-schema.j"
		"son\",\"exporter\":\"xtrace\",\"shared\":{\"frames\":[{\"name"
		"\":\"python3 1000\"},{\"name\":\"thread 1000\"},{\"name\":\"ma"
		"in\",\"file\":\"main.py\",\"line\":42},{\"name\":\"f\"},{\"nam"
		"e\":\"g\"},{\"name\":\"h\"},{\"name\":\"thread 1001\"}]},\"pro"
		"files\":[{\"type\":\"sampled\",\"name\":\"python3 1000, thread"
		" 1001\",\"unit\":\"microseconds\",\"startValue\":0,\"samples\""
		":[[5]],\"weights\":[4],\"endValue\":4},{\"type\":\"sampled\","
		"\"name\":\"python3 1000, thread 1000\",\"unit\":\"microseconds"
		"\",\"startValue\":0,\"samples\":[[4],[4,5],[2,3]],\"weights\":"
		"[60,40,60],\"endValue\":160}]}\n");
}
END_TEST

START_TEST(speedscope_of_nothing)
{
	open_with(speedscope_sink_new, LOOK_WEIGHT_CALLS);
	script_expect(
		&script,
		"{\"$schema\":\"https://www.speedscope.app/file-format-schema.j"
		"son\",\"exporter\":\"xtrace\",\"shared\":{\"frames\":[]},\"pro"
		"files\":[{\"type\":\"sampled\",\"name\":\"other\",\"unit\":\"n"
		"one\",\"startValue\":0,\"samples\":[],\"weights\":[],\"endValu"
		"e\":0}]}\n");
}
END_TEST

/* ---- pprof -----------------------------------------------------------------
 */

/* The wire format as text: field numbers and contents. The reader of the text
 * knows which fields are messages, packed numbers and strings. */
struct wire {
	const uint8_t *at, *end;
};

static uint64_t
varint(struct wire *wire)
{
	uint64_t number = 0;
	unsigned shift = 0;

	do {
		ck_assert(wire->at < wire->end);
		number |= (uint64_t)(*wire->at & 0x7f) << shift;
		shift += 7;
	} while (*wire->at++ & 0x80);
	return number;
}

static struct wire
part(struct wire *wire)
{
	uint64_t length = varint(wire);
	struct wire inner = { wire->at, wire->at + length };

	ck_assert_uint_le(length, (size_t)(wire->end - wire->at));
	wire->at += length;
	return inner;
}

static void
add_packed(struct str *to, struct wire wire)
{
	while (wire.at < wire.end)
		str_addf(to, " %lu", varint(&wire));
}

static void
add_message(struct str *to, struct wire wire, const char *packed)
{
	while (wire.at < wire.end) {
		uint64_t tag = varint(&wire), field = tag >> 3;

		str_addf(to, " %lu:", field);
		if ((tag & 7) == 0) {
			str_addf(to, "%lu", varint(&wire));
		} else {
			ck_assert_uint_eq(tag & 7, 2);
			str_add(to, "(");
			if (packed)
				add_packed(to, part(&wire));
			else
				add_message(to, part(&wire), NULL);
			str_add(to, " )");
		}
	}
}

/* The whole content of a small gzip file. */
static struct wire
inflated(const struct str *packed, uint8_t *room, unsigned size)
{
	z_stream stream = { .next_in = (unsigned char *)packed->text,
			    .avail_in = (unsigned)packed->length,
			    .next_out = room,
			    .avail_out = size };

	ck_assert_int_eq(inflateInit2(&stream, 15 + 16), Z_OK);
	ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
	ck_assert_uint_eq(stream.avail_in, 0);
	inflateEnd(&stream);
	return (struct wire){ room, stream.next_out };
}

static char *
pprof_text(void)
{
	uint8_t room[4096];
	struct str text;
	struct wire wire;

	/* The profile is written when the sink is closed. */
	tee_close(script.tee);
	wire = inflated(&script.text, room, sizeof(room));
	str_init(&text);
	while (wire.at < wire.end) {
		uint64_t tag = varint(&wire), field = tag >> 3;

		str_addf(&text, "%lu", field);
		if ((tag & 7) == 0) {
			str_addf(&text, " %lu\n", varint(&wire));
			continue;
		}
		if (field == 6) { /* the table of strings */
			struct wire word = part(&wire);

			str_addf(&text, " '%.*s'\n", (int)(word.end - word.at),
				 (const char *)word.at);
			continue;
		}
		add_message(&text, part(&wire), field == 2 ? "packed" : NULL);
		str_add(&text, "\n");
	}
	ck_assert_int_eq(out_close(script.out), 0);
	str_release(&script.text);
	return str_take(&text);
}

/* Each field of the profile, as pprof_text() writes it. */
static const char pprof_wanted[] = "1 1:1 2:2\n"
				   "1 1:3 2:4\n"
				   "2 1:( 7 8 2 ) 2:( 1 4 )\n"
				   "2 1:( 10 3 2 ) 2:( 1 1 )\n"
				   "2 1:( 9 3 2 ) 2:( 1 3 )\n"
				   "2 1:( 6 3 2 ) 2:( 1 60 )\n"
				   "2 1:( 7 6 3 2 ) 2:( 1 40 )\n"
				   "2 1:( 5 4 3 2 ) 2:( 2 60 )\n"
				   "4 1:1 4:( 1:1 )\n"
				   "5 1:1 2:6\n"
				   "4 1:2 4:( 1:2 )\n"
				   "5 1:2 2:7\n"
				   "4 1:3 4:( 1:3 )\n"
				   "5 1:3 2:10\n"
				   "4 1:4 4:( 1:4 2:42 )\n"
				   "5 1:4 2:13 4:14\n"
				   "4 1:5 2:2 4:( 1:5 )\n"
				   "5 1:5 2:16 3:18\n"
				   "4 1:6 2:2 4:( 1:6 )\n"
				   "5 1:6 2:19 3:21\n"
				   "4 1:7 2:2 4:( 1:7 )\n"
				   "5 1:7 2:22 3:24\n"
				   "4 1:8 4:( 1:8 )\n"
				   "5 1:8 2:25\n"
				   "4 1:9 2:2 4:( 1:9 )\n"
				   "5 1:9 2:28 3:30\n"
				   "4 1:10 2:2 4:( 1:10 )\n"
				   "5 1:10 2:31 3:33\n"
				   "3 1:1 5:34 7:1 8:1 9:1\n"
				   "3 1:2 5:35 7:1 8:1 9:1\n"
				   "6 ''\n"
				   "6 'calls'\n"
				   "6 'count'\n"
				   "6 'time'\n"
				   "6 'microseconds'\n"
				   "6 'bytes'\n"
				   "6 'other'\n"
				   "6 'python3 1000'\n"
				   "6 ''\n"
				   "6 ''\n"
				   "6 'thread 1000'\n"
				   "6 ''\n"
				   "6 ''\n"
				   "6 'main'\n"
				   "6 'main.py'\n"
				   "6 ''\n"
				   "6 'f'\n"
				   "6 ''\n"
				   "6 ''\n"
				   "6 'g'\n"
				   "6 ''\n"
				   "6 ''\n"
				   "6 'h'\n"
				   "6 ''\n"
				   "6 ''\n"
				   "6 'thread 1001'\n"
				   "6 ''\n"
				   "6 ''\n"
				   "6 'k<int>'\n"
				   "6 ''\n"
				   "6 '_Z1kIiEvT_'\n"
				   "6 'void k<long>(long)'\n"
				   "6 ''\n"
				   "6 '_Z1kIlEvT_'\n"
				   "6 'python3'\n"
				   "6 'libfoo.so.1'\n"
				   "9 1030000\n"
				   "10 671000\n"
				   "14 3\n";

START_TEST(pprof)
{
	struct event_call *call;
	char *text;

	open_with(pprof_sink_new, LOOK_WEIGHT_TIME);
	script.look.epoch_offset = 1000000;
	some_calls();
	call = script_call(&script, "_Z1kIiEvT_");
	call->display = "k<int>";
	script_enter(&script, MAIN, call, 600);
	script_end(&script, MAIN, call, 603, CALL_RETURNED);
	script_whole(&script, MAIN, "_Z1kIlEvT_", 700, 701);
	text = pprof_text();
	ck_assert_str_eq(text, pprof_wanted);
	free(text);
}
END_TEST

START_TEST(pprof_of_nothing)
{
	char *text;

	open_with(pprof_sink_new, LOOK_WEIGHT_BYTES);
	text = pprof_text();
	ck_assert_str_eq(text, "1 1:1 2:2\n"
			       "1 1:3 2:4\n"
			       "1 1:5 2:5\n"
			       "4 1:1 4:( 1:1 )\n"
			       "5 1:1 2:6\n"
			       "6 ''\n"
			       "6 'calls'\n"
			       "6 'count'\n"
			       "6 'time'\n"
			       "6 'microseconds'\n"
			       "6 'bytes'\n"
			       "6 'other'\n"
			       "14 5\n");
	free(text);
}
END_TEST

/* ---- chrome ----------------------------------------------------------------
 */

START_TEST(chrome)
{
	struct event_call *call;

	open_with(chrome_sink_new, LOOK_WEIGHT_TIME);
	script.look.min_duration = 20000;
	some_calls();
	call = script_begin(&script, MAIN + 1, "_start", 500);
	script_end(&script, MAIN + 1, call, 600, CALL_ENTRY_ONLY);
	script_tell(&script, MAIN, EVENT_SIGNAL, 601, SIGUSR1, NULL);
	script_tell(&script, MAIN + 1, EVENT_THREAD_END, 602, 0, NULL);
	script_tell(&script, MAIN, EVENT_EXEC, 603, 0, "sh\x1b");
	script_expect(
		&script,
		"[\n"
		"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1000,\"tid\":1"
		"000,\"args\":{\"name\":\"python3\"}},\n"
		"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1000,\"tid\":10"
		"00,\"args\":{\"name\":\"thread 1000\"}},\n"
		"{\"ph\":\"X\",\"name\":\"f\",\"pid\":1000,\"tid\":1000,\"cat\""
		":\"libfoo.so.1\",\"ts\":0.000,\"dur\":30.000,\"args\":{\"stack"
		"\":[\"main (main.py:42)\"]}},\n"
		"{\"ph\":\"X\",\"name\":\"f\",\"pid\":1000,\"tid\":1000,\"cat\""
		":\"libfoo.so.1\",\"ts\":100.000,\"dur\":30.000,\"args\":{\"sta"
		"ck\":[\"main (main.py:42)\"]}},\n"
		"{\"ph\":\"X\",\"name\":\"h\",\"pid\":1000,\"tid\":1000,\"cat\""
		":\"libfoo.so.1\",\"ts\":310.000,\"dur\":40.000,\"args\":{}},\n"
		"{\"ph\":\"X\",\"name\":\"g\",\"pid\":1000,\"tid\":1000,\"cat\""
		":\"libfoo.so.1\",\"ts\":300.000,\"dur\":100.000,\"args\":{\"en"
		"d\":\"unwound\"}},\n"
		"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1000,\"tid\":10"
		"01,\"args\":{\"name\":\"thread 1001\"}},\n"
		"{\"ph\":\"i\",\"name\":\"_start\",\"pid\":1000,\"tid\":1001,\""
		"cat\":\"libfoo.so.1\",\"ts\":500.000,\"s\":\"t\",\"args\":{\"e"
		"nd\":\"entry only\"}},\n"
		"{\"ph\":\"i\",\"name\":\"SIGUSR1\",\"pid\":1000,\"tid\":1000,"
		"\"ts\":601.000,\"s\":\"t\"},\n"
		"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1000,\"tid\":1"
		"000,\"args\":{\"name\":\"sh\\\\033\"}}\n"
		"]\n");
}
END_TEST

START_TEST(chrome_of_nothing)
{
	open_with(chrome_sink_new, LOOK_WEIGHT_TIME);
	script.look.hide_signals = true;
	script_tell(&script, MAIN, EVENT_SIGNAL, 601, SIGUSR1, NULL);
	script_expect(&script, "[\n]\n");
}
END_TEST

START_TEST(chrome_with_arguments)
{
	struct subject *subject =
		subject_new("long f(int, string, hide(int));\n");
	const uint64_t arguments[6] = { 7, subject_text(subject, "a\"b") };
	struct event_outcome outcome = { .message = "no \"such\" table" };
	struct event_call *call;

	open_with(chrome_sink_new, LOOK_WEIGHT_TIME);
	call = script_call(&script, "f");
	subject_enter(subject, call, arguments);
	script_enter(&script, MAIN, call, 1);
	subject_leave_entry(subject);
	subject_return(subject, call, (uint64_t)-3);
	call->outcome = &outcome;
	script_end(&script, MAIN, call, 5, CALL_RETURNED);
	script_expect(
		&script,
		"[\n"
		"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1000,\"tid\":10"
		"00,\"args\":{\"name\":\"thread 1000\"}},\n"
		"{\"ph\":\"X\",\"name\":\"f\",\"pid\":1000,\"tid\":1000,\"cat\""
		":\"libfoo.so.1\",\"ts\":1.000,\"dur\":4.000,\"args\":{\"arg1\""
		":\"7\",\"arg2\":\"\\\"a\\\\\\\"b\\\"\",\"result\":\"-3\",\"err"
		"or\":\"no \\\"such\\\" table\"}}\n"
		"]\n");
	subject_free(subject);
}
END_TEST

Suite *
formats_suite(void)
{
	Suite *suite = suite_create("output/formats");
	TCase *tests = tcase_create("formats");

	tcase_add_test(tests, callgrind);
	tcase_add_test(tests, callgrind_of_nothing);
	tcase_add_test(tests, speedscope);
	tcase_add_test(tests, speedscope_of_nothing);
	tcase_add_test(tests, pprof);
	tcase_add_test(tests, pprof_of_nothing);
	tcase_add_test(tests, chrome);
	tcase_add_test(tests, chrome_of_nothing);
	tcase_add_test(tests, chrome_with_arguments);
	suite_add_tcase(suite, tests);
	return suite;
}
