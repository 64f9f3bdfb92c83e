#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls in flight when xtrace leaves are printed as unfinished, and return in
the program."""
import case


def test():
    program = case.build('unfinished.c')
    (case.FOLDER / 'p.conf').write_text('int inner(int);\nint outer(int);\n')
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, '-F', 'p.conf', '-x', 'inner+outer')
    subject.say('go')
    subject.wait_for('within')
    tracer.leave()
    case.same(tracer.calls(), ['outer(1 <unfinished ...>',
                               'inner(2 <unfinished ...>'])
    case.same_text(subject.pid)
    subject.say('finish')
    subject.wait_for('right')
    # xtrace attaches while calls are in flight.
    subject.say('again')
    subject.wait_for('within')
    tracer = case.attach(subject, '-F', 'p.conf', '-x', 'inner+outer')
    subject.say('finish')
    case.finish(subject)
    tracer.wait(0)
    case.same(tracer.calls(), ['outer(%any <in flight ...>',
                               'inner(%any <in flight ...>',
                               '<... inner resumed> ) = 5',
                               '<... outer resumed> ) = 6'])


case.main(test)
