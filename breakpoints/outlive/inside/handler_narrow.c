/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The SIGTRAP handler of 32-bit programs: the same handler, compiled once more.
 * GNUmakefile lets the compiler make 32-bit code of this file, and assembles
 * that code into a 64-bit object, which is linked with xtrace but never
 * runs there. It is copied into the program as bytes.
 */
/* NOLINTNEXTLINE(bugprone-suspicious-include) */
#include "breakpoints/outlive/inside/handler.c"
