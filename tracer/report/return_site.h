/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sites at return addresses, and how many calls wait to return there. */
#ifndef TRACER_REPORT_RETURN_SITE_H
#define TRACER_REPORT_RETURN_SITE_H

#include "tracer/report/report.h"

/* 0, and the call is counted at the site; -ENOTSUP where the return cannot be
 * watched; -ESRCH. */
must_check int return_site_await(struct hit *hit, addr_t address);
/* A call that was counted there is over. */
void return_site_no_more(struct program *program, addr_t address);

#endif
