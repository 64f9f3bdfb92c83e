/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The watcher is a separate process that does nothing while xtrace runs. If
 * xtrace ends without leaving properly, the watcher restores the original
 * bytes. Until then the handler in the tracee handles each trap.
 */
#ifndef BREAKPOINTS_OUTLIVE_WATCHER_H
#define BREAKPOINTS_OUTLIVE_WATCHER_H

#include "arch/arch.h"
#include "arch/jump.h"
#include "base/addr.h"
#include "base/attr.h"

#include <stdint.h>
#include <sys/types.h>

struct watcher;

/* Starts the watcher, before we attach to anything. NULL if that is not
 * possible; all functions of this header accept NULL. */
struct watcher *watcher_start(void);
/* watcher_tracing(): the calling thread traces from now on. If it ends before
 * it calls watcher_traced(), the watcher restores the bytes, even before the
 * kernel releases the tracees. */
void watcher_tracing(struct watcher *watcher);
void watcher_traced(struct watcher *watcher);
/* We leave properly: ends the watcher without any action, waits for its end,
 * and frees the memory. */
void watcher_dismiss(struct watcher *watcher);
/* We have stopped tracing without leaving properly: makes the watcher restore
 * the bytes now. A last act may call this. */
void watcher_alarm(struct watcher *watcher);

/* Notes a trap in pid. original: the bytes that the trap replaces.
 * Returns the number for watcher_forget(), 0 if there is no room. */
uint32_t watcher_note(struct watcher *watcher, pid_t pid, addr_t address,
		      const struct arch_trap *trap, const uint8_t *original);
/* Notes that the trap with this number will become a jump, or may have become
 * one. Call this before the jump's first byte is written. */
void watcher_note_jump(struct watcher *watcher, uint32_t number,
		       const struct jump *jump);
/* Notes that the jump of this trap is a trap again. number may be 0. */
void watcher_forget_jump(struct watcher *watcher, uint32_t number);
/* Removes the note of a trap that was lifted or is not ours any more. number
 * may be 0. */
void watcher_forget(struct watcher *watcher, uint32_t number);

/*
 * Notes a semaphore (breakpoints/semaphores.h) whose probe has a trap at site.
 * Returns its number, 0 if there is no room. The watcher counts the semaphore
 * down only if this trap is still planted, because then the process runs the
 * same program.
 */
uint32_t watcher_note_semaphore(struct watcher *watcher, pid_t pid,
				addr_t address, addr_t site,
				const struct arch_trap *trap);
/* Call this before the semaphore is counted up or down. raised is the value of
 * the semaphore while xtrace has counted it up. number may be 0. */
void watcher_semaphore_changes(struct watcher *watcher, uint32_t number,
			       uint16_t raised);
/* Removes the note of a semaphore that was counted down or is not ours any
 * more. number may be 0. */
void watcher_forget_semaphore(struct watcher *watcher, uint32_t number);

#endif
