#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is told to leave while it reads the modules of the process to which it
attaches. It does not read the rest of them, and plants nothing: traps in the
program alone, without guards in the C library, would unblock SIGTRAP in a
thread that blocks it. A debugger tells xtrace to leave at this moment.

NEEDS: gdb plain
TIMEOUT: 60
"""
import case
import debugger

SCRIPT = '''set breakpoint pending on
break modules_attach
run
delete
set var program->session->clockwork->leave = 1
shell touch told
break inject_and_plant
commands
silent
shell touch planted
continue
end
continue
'''


def test():
    subject = case.start(case.build('loop.c'))
    subject.wait_for('ready')
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)],
                         program=debugger.runs(SCRIPT))
    tracer.wait()
    case.true((case.FOLDER / 'told').exists(), 'xtrace was told to leave')
    case.true(not (case.FOLDER / 'planted').exists(), 'it plants nothing')
    case.same_text(subject.pid)
    subject.say('stop')
    case.finish(subject, 3)


case.main(test)
