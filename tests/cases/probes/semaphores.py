#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A semaphore is counted up by one while its probe is traced, and down by one
afterwards: when xtrace leaves, when it is killed, and in a forked child that it
does not follow. What another tracer has counted stays.
"""
import os
import signal
import struct
import subprocess

import case

PROBE = '%zoo:guarded'


class Guarded:
    def __init__(self, program, *words):
        self.subject = case.start(program, *words)
        self.subject.wait_for('ready')
        self.pid = self.subject.pid
        self.address = address_in(self.pid, program)

    def value(self):
        with open(f'/proc/{self.pid}/mem', 'rb') as memory:
            memory.seek(self.address)
            return struct.unpack('H', memory.read(2))[0]

    def run(self, line, word, value):
        self.subject.say(line)
        self.subject.wait_for(f'{word} {value}')

    def attach(self, *options):
        tracer = case.attach(self.subject, '-x', PROBE, *options)
        case.wait_planted(self.pid, tracer)
        return tracer

    def finish(self):
        self.subject.close_input()
        case.finish(self.subject)


def address_in(pid, program):
    """Where the semaphore is: readelf's address and the program's base."""
    notes = subprocess.run(['readelf', '-nW', program], text=True, check=True,
                           capture_output=True).stdout
    at = int(notes.split('Semaphore: 0x')[1].split()[0], 16)
    with open(f'/proc/{pid}/maps') as maps:
        for row in maps:
            if row.rstrip().endswith(str(program)):
                return at + int(row.split('-')[0], 16)
    case.fail('the program is not mapped')


def leaving(program, words, before):
    guarded = Guarded(program, *words)
    tracer = guarded.attach()
    guarded.run('run', 'parent', before + 1)
    guarded.run('fork', 'child', before)
    guarded.run('run', 'parent', before + 1)
    tracer.leave()
    case.equal(guarded.value(), before, 'the semaphore that was left')
    case.equal(tracer.calls(), ['zoo:guarded(7)'] * 2, 'the parent alone')
    guarded.run('run', 'parent', before)
    case.same_text(guarded.pid)
    guarded.finish()


def following(program):
    guarded = Guarded(program)
    tracer = guarded.attach('-f')
    guarded.run('fork', 'child', 1)
    tracer.leave()
    case.equal(guarded.value(), 0, 'the parent\'s semaphore')
    case.equal(tracer.calls(), ['zoo:guarded(7)'], 'the child\'s probe')
    guarded.finish()


def killed(program, words, before):
    guarded = Guarded(program, *words)
    tracer = guarded.attach()
    guarded.run('run', 'parent', before + 1)
    os.kill(tracer.pid, signal.SIGKILL)
    case.until(lambda: guarded.value() == before,
               'the watcher counts the semaphore down')
    case.until(lambda: not case.text_changes(guarded.pid),
               'the watcher lifts the traps')
    guarded.run('run', 'parent', before)
    again = guarded.attach()
    guarded.run('run', 'parent', before + 1)
    again.leave()
    case.equal(guarded.value(), before, 'after a second xtrace')
    guarded.finish()


def test():
    program = case.build('guarded.c')
    leaving(program, (), 0)
    leaving(program, ('other',), 3)
    following(program)
    killed(program, (), 0)
    killed(program, ('other',), 3)


case.main(test)
