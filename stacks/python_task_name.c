/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event loop of asyncio calls Handle._run() for each callback. That of a
 * task is the task's first step, or what wakes it up:
 *
 *	Handle			self._callback, a member of __slots__
 *	TaskStepMethWrapper	16: the task
 *	a method in C		24: the task
 *	a task			anywhere: its coroutine, and then its name
 *
 * (Lib/asyncio/events.py, Modules/_asynciomodule.c and
 * Include/cpython/methodobject.h of 3.11.) uvloop has no such frames.
 */
#include "stacks/python_task_name.h"

#include "base/arena.h"

#include <ctype.h>
#include <string.h>

#define FILE_END "/asyncio/events.py"
#define STEP_TASK 16
#define METHOD_SELF 24
#define TASK_BEGIN 16
#define TASK_SIZE_MOST 512u
#define DEFAULT_NAME "Task-"

static bool
ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), wanted = strlen(end);

	return length >= wanted && !strcmp(text + length - wanted, end);
}

static bool
runs_callback(const struct frame *frame)
{
	return frame->file && frame->function &&
	       ends_with(frame->file, FILE_END) &&
	       (!strcmp(frame->function, "_run") ||
		ends_with(frame->function, "Handle._run"));
}

/* The task whose callback it is, or 0. */
static addr_t
task_of(struct python_memory *memory, addr_t callback)
{
	addr_t task = 0;

	if (python_is(memory, callback, "TaskStepMethWrapper"))
		task = peek_u64(memory->peek, callback + STEP_TASK);
	else if (python_is(memory, callback, "builtin_function_or_method"))
		task = peek_u64(memory->peek, callback + METHOD_SELF);
	return task && python_is(memory, task, "Task") &&
			       !peek_failed(memory->peek)
		       ? task
		       : 0;
}

static bool
is_coroutine(struct python_memory *memory, addr_t object)
{
	bool is = object && object % 8 == 0 &&
		  (python_is(memory, object, "coroutine") ||
		   python_is(memory, object, "generator"));

	return !peek_failed(memory->peek) && is;
}

/* The str with the name of the task, or 0. */
static addr_t
name_of(struct python_memory *memory, addr_t task)
{
	uint64_t size = python_size(memory, task);

	if (size > TASK_SIZE_MOST)
		return 0;
	for (uint64_t at = TASK_BEGIN; at + 16 <= size; at += 8)
		if (is_coroutine(memory, peek_u64(memory->peek, task + at)))
			return peek_u64(memory->peek, task + at + 8);
	return 0;
}

/* Does asyncio name tasks so that have no name? */
static bool
is_default(const char *name)
{
	if (strncmp(name, DEFAULT_NAME, strlen(DEFAULT_NAME)) != 0)
		return false;
	for (name += strlen(DEFAULT_NAME); isdigit((unsigned char)*name);)
		name++;
	return !*name;
}

/* A character of the text may have several bytes. It is stored whole or not. */
static void
copy_name(const struct statement_text *text, char *to, size_t most)
{
	size_t length = text->length;

	if (length >= most) {
		length = most - 1;
		while (length > 0 &&
		       ((unsigned char)text->bytes[length] & 0xc0) == 0x80)
			length--;
	}
	memcpy(to, text->bytes, length);
	to[length] = '\0';
}

bool
python_task_name(struct python_memory *memory, const struct frame *frame,
		 char *to, size_t most)
{
	struct statement_text text;
	struct arena arena;
	addr_t self, task = 0, name;

	if (!runs_callback(frame))
		return false;
	self = python_local_named(memory, frame->at, "self");
	if (self)
		task = task_of(memory,
			       python_member(memory, self, "_callback"));
	name = task ? name_of(memory, task) : 0;
	to[0] = '\0';
	arena_init(&arena);
	if (name && python_characters(memory, name, most, &arena, &text))
		copy_name(&text, to, most);
	arena_release(&arena);
	if (is_default(to))
		to[0] = '\0';
	return !peek_failed(memory->peek) && task;
}
