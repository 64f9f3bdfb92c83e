#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Follows the way to the stacks of a language in CONTRIBUTING.md.

NEEDS: plain gcc make nm clang-format
TIMEOUT: 300
"""
import case
import walking

case.main(lambda: walking.walk("A language's stacks"))
