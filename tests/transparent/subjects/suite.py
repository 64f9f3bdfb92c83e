# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs tests of Python's own suite, by name, and says how each went."""
import sys
import unittest

sys.path.pop(0)
with open('gate') as gate:
    gate.read()
unittest.main(module=None, argv=['suite', '-v', '-b', *sys.argv[1:]])
