#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""SIGINT, SIGTERM and SIGHUP end xtrace; the program runs on unchanged."""
import signal

import case


def leaves_by(number, subject):
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
    case.until(lambda: any(' f(' in line for line in tracer.lines()),
               'f is traced')
    tracer.leave(number, 0 if number == signal.SIGINT else None)
    case.true(subject.alive(), f'alive after {number.name}')
    case.same_text(subject.pid)
    case.equal(case.child.status_field(f'/proc/{subject.pid}/status',
                                       'TracerPid'), '0', 'TracerPid')
    case.equal(tracer.says(), [], 'what xtrace says')


def test():
    program = case.build('loop.c')
    subject = case.start(program)
    subject.wait_for('ready')
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) * 3:
        leaves_by(number, subject)
    subject.say('stop')
    case.finish(subject, 3)


case.main(test)
