/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of threads and processes: two maps, by tid and by pid, and a list
 * of threads in each process. Nothing here makes a system call.
 */
#include "process/thread.h"

#include "base/xmalloc.h"
#include "process/space.h"

#include <assert.h>
#include <stdlib.h>

void
table_init(struct table *table)
{
	*table = (struct table){ 0 };
	map_init(&table->threads);
	map_init(&table->processes);
	cpu_init(&table->cpu);
	delays_init(&table->delays);
}

void
table_release(struct table *table)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&table->threads, &cursor, NULL, &item)) {
		free(((struct thread *)item)->given_up);
		free(item);
	}
	cursor = 0;
	while (map_next(&table->processes, &cursor, NULL, &item)) {
		space_unref(((struct process *)item)->space);
		free(item);
	}
	map_release(&table->threads);
	map_release(&table->processes);
	vec_release(&table->everyone);
	vec_release(&table->busy);
	vec_release(&table->kept);
	vec_release(&table->delayed);
	cpu_release(&table->cpu);
	delays_release(&table->delays);
}

struct thread *
table_thread(const struct table *table, pid_t tid)
{
	return map_get(&table->threads, (uint64_t)tid);
}

struct process *
table_process(const struct table *table, pid_t pid)
{
	return map_get(&table->processes, (uint64_t)pid);
}

bool
table_empty(const struct table *table)
{
	return table->everyone.count == 0;
}

bool
table_hurried(const struct table *table)
{
	return table->hurry && atomic_load(table->hurry);
}

struct process *
process_add(struct table *table, pid_t pid, struct space *space)
{
	struct process *process = xcalloc(1, sizeof(*process));

	assert(!table_process(table, pid));
	process->pid = pid;
	process->space = space;
	list_init(&process->threads);
	map_put(&table->processes, (uint64_t)pid, process);
	return process;
}

struct thread *
thread_add(struct table *table, struct process *process, pid_t tid)
{
	struct thread *thread = xcalloc(1, sizeof(*thread));

	assert(!table_thread(table, tid));
	thread->tid = tid;
	thread->process = process;
	list_append(&process->threads, &thread->sibling);
	process->thread_count++;
	map_put(&table->threads, (uint64_t)tid, thread);
	thread->place = table->everyone.count;
	vec_push(&table->everyone, thread);
	return thread;
}

/* Removes the thread from the lists of process/wait. In table->everyone, the
 * last thread of the list moves to its place. */
static void
lose_turn(struct table *table, struct thread *thread)
{
	struct thread *last = table->everyone.at[table->everyone.count - 1];

	table->everyone.at[thread->place] = last;
	last->place = thread->place;
	table->everyone.count--;
	for (size_t i = 0; i < table->busy.count && thread->busy; i++) {
		if (table->busy.at[i] != thread)
			continue;
		vec_remove(&table->busy, i);
		return;
	}
}

bool
thread_remove(struct table *table, struct thread *thread)
{
	struct process *process = thread->process;

	list_remove(&thread->sibling);
	map_remove(&table->threads, (uint64_t)thread->tid);
	lose_turn(table, thread);
	free(thread->given_up);
	free(thread);
	return process_release(table, process);
}

struct pids
table_tids(const struct table *table, const struct process *process)
{
	struct pids tids = { 0 };

	for (size_t i = 0; !process && i < table->everyone.count; i++)
		vec_push(&tids.list, table->everyone.at[i]->tid);
	if (!process)
		return tids;
	list_each(link, after, &process->threads) {
		const struct thread *thread =
			list_item(link, struct thread, sibling);

		vec_push(&tids.list, thread->tid);
	}
	return tids;
}

struct thread *
process_speaker(const struct table *table, const struct process *process)
{
	struct thread *leader = table_thread(table, process->pid);

	return leader ? leader
		      : list_item(process->threads.next, struct thread,
				  sibling);
}

void
process_hold(struct process *process)
{
	process->thread_count++;
}

bool
process_release(struct table *table, struct process *process)
{
	assert(process->thread_count > 0);
	if (--process->thread_count > 0)
		return false;
	assert(list_empty(&process->threads));
	map_remove(&table->processes, (uint64_t)process->pid);
	space_unref(process->space);
	free(process);
	return true;
}

void
thread_has_stopped(struct thread *thread)
{
	thread->state = THREAD_STOPPED;
	thread->regs_state = REGS_UNKNOWN;
	thread->vregs_known = false;
	/* Any stop consumes an interrupt (kernel/signal.c, ptrace_stop). */
	thread->asked = false;
	thread->asked_state = 0;
	thread->trap_comes = false;
	thread->handed_sp = 0;
}

void
thread_rename(struct table *table, struct thread *thread, pid_t tid)
{
	assert(!table_thread(table, tid));
	map_remove(&table->threads, (uint64_t)thread->tid);
	thread->tid = tid;
	map_put(&table->threads, (uint64_t)tid, thread);
	thread_has_stopped(thread);
}

void
process_set_space(struct process *process, struct space *space)
{
	space_unref(process->space);
	process->space = space;
}
