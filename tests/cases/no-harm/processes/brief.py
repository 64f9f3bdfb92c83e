#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Processes and threads are born and end all the time, while xtrace attaches,
plants, stops and leaves. Each of them ends as it should, and xtrace says
nothing of any that ended before it could be traced.

TIMEOUT: 300
"""
import re

import case

ROUNDS = 8


def tracing(pids, *options):
    """Attaches, and waits for traced calls. The trace is never quiet here, so
    case.attach() cannot be used."""
    tracer = case.Tracer([*options, '-F', case.FOLDER / 'p.conf', '-x',
                          'f+_exit+exit', '-p', ' '.join(map(str, pids))])
    case.until(lambda: not tracer.child.alive() or
               sum(' f(' in row for row in tracer.lines()) > 30,
               'calls are traced')
    case.true(tracer.child.alive(), tracer.child.err)
    return tracer


def round_of(subject, pids, *options):
    tracer = tracing(pids, *options)
    tracer.leave()
    case.equal(tracer.says(), [], f'{options}: what xtrace says')
    case.true(subject.alive(), f'the subject lives after {options}')
    for pid in (subject.pid, *workers(subject)):
        case.same_text(pid)


def workers(subject):
    with open(f'/proc/{subject.pid}/task/{subject.pid}/children') as file:
        return [int(word) for word in file.read().split()]


def test():
    program = case.build('brief.c')
    (case.FOLDER / 'p.conf').write_text('int f(int);\n')
    subject = case.start(program)
    subject.wait_for('ready')
    for number in range(ROUNDS):
        if number % 2:
            round_of(subject, [subject.pid], '-f')
        else:
            round_of(subject, workers(subject))
    # xtrace attaches once more, and traces until the end.
    tracer = tracing([subject.pid], '-f')
    subject.say()
    case.finish(subject)
    tracer.wait(0)
    found = re.search(r'(\d+) lives, 0 wrong', subject.out)
    case.true(found and int(found[1]) > 100, subject.out)
    print(subject.out)


case.main(test)
