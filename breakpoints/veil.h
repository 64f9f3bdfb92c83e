/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The veil shows the original bytes, without our traps, to every reader of a
 * space.
 */
#ifndef BREAKPOINTS_VEIL_H
#define BREAKPOINTS_VEIL_H

#include "breakpoints/sites.h"

void veil_init(struct sites *sites);

#endif
