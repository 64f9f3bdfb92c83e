/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The watcher is a process of its own that does nothing while we live. When we
 * are gone without having left properly it puts the bytes back, so that the
 * handler in the tracee, which bears each trap until then, is at rest.
 */
#ifndef BREAKPOINTS_OUTLIVE_WATCHER_H
#define BREAKPOINTS_OUTLIVE_WATCHER_H

#include "arch/arch.h"
#include "base/addr.h"
#include "base/attr.h"

#include <stdint.h>
#include <sys/types.h>

struct watcher;

/* Starts it, before anything is attached to. NULL where that is not possible:
 * then there is none, and all of this accepts NULL. */
struct watcher *watcher_start(void);
/* We leave properly: it ends, which is waited for, and does nothing. Frees. */
void watcher_dismiss(struct watcher *watcher);
/* We trace no more, but have not left properly: it does its work now. A last
 * act may call this. */
void watcher_alarm(struct watcher *watcher);

/* A trap stands in pid: a number to give back, 0 where there is no room.
 * original: the bytes from before, as many as the trap has. */
uint32_t watcher_note(struct watcher *watcher, pid_t pid, addr_t address,
		      const struct arch_trap *trap, const uint8_t *original);
/* It stands no more, or is not ours any more. 0 is allowed. */
void watcher_forget(struct watcher *watcher, uint32_t number);

#endif
