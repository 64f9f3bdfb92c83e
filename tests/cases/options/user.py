#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""-u: the command runs as that user and with that user's groups. xtrace still
writes the trace with its own rights.

NEEDS: root
"""
import case


def test():
    wanted = case.untraced('/usr/bin/id', 'nobody')[1]
    for option in (['-u', 'nobody'], ['--user=nobody']):
        run = case.start(case.XTRACE, *option, '-x', 'getgroups', '-o',
                         'trace', '--', '/usr/bin/id')
        case.equal(run.wait(), 0, f'status: {run.err}')
        case.equal(run.err, '', 'stderr')
        case.equal(run.out, wanted, 'the user of the command')
        case.contains((case.FOLDER / 'trace').read_text().splitlines(),
                      'getgroups(%any) = %any', '+++ exited (status 0) +++')


case.main(test)
