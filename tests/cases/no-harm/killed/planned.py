#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is killed after it has mapped a region of slots and before the
handler area names the region. A later xtrace finds the region all the same,
and leaves nothing. A debugger kills the first xtrace at this moment.

NEEDS: gdb plain
TIMEOUT: 120
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'torture'))

import case                                                 # noqa: E402
import debugger                                             # noqa: E402
import later                                                # noqa: E402
import torture                                              # noqa: E402

SCRIPT = '''break survive_regions
run
shell touch mapped
kill
'''


def ours(subject):
    return torture.text_changes(subject.pid)[1]


def test():
    subject = case.start(case.build('../../leave/support/loop.c'))
    subject.wait_for('ready')
    tracer = case.Tracer(['-e', '*', '-x', '*', '-p', str(subject.pid)],
                         program=debugger.runs(SCRIPT))
    tracer.wait()
    case.true((case.FOLDER / 'mapped').exists(), 'a region was mapped')
    case.true(len(ours(subject)) > 1, f'it is left: {ours(subject)}')
    later.leave(later.attach(subject.pid), subject.pid)
    case.equal(ours(subject), [], 'mappings of xtrace')
    case.same_text(subject.pid)
    subject.say('stop')
    case.finish(subject, 3)


case.main(test)
