/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The route of a path is what paths have in common that differ only in numbers:
 * "/books/17/page" and "/books/4/page" become "/books/" with "*" for the
 * number, and "/page".
 */
#ifndef VALUES_ROUTE_H
#define VALUES_ROUTE_H

#include "base/str.h"

/* Adds the route; a query string is added as it is. */
void route_add(struct str *to, const char *path);

#endif
