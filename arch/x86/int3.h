/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trap of programs for both kinds of CPU: int3, which is one byte (Intel
 * SDM 2, "INT n/INTO/INT3/INT1"). */
#ifndef ARCH_X86_INT3_H
#define ARCH_X86_INT3_H

#define INT3 0xcc

#endif
