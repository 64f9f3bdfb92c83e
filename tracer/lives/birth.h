/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads and processes come and go: clone, fork, vfork, exec, the end.
 */
#ifndef TRACER_LIVES_BIRTH_H
#define TRACER_LIVES_BIRTH_H

#include "tracer/model/session.h"

/* STOP_CLONE, STOP_FORK, STOP_VFORK of stop->thread; sends it on. */
void birth_of_task(struct session *session, const struct stop *stop);
/* A newborn of which no event tells, held at its first stop: true where it is
 * known by what it shares with others, and goes on. */
bool birth_unannounced(struct session *session, pid_t tid);
void birth_exec(struct session *session, const struct stop *stop);
void birth_gone(struct session *session, const struct stop *stop);
/* The thread is not ours any more; with the last of them its process and
 * program are forgotten, too. */
void birth_forget(struct session *session, struct thread *thread);

#endif
