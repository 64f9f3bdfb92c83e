# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs tests of Python's own suite, by name, and says how each went. Those
that are not installed lie in the folder that MORE_TESTS names."""
import os
import sys
import test
import unittest

sys.path.pop(0)
if 'MORE_TESTS' in os.environ:
    test.__path__.append(os.environ['MORE_TESTS'])
with open('gate') as gate:
    gate.read()
unittest.main(module=None, argv=['suite', '-v', '-b', *sys.argv[1:]])
