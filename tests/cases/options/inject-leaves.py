#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--inject leaves nothing behind: xtrace leaves, is killed, or the program execs
and forks. A delay holds one thread only, for the time that it says, and ends at
once if xtrace leaves or is killed.

TIMEOUT: 60
"""
import re
import signal

import case

LONG = '600s'


def check(got, line, wanted, others):
    """Checks an answer. If `others`, another thread must have run meanwhile."""
    got, count = got.rsplit(' ', 1)
    case.equal(got, f'{line} {wanted}', line)
    case.true(not others or int(count) > 0, f'{line}: another thread ran')


def answer(subject, line, wanted, others=False):
    subject.say(line)
    check(subject.wait_for(f'{line} '), line, wanted, others)


def begin(program):
    subject = case.start(program)
    subject.wait_for('ready')
    return subject


def end(subject):
    subject.close_input()
    case.equal(subject.wait(), 0, 'the end of the program')


def results(program):
    """The results are changed while xtrace is attached, and neither before nor
    after."""
    for kill in False, True:
        subject = begin(program)
        answer(subject, 'before', '2 parent')
        tracer = case.attach(subject, '-L', '--inject', 'f:retval=-1',
                             '--inject', 'getppid@SYS:error=EPERM')
        answer(subject, 'during', '-1 none')
        answer(subject, 'fork', '2 parent')
        if kill:
            tracer.child.kill()
            tracer.wait()
        else:
            tracer.leave()
        answer(subject, 'after', '2 parent')
        if not kill:
            case.same_text(subject.pid)
        end(subject)


def delayed(program, change):
    """A delay of a minute ends at once if xtrace leaves or is killed."""
    for number in signal.SIGINT, signal.SIGKILL:
        subject = begin(program)
        tracer = case.attach(subject, '-L', '-x', 'g', '--inject',
                             f'{change}:delay={LONG}:when=1')
        subject.say('waits')
        case.until(lambda: sum(line.startswith('g(')
                               for line in tracer.calls()) > 40,
                   'the other thread runs on')
        tracer.send(number)
        check(subject.wait_for('waits '), 'waits', '2 parent', True)
        tracer.wait()
        answer(subject, 'after', '2 parent')
        end(subject)


def lasts(program):
    """A delay counts as the program's own time: it is in the durations that
    lines show."""
    subject = begin(program)
    tracer = case.attach(subject, '-L', '-T', '--inject', 'f:delay=200ms',
                         '--inject', 'getppid@SYS:delay=300ms')
    answer(subject, 'one', '2 parent', True)
    answer(subject, 'two', '2 parent', True)
    tracer.leave()
    for name, least in (r'f', 0.2), (r'getppid@SYS', 0.3):
        times = [float(time) for time in re.findall(
            rf'^{name}\(.*\) += \w+ \(DELAYED\) <([\d.]+)>$',
            '\n'.join(tracer.calls()), re.M)]
        # xtrace takes the time of a stop off the duration: some microseconds.
        case.true(len(times) == 2 and min(times) > 0.99 * least,
                  f'the delays of {name}: {tracer.calls()}')
    end(subject)


def execs(program):
    """An exec does not start the counts anew."""
    tracer = case.trace('-L', '--inject', 'f:retval=-1:when=1', command=[
        '/bin/sh', '-c', 'exec "$0"', program])
    tracer.child.wait_for('ready')
    answer(tracer.child, 'first', '-1 parent')
    answer(tracer.child, 'second', '2 parent')
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
