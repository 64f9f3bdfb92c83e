#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A call that began before xtrace attached is shown with the types of its
function, as far as its arguments can be found. xtrace reads the types while no
thread is held, as it does for the first call of a function.
"""
import case


def test():
    subject = case.start(case.build('in_flight.c'))
    subject.wait_for('ready')
    case.until(lambda: case.child.status_field(
        f'/proc/{subject.pid}/status', 'State').startswith('S'), 'it waits')
    tracer = case.attach(subject, '--names', '-x', 'outer')
    subject.say('one')
    subject.say('two')
    case.finish(subject)
    tracer.wait(0)
    case.same([line for line in tracer.lines() if 'outer' in line],
              ['%anyouter(point={x=3, y=4}, n=5 <in flight ...>',
               '%any<... outer resumed> ) = 12',
               '%anyouter(point={x=3, y=4}, n=6%any'], 'the calls')


case.main(test)
