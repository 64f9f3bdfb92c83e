#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""C++ throw and catch, Rust panics, Ruby throw, raise and fibers, Perl die,
PHP's bailout, Lua errors and coroutines, greenlets, longjmp, contexts and
cancelled threads: leaving.py says what is shown of each. Thousands of calls
here, a million in million.py.

TIMEOUT: 600
"""
import case
import leaving

case.main(lambda: leaving.run(1000, 5000))
