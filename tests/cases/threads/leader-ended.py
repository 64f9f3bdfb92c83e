#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Attaches to a process whose leader has ended, by each way to attach.

NEEDS: plain
TIMEOUT: 120
"""
import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'torture'))

import case                                                 # noqa: E402
import child                                                # noqa: E402
import torture                                              # noqa: E402


def living(pid):
    for tid in child.threads(pid):
        if tid != pid:
            return tid
    return pid


def begin(program):
    subject = case.start(program, pathlib.Path(program).parent / 'libplug.so')
    subject.wait_for('ready')
    ended(subject)
    return subject


def ended(subject):
    case.until(lambda: child.status_field(f'/proc/{subject.pid}/status',
                                          'State').startswith('Z'),
               'the leader has ended')


def until_line(tracer, text, many=1):
    case.until(lambda: sum(text in line for line in tracer.lines()) >= many or
               not tracer.child.alive(), f'{many} lines have {text}')
    case.true(tracer.child.alive(), f'xtrace lives: {tracer.child.err}')


def attach(subject, functions):
    tracer = case.Tracer(['-x', functions, '-p', str(subject.pid)])
    until_line(tracer, 'f(', 100)
    return tracer


def nothing_left(subject):
    case.true(subject.alive(), 'it lives')
    faults, homes = torture.text_changes(living(subject.pid))
    case.equal(faults + homes, [], 'what is left')


def leave(subject, tracer):
    tracer.leave()
    case.equal(tracer.says(), [], 'what xtrace says')
    nothing_left(subject)


def attach_and_leave(subject):
    tracer = attach(subject, 'f+g*')
    subject.say('load')
    subject.wait_for('loaded')
    until_line(tracer, ' g(41')
    leave(subject, tracer)


def killed(subject):
    tracer = attach(subject, 'f')
    tracer.send(signal.SIGKILL)
    tracer.wait(137)
    case.until(lambda: not torture.text_changes(living(subject.pid))[0],
               'the watcher has put the bytes back')
    attach_and_leave(subject)


def exec_of_another(subject):
    tracer = attach(subject, 'f')
    subject.say('exec')
    subject.wait_for('ready')
    ended(subject)
    before = len(tracer.lines())
    case.until(lambda: len(tracer.lines()) > before + 100, 'calls go on')
    leave(subject, tracer)
    attach_and_leave(subject)


def end(subject):
    tracer = attach(subject, 'f')
    subject.say('end')
    tracer.wait(0)
    case.true('+++ exited (status 5) +++' in tracer.lines()[-1],
              f'the end is told: {tracer.lines()[-3:]}')
    case.finish(subject, 5)


def dump(subject):
    tracer = case.Tracer(['--dump', '-p', str(subject.pid)], to_file=False)
    tracer.wait(0)
    case.true('listen_to' in tracer.child.out + tracer.child.err,
              'the stack of the one that reads is there')


def test():
    program = case.build('leader-ended.c')
    subject = begin(program)
    attach_and_leave(subject)
    killed(subject)
    dump(subject)
    exec_of_another(subject)
    end(subject)


case.main(test)
