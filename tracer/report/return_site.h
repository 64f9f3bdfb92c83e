/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sites at return addresses, and how many calls wait to return to each. */
#ifndef TRACER_REPORT_RETURN_SITE_H
#define TRACER_REPORT_RETURN_SITE_H

#include "tracer/report/report.h"

/* Makes sure that a return site is planted at the address, and counts a call
 * that will return there. Returns 0, -ENOTSUP if the return cannot be watched,
 * or -ESRCH. */
must_check int return_site_await(struct hit *hit, addr_t address);
/*
 * A forked child has inherited a call with this return address: counts the call
 * there. Returns false if no trap is planted at this address.
 */
bool return_site_shared(struct program *program, addr_t address);
/* A call that was counted at the site has ended. */
void return_site_no_more(struct program *program, addr_t address);

#endif
