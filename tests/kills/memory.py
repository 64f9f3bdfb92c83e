# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes each of xtrace's requests for memory fail, alone or with all later
ones.

A program that xtrace starts must behave as when untraced, or must not have
begun; one that it attaches to must continue, with the checks of kills.py.
xtrace prints one line, or continues. If it prints nothing, the trace must be
complete.
"""
import collections
import os
import pathlib
import re
import struct
import subprocess

import build
import case
import kills
from page import Page

HERE = pathlib.Path(__file__).resolve().parent
PASSES = 3  # a sweep ends after so many runs without a failed request
LIMIT = 60
STARTED = [
    ['-f', '-x', 'f+p'],
    ['-f', '-x', 'f+p', '-e', '*', '--json'],
    ['-f', '-x', 'f+p', '-e', 'malloc+dlopen', '-w', '3', '-T', '-tt'],
]
ATTACHED = [['-x', 'f*', '--limit', '60'],
            ['-f', '-e', '*', '-n', '4', '--limit', '60'],
            ['-x', 'f*+m*+p*', '--json', '--limit', '60']]


class Failing:
    """The environment of an xtrace whose requests for memory fail."""

    def __init__(self):
        self.preload = case.FOLDER / 'failing.so'
        self.path = case.FOLDER / 'counts'
        if not self.preload.exists():
            subprocess.run(['cc', '-O1', '-shared', '-fPIC', '-o',
                            self.preload, HERE / 'failing.c', '-ldl'],
                           check=True)

    def env(self, number, goes_on):
        self.path.write_bytes(bytes(16))
        return {'LD_PRELOAD': str(self.preload), 'FAILING_AT': str(number),
                'FAILING_ON': str(int(goes_on)),
                'FAILING_COUNTS': str(self.path)}

    def counts(self):
        """The number of requests for memory, and of failed ones."""
        return struct.unpack('<2q', self.path.read_bytes())


def steps(more):
    """Yields 1, 2, 3, ... if more is 0, else numbers whose distance grows."""
    number = 1
    while True:
        yield number
        number += 1 if more == 0 else 1 + number // more


def sweep(run, goes_on, more, what):
    """Calls run(environment) for each step, until no request failed."""
    failing = Failing()
    counts = collections.Counter()
    passed = 0
    for number in steps(more):
        try:
            counts[run(failing.env(number, goes_on))] += 1
        except case.Failure as fault:
            case.fail(f'{what}: {number}, '
                      f'{"and all later" if goes_on else "once"}', fault)
        passed = 0 if failing.counts()[1] else passed + 1
        if passed == PASSES:
            break
    counts['asked'] = failing.counts()[0]
    return counts


# libdw (elfutils 0.188) does not check for missing memory. Where it reads frames
# (-w), a fault or a failed assertion of it may end xtrace; that the program
# notices is not allowed.
def check_says(tracer, status, what, fault=False):
    """Checks that xtrace printed no internal error, except a fault if allowed;
    returns its lines.
    """
    says = [row for row in tracer.child.err.splitlines()
            if 'not loaded yet' not in row]
    if not fault and 'internal error' in tracer.child.err or status == 2 or \
            status >= 128 or [
            row for row in says if not row.startswith('xtrace: ')]:
        case.fail(f'{what}: xtrace ended with {status} and said:', *says[:20])
    return says


def reasons(says):
    """The lines that say why xtrace ends. A line that says what xtrace
    continues without is none of them."""
    return [row for row in says if ' not traced' not in row and
            'so no prototypes are taken from it' not in row]


class Started:
    def __init__(self, options):
        page = Page(HERE / 'once.c')
        folder = case.FOLDER / 'once'
        folder.mkdir(exist_ok=True)
        program = build.make(page, build.variants(page)[0], folder,
                             pathlib.Path(os.environ['BUILD_CACHE']))
        self.options = options
        self.command = [program, folder / 'libplug.so']
        self.wanted = case.untraced(*self.command)
        case.equal(self.wanted, (7, 'begun\nright\n', ''), 'untraced')

    def calls(self, tracer):
        text = '\n'.join(tracer.lines())
        return len(re.findall(r'\bf\(|"name":"f"', text)), \
            len(re.findall(r'\bp\(|"name":"p"', text))

    def run(self, env=None, preexec=None):
        tracer = case.trace(*self.options, command=self.command, env=env,
                            limit=LIMIT, preexec=preexec)
        status = tracer.wait()
        says = check_says(tracer, status, 'started', '-w' in self.options)
        calls = self.calls(tracer)
        tracer.path.unlink(missing_ok=True)
        if status in (1, 126) and tracer.child.out == '':
            case.equal(len(reasons(says)), 1, f'lines said: {says}')
            return 'not begun'
        case.equal((status, tracer.child.out), self.wanted[:2],
                   'its end and output')
        if says:
            return 'let go on' if calls != (9, 1) else 'said and traced on'
        case.equal(calls, (9, 1), 'calls traced, and nothing said')
        return 'traced'


class Attached(kills.Kills):
    def __init__(self, options):
        super().__init__(kills.Threads, 1, 0, ())
        self.options = options

    def run(self, env=None, preexec=None):
        if not self.subject:
            self.new_subject()
        tracer = case.Tracer([*self.options, '-p', str(self.subject.pid)],
                             env=env, limit=LIMIT, preexec=preexec)
        status = tracer.wait()
        says = check_says(tracer, status, 'attached')
        count = len(tracer.lines())
        tracer.path.unlink(missing_ok=True)
        self.check_quickly()
        case.true(status == 0 or len(reasons(says)) == 1,
                  f'{status} and {says}')
        self.subject.kills += 1
        if self.subject.kills == 100:
            self.end_subject(True)
        if status:
            return 'ended early'
        case.true(says or count >= 60, f'{count} lines and nothing said')
        return 'traced'

    def check_quickly(self):
        subject = self.subject
        case.until(lambda: not self.changes(True)[0], 'the text is as it was')
        subject.go_on(1)

    def end(self):
        if self.subject:
            self.end_subject(True)
        self.killer.end()


def started(more, goes_on, number=0):
    it = Started(STARTED[number])
    return sweep(it.run, goes_on, more, ' '.join(it.options))


def attached(more, goes_on, number=0):
    it = Attached(ATTACHED[number])
    try:
        return sweep(it.run, goes_on, more, ' '.join(it.options))
    finally:
        it.end()
