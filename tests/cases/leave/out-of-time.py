#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The time to leave is over when every thread is restored, as on a busy
machine: xtrace unmaps nothing, says nothing, and a later xtrace removes what
stays. A debugger ends the time.

NEEDS: gdb plain
TIMEOUT: 120
"""
import case
import debugger

SCRIPT = '''break program_clean
run
set variable program->session->table.deadline = 1
shell touch late
delete
continue
'''


def come_again(subject):
    """One more xtrace traces the program, and leaves. True if no memory of
    xtrace stays."""
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
    case.until(tracer.lines, 'something is traced')
    tracer.leave()
    return not case.own_memory(subject.pid)


def test():
    subject = case.start(case.build('loop.c'))
    subject.wait_for('ready')
    tracer = case.Tracer(['-x', 'f', '--duration', '1s', '-p',
                          str(subject.pid)], program=debugger.runs(SCRIPT))
    tracer.wait(0)
    case.true((case.FOLDER / 'late').exists(), 'the time was over')
    case.true('xtrace: ' not in tracer.child.out, tracer.child.out)
    case.true(case.own_memory(subject.pid), 'memory of xtrace stays')
    case.same_text(subject.pid)
    # A busy machine may leave too little time to this xtrace, too.
    case.until(lambda: come_again(subject), 'a later xtrace removes it')
    case.same_text(subject.pid)
    subject.say('stop')
    case.finish(subject, 3)


case.main(test)
