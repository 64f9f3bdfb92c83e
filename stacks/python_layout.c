/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table's offsets were computed with each version's own headers and tested
 * on Debian's and self-built interpreters (3.7 to 3.13).
 *
 * Every version describes itself: PyCode_Type is a type object with
 * tp_basicsize at 32 and tp_members at 240 (Include/cpython/object.h).
 * tp_members is an array of PyMemberDef of 40 bytes, { char *name; int type;
 * Py_ssize_t offset; ... }, which ends with a NULL name. From 3.11 on the
 * code's bytes follow the structure, so its size tells where they are. One row
 * is used for both 3.8 and 3.9, because all needed fields have the same
 * offsets.
 *
 * _Py_DebugOffsets (Include/internal/pycore_debug_offsets.h) is a cookie of
 * eight bytes and then 64-bit numbers, whose order depends on the version.
 */
#include "stacks/python_layout.h"

#include "stacks/peek.h"

#include <errno.h>

#define TYPE_BASIC_SIZE 32
#define TYPE_MEMBERS 240
#define MEMBER_SIZE 40
#define MEMBER_OFFSET 16
#define MEMBERS_MOST 64u

/* Offsets that are the same from 3.7 to 3.11: of the type in an object, and of
 * the fields of bytes and str. */
#define COMMON                                                 \
	.object_type = 8, .bytes_size = 16, .bytes_data = 32,  \
	.text_length = 16, .text_state = 32, .text_ascii = 48, \
	.text_compact = 72

static const struct python_layout rows[] = {
	{
		.version = 0x0307,
		.lines = PYTHON_LNOTAB,
		.runs = PYTHON_RUN_EACH,
		.interpreters = 24,
		.interp_next = 0,
		.interp_threads = 8,
		.thread_next = 8,
		.thread_interp = 16,
		.thread_id = 176,
		.thread_frame = 24,
		.cframe = PYTHON_NONE,
		.frame_code = 32,
		.frame_back = 24,
		.frame_at = 104,
		.code_file = 96,
		.code_name = 104,
		.code_line = 36,
		.code_table = 112,
		.code_bytes = 40,
		COMMON,
	},
	{
		.version = 0x0308, /* also the row of 3.9 */
		.lines = PYTHON_LNOTAB,
		.runs = PYTHON_RUN_EACH,
		.interpreters = 32,
		.interp_next = 0,
		.interp_threads = 8,
		.thread_next = 8,
		.thread_interp = 16,
		.thread_id = 176,
		.thread_frame = 24,
		.cframe = PYTHON_NONE,
		.frame_code = 32,
		.frame_back = 24,
		.frame_at = 104,
		.code_file = 104,
		.code_name = 112,
		.code_line = 40,
		.code_table = 120,
		.code_bytes = 48,
		COMMON,
	},
	{
		.version = 0x030a,
		.lines = PYTHON_LINETABLE,
		.runs = PYTHON_RUN_EACH,
		.interpreters = 32,
		.interp_next = 0,
		.interp_threads = 8,
		.thread_next = 8,
		.thread_interp = 16,
		.thread_id = 176,
		.thread_frame = 24,
		.cframe = PYTHON_NONE,
		.frame_code = 32,
		.frame_back = 24,
		.frame_at = 96,
		.code_file = 104,
		.code_name = 112,
		.code_line = 40,
		.code_table = 120,
		.code_bytes = 48,
		COMMON,
	},
	{
		.version = 0x030b,
		.lines = PYTHON_LOCATIONS,
		.runs = PYTHON_RUN_FLAG,
		.interpreters = 40,
		.interp_next = 0,
		.interp_threads = 16,
		.thread_next = 8,
		.thread_interp = 16,
		.thread_id = 152,
		.thread_frame = 56,
		.cframe = 8,
		.frame_code = 32,
		.frame_back = 48,
		.frame_at = 56,
		.frame_run = 68,
		.code_file = 112,
		.code_name = 120,
		.code_line = 72,
		.code_table = 136,
		.code_bytes = 184,
		.lock = 360,
		.lock_end = 576,
		.holder = 576,
		.collecting = 848,
		COMMON,
	},
	{
		.version = 0x030c,
		.lines = PYTHON_LOCATIONS,
		.runs = PYTHON_RUN_OWNER,
		.interpreters = 40,
		.interp_next = 0,
		.interp_threads = 72,
		.thread_next = 8,
		.thread_interp = 16,
		.thread_id = 136,
		.thread_frame = 56,
		.cframe = 0,
		.frame_code = 0,
		.frame_back = 8,
		.frame_at = 56,
		.frame_run = 70,
		.code_file = 112,
		.code_name = 120,
		.code_line = 68,
		.code_table = 136,
		.code_bytes = 192,
		.object_type = 8,
		.bytes_size = 16,
		.bytes_data = 32,
		.text_length = 16,
		.text_state = 32,
		.text_ascii = 40,
		.text_compact = 56,
	},
};

