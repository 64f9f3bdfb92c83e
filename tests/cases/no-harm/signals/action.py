#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""When xtrace has left, SIGTRAP's action is to the last bit what it would be
without xtrace: handler, flags, restorer and mask, as the kernel has them, and
SigBlk, SigIgn and SigCgt. This is also true of an action that the program has
set while traced. While xtrace is attached, the library's sigaction() returns
the program's own action.

TIMEOUT: 120
"""
import case

ACTIONS = ('default', 'ignore', 'handler', 'siginfo')


class Subject:
    def __init__(self, program, action):
        self.child = case.start('/usr/bin/setarch', '-R', program, action)
        self.child.wait_for('told')
        self.seen = 0

    def rows(self):
        text = self.child.out[self.seen:]
        self.seen = len(self.child.out)
        return {row.split()[0]: row.split()[1:]
                for row in text.splitlines() if row != 'told'}

    def turn(self, word):
        self.child.say(word)
        before = self.child.out.count('told')
        case.until(lambda: self.child._pump(0.01) or
                   self.child.out.count('told') > before, 'its rows')
        return self.rows()


def states(program, action, later, around):
    """What sigaction() tells the program before xtrace attaches, while it is
    attached, after the program has set another action, and after xtrace has
    left."""
    subject = Subject(program, action)
    told = [subject.rows()]
    leave = around(subject.child)
    told += [subject.turn('look'), subject.turn('look'), subject.turn(later),
             subject.turn('look')]
    leave()
    told.append(subject.turn('look'))
    subject.child.close_input()
    case.finish(subject.child)
    return told


def alone(_):
    return lambda: None


def attached(child):
    tracer = case.attach(child, '-b', '-x', 'f')

    def leave():
        tracer.leave()
        case.equal(case.count(tracer.calls(), 'f(%any'), 4, 'calls traced')
    return leave


def test():
    program = case.build('action.c')
    for action in ACTIONS:
        for later in ('look', *ACTIONS):
            what = f'{action}, then {later}'
            wanted = states(program, action, later, alone)
            got = states(program, action, later, attached)
            case.equal(got[0], wanted[0], f'{what}: before the attach')
            case.equal(got[-1], wanted[-1], f'{what}: when xtrace has left')
            for one, other in zip(got, wanted):
                case.equal(one['library'], other['library'],
                           f'{what}: told by the library')
                case.equal(one['SigBlk:'], other['SigBlk:'], f'{what}: SigBlk')


case.main(test)
