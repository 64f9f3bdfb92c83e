/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads and processes begin and end: clone, fork, vfork, exec, exit. */
#ifndef TRACER_LIVES_BIRTH_H
#define TRACER_LIVES_BIRTH_H

#include "tracer/model/session.h"

/* Handles STOP_CLONE, STOP_FORK, STOP_VFORK of stop->thread and resumes it. */
void birth_of_task(struct session *session, const struct stop *stop);
/* A newborn that no event has announced is held at its first stop. True if
 * the memory or actions that it shares with others identify it; it is then
 * resumed. */
bool birth_unannounced(struct session *session, pid_t tid);
void birth_exec(struct session *session, const struct stop *stop);
void birth_gone(struct session *session, const struct stop *stop);
/* xtrace no longer traces the thread. With a process's last thread its process
 * and program are forgotten, too. */
void birth_forget(struct session *session, struct thread *thread);

#endif
