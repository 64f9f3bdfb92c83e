#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--inject leaves nothing behind: xtrace leaves, is killed, or the program execs
and forks. A delay holds one thread only, for the time that it says, and ends at
once if xtrace leaves or is killed.
"""
import re
import signal

import case

LONG = '60s'


def answer(subject, line, wanted):
    subject.say(line)
    case.equal(subject.wait_for(f'{line} '), f'{line} {wanted}', line)


def begin(program):
    subject = case.start(program)
    subject.wait_for('ready')
    return subject


def end(subject):
    subject.close_input()
    case.equal(subject.wait(), 0, 'the end of the program')


def results(program):
    """Changed while xtrace is attached, and neither before nor after."""
    for kill in False, True:
        subject = begin(program)
        answer(subject, 'before', '2 parent at once')
        tracer = case.attach(subject, '-L', '--inject', 'f:retval=-1',
                             '--inject', 'getppid@SYS:error=EPERM')
        answer(subject, 'during', '-1 none at once')
        answer(subject, 'fork', '2 parent at once')
        if kill:
            tracer.child.kill()
            tracer.wait()
        else:
            tracer.leave()
        answer(subject, 'after', '2 parent at once')
        if not kill:
            case.same_text(subject.pid)
        end(subject)


def delayed(program, change):
    """Without --inject's end the program would wait for a minute."""
    for number in signal.SIGINT, signal.SIGKILL:
        subject = begin(program)
        tracer = case.attach(subject, '-L', '-x', 'g', '--inject',
                             f'{change}:delay={LONG}:when=1')
        subject.say('waits')
        case.until(lambda: sum(line.startswith('g(')
                               for line in tracer.calls()) > 40,
                   'the other thread runs on')
        tracer.send(number)
        case.equal(subject.wait_for('waits'), 'waits 2 parent others ran',
                   f'{change}, {number}')
        tracer.wait()
        answer(subject, 'after', '2 parent at once')
        end(subject)


def lasts(program):
    """The time of the delay is the program's, in lines as for itself."""
    subject = begin(program)
    tracer = case.attach(subject, '-L', '-T', '--inject', 'f:delay=200ms',
                         '--inject', 'getppid@SYS:delay=300ms')
    answer(subject, 'one', '2 parent others ran')
    answer(subject, 'two', '2 parent others ran')
    tracer.leave()
    for name, least in (r'f', 0.2), (r'getppid@SYS', 0.3):
        times = [float(time) for time in re.findall(
            rf'^{name}\(.*\) += \d+ \(DELAYED\) <([\d.]+)>$',
            '\n'.join(tracer.calls()), re.M)]
        case.true(len(times) == 2 and min(times) >= least,
                  f'the delays of {name}: {tracer.calls()}')
    end(subject)


def execs(program):
    """An exec does not start the counts anew."""
    tracer = case.trace('-L', '--inject', 'f:retval=-1:when=1', command=[
        '/bin/sh', '-c', 'exec "$0"', program])
    tracer.child.wait_for('ready')
    answer(tracer.child, 'first', '-1 parent at once')
    answer(tracer.child, 'second', '2 parent at once')
    tracer.child.close_input()
    tracer.wait(0)


def test():
    program = case.build('inject.c')
    results(program)
    delayed(program, 'f')
    delayed(program, 'getppid@SYS')
    lasts(program)
    execs(program)


case.main(test)
