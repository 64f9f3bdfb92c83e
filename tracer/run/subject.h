/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is traced, as a text for a title. */
#ifndef TRACER_RUN_SUBJECT_H
#define TRACER_RUN_SUBJECT_H

struct options;

/* The command line of the command, or of the only process of -p, cut if it is
 * long; NULL if there are several. The caller frees it. */
char *subject_text(const struct options *options);

#endif
