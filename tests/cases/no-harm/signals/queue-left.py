#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Real-time signals arrive in order, none lost and none twice, each with its
siginfo. This is also true if xtrace attaches to a thread, leaves it, or is
killed while it traces the thread: the signal at which the thread is stopped at
that moment is delivered, too.

NEEDS: plain
TIMEOUT: 120
"""
import signal

import case

ROUNDS = 16


def test():
    subject = case.start(case.build('queue-left.c'))
    subject.wait_for('ready')
    for number in range(ROUNDS):
        tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
        case.until(lambda: sum('--- SIGRT' in row for row in tracer.lines()) >
                   10 * (number % 4) or not tracer.child.alive(),
                   'signals are seen')
        case.true(tracer.child.alive(), tracer.child.err)
        if number % 2:
            tracer.send(signal.SIGKILL)
            tracer.wait(128 + signal.SIGKILL)
        else:
            tracer.leave()
            case.same_text(subject.pid)
        case.true(subject.alive(), f'alive after round {number}')
        tracer.path.unlink()
    subject.say('stop')
    case.finish(subject)
    case.true('each once, in order' in subject.out, subject.out)


case.main(test)
