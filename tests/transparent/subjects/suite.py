# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs tests of Python's own suite, by name, and prints the result of each.
Tests that are not installed are in the folder MORE_TESTS.
"""
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
