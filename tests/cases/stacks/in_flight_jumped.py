#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A call in flight of a function that has jumped to another one and has no
frame any more: xtrace finds it by its caller, shows its arguments, and sees
its return. This holds also at a second attach, with a poll() that the first
attach has interrupted.

TIMEOUT: 90
"""
import pathlib

import case


IN_FLIGHT = 'left("SELECT 2", %hex, 43 <in flight ...>'
POLL, RESTART_SYSCALL = 7, 219


def attach(subject, options):
    tracer = case.attach(subject, '-F', str(case.FOLDER / 'p.conf'), '-T',
                         *options)
    case.until(lambda: tracer.calls() or not tracer.child.alive(), 'a line')
    return tracer


def run(variant, options):
    (case.FOLDER / 'p.conf').write_text('int left(string, addr, long);\n')
    subject = case.start(case.build('in_flight_jumped.c',
                                    case.FOLDER / variant, variant))
    subject.wait_for('ready')
    calling = pathlib.Path(f'/proc/{subject.pid}/syscall')
    case.until(lambda: calling.read_text().split()[0]
               in (str(POLL), str(RESTART_SYSCALL)), 'it polls')
    tracer = attach(subject, options)
    tracer.leave()
    case.same([line for line in tracer.calls() if 'resumed' not in line],
              [IN_FLIGHT])
    tracer = attach(subject, options)
    subject.say('')
    subject.say('')
    case.finish(subject)
    tracer.wait(0)
    case.equal(subject.out, 'ready\n', 'what the subject says')
    case.equal(tracer.says(), [], 'what xtrace says')
    case.same(tracer.calls(),
              [IN_FLIGHT,
               '<... left resumed> ) = 1 <%dur+>',
               'left("SELECT 2", %hex, 43) = 1 <%dur>'])


def test():
    for variant in ('plt', 'noplt', 'frames'):
        run(variant, ['-x', 'left'])
        run(variant, ['-e', 'left@MAIN'])


case.main(test)
