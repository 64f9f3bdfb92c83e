/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The offsets of fields in CPython's structures, by version: 3.7 to 3.12 from a
 * table, from 3.13 on from the interpreter itself (_Py_DebugOffsets). Both are
 * used only if they agree with the running interpreter's own table of the
 * members of a code object (PyCode_Type.tp_members).
 */
#ifndef STACKS_PYTHON_LAYOUT_H
#define STACKS_PYTHON_LAYOUT_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stdint.h>

enum python_lines {
	PYTHON_LNOTAB,	  /* used up to 3.9 */
	PYTHON_LINETABLE, /* 3.10 */
	PYTHON_LOCATIONS, /* used from 3.11 on */
};

/* Which frames are the outermost of a run of the evaluation loop. */
enum python_runs {
	PYTHON_RUN_EACH, /* up to 3.10: every frame is outermost in its run */
	PYTHON_RUN_FLAG, /* 3.11: a frame with is_entry is outermost */
	/* from 3.12 on: a frame is outermost if the frame below it is owned by
	 * the C stack */
	PYTHON_RUN_OWNER,
};

#define PYTHON_NONE UINT32_MAX

struct python_layout {
	unsigned version; /* 0x030b for 3.11; the first version if a row is for
			   * two */
	enum python_lines lines;
	enum python_runs runs;
	/* Offsets of the fields that a walk needs. */
	uint32_t interpreters; /* _PyRuntime: the list's head */
	uint32_t interp_next, interp_threads;
	uint32_t thread_next, thread_interp, thread_id;
	uint32_t thread_frame; /* a frame, or a _PyCFrame if cframe is set */
	/* offset of the frame in a _PyCFrame, or PYTHON_NONE */
	uint32_t cframe;
	uint32_t frame_code, frame_back, frame_at, frame_run;
	uint32_t code_file, code_name, code_line, code_table, code_bytes;
	uint32_t object_type;
	uint32_t bytes_size, bytes_data;
	uint32_t text_length, text_state, text_ascii, text_compact;
	/*
	 * _PyRuntime: the lock (GIL) and its end, and the thread state of the
	 * holder. An interpreter: is garbage collected? All 0 if they are not
	 * known for the version.
	 */
	uint32_t lock, lock_end, holder, collecting;
};

/* The addresses of symbols in the module with the interpreter. */
struct python_places {
	addr_t runtime;	  /* _PyRuntime, or 0 */
	addr_t code_type; /* PyCode_Type */
	addr_t version;	  /* Py_Version (from 3.11), or 0 */
};

/* Finds the offsets for the running interpreter. Returns 0; or -ENOTSUP and a
 * message that begins with label, if the version is not known. */
must_check int python_layout_find(const struct python_places *places,
				  struct reader *memory, const char *label,
				  struct python_layout *ret_layout,
				  struct err *err);

#endif
