#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""C++ throw and catch, Rust panics, Ruby throw, raise and fibers, Perl die,
PHP's bailout, Lua errors and coroutines, greenlets, longjmp, contexts and
cancelled threads: support/leaving.py has what the trace must show of each.
Here each program makes thousands of calls, in many.py many more.

TIMEOUT: 600
"""
import case
import leaving

case.main(lambda: leaving.run(1000, 5000))