/* ---- what the interpreter says of its code objects -------------------------
 */

/* The needed members of a code object, and their offsets; PYTHON_NONE if a
 * version has no such member. */
struct members {
	uint32_t file, name, line, lnotab, linetable;
	uint32_t size; /* tp_basicsize */
};

static void
take_member(struct members *members, const char *name, uint32_t offset)
{
	const struct {
		const char *name;
		uint32_t *offset;
	} wanted[] = {
		{ "co_filename", &members->file },
		{ "co_name", &members->name },
		{ "co_firstlineno", &members->line },
		{ "co_lnotab", &members->lnotab },
		{ "co_linetable", &members->linetable },
	};

	for (size_t i = 0; i < array_size(wanted); i++) {
		if (!strcmp(wanted[i].name, name))
			*wanted[i].offset = offset;
	}
}

static bool
read_members(struct reader *memory, addr_t type, struct members *ret_members)
{
	struct members members = { PYTHON_NONE, PYTHON_NONE, PYTHON_NONE,
				   PYTHON_NONE, PYTHON_NONE, 0 };
	struct peek peek = { .memory = memory };
	addr_t at = peek_u64(&peek, type + TYPE_MEMBERS);

	members.size = peek_u32(&peek, type + TYPE_BASIC_SIZE);
	for (unsigned i = 0; i < MEMBERS_MOST; i++, at += MEMBER_SIZE) {
		addr_t text = peek_u64(&peek, at);
		char name[24];

		if (!text || peek.fault)
			break;
		if (reader_cstr(memory, text, name, sizeof(name), NULL) < 0)
			return false;
		take_member(&members, name,
			    peek_u32(&peek, at + MEMBER_OFFSET));
	}
	*ret_members = members;
	return !peek.fault;
}

static bool
fits(const struct python_layout *layout, const struct members *members)
{
	uint32_t table = layout->lines == PYTHON_LNOTAB ? members->lnotab
							: members->linetable;

	if (layout->lines == PYTHON_LOCATIONS &&
	    layout->code_bytes != members->size)
		return false;
	return layout->code_file == members->file &&
	       layout->code_name == members->name &&
	       layout->code_line == members->line &&
	       layout->code_table == table;
}

/* ---- _Py_DebugOffsets ------------------------------------------------------
 */

#define COOKIE "xdebugpy"
#define NUMBERS 94u

/* For each offset, its index among the numbers of _Py_DebugOffsets. */
struct order {
	unsigned version;
	uint8_t interpreters, interp_next, interp_threads;
	uint8_t thread_next, thread_interp, thread_frame, thread_id;
	uint8_t frame_back, frame_code, frame_at, frame_run;
	uint8_t code_file, code_name, code_table, code_line, code_bytes;
	uint8_t object_type, bytes_size, bytes_data;
	uint8_t text_state, text_length, text_ascii;
};

static const struct order orders[] = {
	{
		.version = 0x030d,
		.interpreters = 4,
		.interp_next = 7,
		.interp_threads = 8,
		.thread_next = 20,
		.thread_interp = 21,
		.thread_frame = 22,
		.thread_id = 23,
		.frame_back = 28,
		.frame_code = 29,
		.frame_at = 30,
		.frame_run = 32,
		.code_file = 34,
		.code_name = 35,
		.code_table = 37,
		.code_line = 38,
		.code_bytes = 42,
		.object_type = 44,
		.bytes_size = 64,
		.bytes_data = 65,
		.text_state = 67,
		.text_length = 68,
		.text_ascii = 69,
	},
	{
		.version = 0x030e,
		.interpreters = 4,
		.interp_next = 7,
		.interp_threads = 8,
		.thread_next = 23,
		.thread_interp = 24,
		.thread_frame = 25,
		.thread_id = 26,
		.frame_back = 31,
		.frame_code = 32,
		.frame_at = 33,
		.frame_run = 35,
		.code_file = 39,
		.code_name = 40,
		.code_table = 42,
		.code_line = 43,
		.code_bytes = 47,
		.object_type = 50,
		.bytes_size = 74,
		.bytes_data = 75,
		.text_state = 77,
		.text_length = 78,
		.text_ascii = 79,
	},
};

