/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The veil shows every reader of a space the bytes from before our traps.
 */
#ifndef BREAKPOINTS_VEIL_H
#define BREAKPOINTS_VEIL_H

#include "breakpoints/sites.h"

void veil_init(struct sites *sites);

#endif
