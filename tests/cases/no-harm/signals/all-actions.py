#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A loop calls sigaction() for each signal at one place. The call for SIGTRAP
has a trap at its return. Except for the next call, no other call stops there.
"""
import re

import case

CALLS = 6 * 31


def test():
    program = case.build('all_actions.c')
    tracer = case.start(case.XTRACE, '--stats', '-x', 'nothing', '-o',
                        'trace', '--', program)
    case.equal(tracer.wait(), 0, f'status: {tracer.err}')
    stops = int(re.search(r'stops:.* trap (\d+)', tracer.err).group(1))
    # Each call of sigaction() stops at its entry. The six calls for SIGTRAP
    # also stop at their return, and so does the call after each of them:
    # xtrace then removes that trap.
    case.true(CALLS <= stops < CALLS + 60, f'{stops} stops: {tracer.err}')


case.main(test)