static void
take_numbers(const uint64_t *numbers, const struct order *order,
	     struct python_layout *layout)
{
	const struct {
		uint32_t *offset;
		uint8_t number;
	} wanted[] = {
		{ &layout->interpreters, order->interpreters },
		{ &layout->interp_next, order->interp_next },
		{ &layout->interp_threads, order->interp_threads },
		{ &layout->thread_next, order->thread_next },
		{ &layout->thread_interp, order->thread_interp },
		{ &layout->thread_frame, order->thread_frame },
		{ &layout->thread_id, order->thread_id },
		{ &layout->frame_back, order->frame_back },
		{ &layout->frame_code, order->frame_code },
		{ &layout->frame_at, order->frame_at },
		{ &layout->frame_run, order->frame_run },
		{ &layout->code_file, order->code_file },
		{ &layout->code_name, order->code_name },
		{ &layout->code_table, order->code_table },
		{ &layout->code_line, order->code_line },
		{ &layout->code_bytes, order->code_bytes },
		{ &layout->object_type, order->object_type },
		{ &layout->bytes_size, order->bytes_size },
		{ &layout->bytes_data, order->bytes_data },
		{ &layout->text_state, order->text_state },
		{ &layout->text_length, order->text_length },
		{ &layout->text_ascii, order->text_ascii },
	};

	*layout = (struct python_layout){
		.version = order->version,
		.lines = PYTHON_LOCATIONS,
		.runs = PYTHON_RUN_OWNER,
		.cframe = PYTHON_NONE,
	};
	for (size_t i = 0; i < array_size(wanted); i++)
		*wanted[i].offset = (uint32_t)numbers[wanted[i].number];
	/* The head of a str that is not ASCII (PyCompactUnicodeObject) has two
	 * more words, utf8_length and utf8. */
	layout->text_compact = layout->text_ascii + 16;
}

/* Returns false if the runtime does not begin with _Py_DebugOffsets. */
static bool
read_numbers(struct reader *memory, addr_t runtime, uint64_t *numbers)
{
	char cookie[8];

	return reader_read(memory, runtime, cookie, sizeof(cookie)) == 0 &&
	       !memcmp(cookie, COOKIE, sizeof(cookie)) &&
	       reader_read(memory, runtime + sizeof(cookie), numbers,
			   NUMBERS * sizeof(*numbers)) == 0;
}

/* ---- which one it is -------------------------------------------------------
 */

static int
not_known(const char *label, unsigned version, struct err *err)
{
	if (!version)
		return err_set(err, -ENOTSUP,
			       "%s: a Python that is not known, frames of its "
			       "scripts are not shown",
			       label);
	return err_set(err, -ENOTSUP,
		       "%s: Python %u.%u is not known, frames of its scripts "
		       "are not shown",
		       label, version >> 8, version & 0xff);
}

static int
not_fitting(const char *label, unsigned version, struct err *err)
{
	return err_set(
		err, -ENOTSUP,
		"%s: is not built as Python %u.%u is known to be, frames "
		"of its scripts are not shown",
		label, version >> 8, version & 0xff);
}

static int
find_by_numbers(const uint64_t *numbers, const struct members *members,
		const char *label, struct python_layout *ret_layout,
		struct err *err)
{
	/* PY_VERSION_HEX to text: 0x030d00f0 is 3.13.0. */
	unsigned version = (unsigned)numbers[0] >> 16;

	for (size_t i = 0; i < array_size(orders); i++) {
		if (orders[i].version != version)
			continue;
		take_numbers(numbers, &orders[i], ret_layout);
		if (!fits(ret_layout, members))
			return not_fitting(label, version, err);
		return 0;
	}
	return not_known(label, version, err);
}

static int
find_in_table(unsigned version, const struct members *members,
	      const char *label, struct python_layout *ret_layout,
	      struct err *err)
{
	bool known = false;

	for (size_t i = 0; i < array_size(rows); i++) {
		if (version && rows[i].version != version)
			continue;
		known = true;
		if (!fits(&rows[i], members))
			continue;
		*ret_layout = rows[i];
		return 0;
	}
	return known && version ? not_fitting(label, version, err)
				: not_known(label, version, err);
}

int
python_layout_find(const struct python_places *places, struct reader *memory,
		   const char *label, struct python_layout *ret_layout,
		   struct err *err)
{
	struct members members;
	uint64_t numbers[NUMBERS];
	uint32_t version = 0;

	if (!places->runtime ||
	    !read_members(memory, places->code_type, &members))
		return not_known(label, 0, err);
	if (read_numbers(memory, places->runtime, numbers))
		return find_by_numbers(numbers, &members, label, ret_layout,
				       err);
	if (places->version &&
	    reader_u32(memory, places->version, &version) < 0)
		version = 0;
	return find_in_table(version >> 16, &members, label, ret_layout, err);
}
