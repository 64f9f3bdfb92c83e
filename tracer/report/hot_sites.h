/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What --stats tells of the sites that were hot: whether each has got a jump,
 * why not, and how many threads have stopped there since.
 */
#ifndef TRACER_REPORT_HOT_SITES_H
#define TRACER_REPORT_HOT_SITES_H

struct hit;
struct hot_sites;
struct session;
struct site;

struct hot_sites *hot_sites_new(void);
void hot_sites_free(struct hot_sites *sites);

/* Notes the hit's site, which was hot. If `why` is NULL, the site has got a
 * jump; otherwise `why` says why it has none. Does nothing without --stats. */
void hot_sites_note(struct hit *hit, const char *why);
/* The site has lost its jump, because its boundaries have trapped too often. */
void hot_sites_given_up(struct session *session, const struct site *site);
/* A thread has stopped at the site. */
void hot_sites_stopped(struct session *session, const struct site *site);

/* Prints the sites at which most threads have stopped. */
void hot_sites_say(const struct session *session);

#endif
