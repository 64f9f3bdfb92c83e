#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Stacks at random moments have no wrong frame. Scripts call, raise, allocate,
collect and switch threads all the time, and --dump reads them until 250
stacks of each language were read; moments_thousand.py makes a thousand dumps.
The line of each frame belongs to its function, and calls the function of the
next inner frame. No frame belongs to another thread.

TIMEOUT: 400
"""
import pathlib
import re

import case
import stackcase

HEAD = re.compile(r'thread (\d+)(?: of (\d+))? \(.*\), \w+$')
PARTIAL = '    <cannot be read further>'
# A function begins at the line of its head and ends before the head of the
# next one.
BEGINS = re.compile(r'(?:def|function|sub) (\w+)')
NAMELESS = re.compile(r'<\w+>$|\{closure\}|__ANON__$|block |rescue |ensure |'
                      r'\(eval\)')
# The outermost frames: the beginnings of the threads and of the script.
OUTER = ('<module>', '<main>', '{main}', 'run', '_bootstrap',
         '_bootstrap_inner', 'main', 'start')
ROOTS = {'first', 'second', 'listen', 'main', 'start'}


class Script:
    def __init__(self, path):
        self.path = str(path)
        self.lines = [''] + path.read_text().splitlines()
        self.function, name = [], '<module>'
        for line in self.lines:
            begins = BEGINS.match(line)
            if begins:
                name = begins[1]
            elif line and not line[0].isspace() and line[0] not in '{}er':
                name = '<module>'
            self.function.append(name)

    def fault(self, inner, frame):
        """What is wrong with a frame; the next inner frame is also given."""
        name, line = frame
        # The first instructions of a Python function have no line, and a Perl
        # sub that an exception is leaving has no line any more.
        if line == 0 and not inner and self.path.endswith(('.py', '.pl')):
            return None
        if not 0 < line < len(self.lines):
            return f'{frame} is on no line'
        bare = name.split('::')[-1].split('#')[-1]
        own = self.function[line]
        nameless = NAMELESS.search(name) and bare not in OUTER
        if bare not in OUTER and not nameless and own != bare:
            return f'{frame}: line {line} is in {own}'
        if not inner or not inner[1]:
            return None
        called = inner[0].split('::')[-1].split('#')[-1]
        if NAMELESS.search(inner[0]):
            if own not in (self.function[inner[1]], '<module>') and \
                    'yield' not in self.lines[line]:
                return f'{inner} is within {frame}'
        elif f'{called}(' not in self.lines[line]:
            return f'{frame} does not call {inner}'
        return None


def stacks_of(text):
    """Returns [[tid, frames, partial], ...] of all stacks of a dump. partial:
    xtrace could not read all frames."""
    stacks = []
    for line in text.splitlines():
        head = HEAD.match(line)
        if head:
            stacks.append([int(head[1]), [], False])
        elif line == PARTIAL:
            stacks[-1][2] = True
        else:
            found = stackcase.FRAME.match(line)
            stacks[-1][1].append((found['function'], found['file'] or '',
                                  int(found['line'] or 0)))
    return stacks


def own_frames(script, frames):
    """The frames of the script itself. A frame of a C function has the place
    of its caller.
    """
    kept = []
    for i, (name, file, line) in enumerate(frames):
        if file != script.path:
            continue
        bare = name.split('::')[-1].split('#')[-1]
        known = bare in script.function or NAMELESS.search(name) or \
            bare in OUTER
        if known:
            kept.append((name, line))
        elif i + 1 == len(frames) or frames[i + 1][2] != line:
            case.fail(f'{name} in C at line {line} is called from elsewhere:',
                      *frames)
    return kept


def judge(script, pid, stack):
    tid, frames, partial = stack
    own = own_frames(script, frames)
    inner = None
    # Until its first statement, a Perl sub has the line of its caller.
    if script.path.endswith('.pl') and len(own) > 1 and own[0][1] == own[1][1]:
        inner = own.pop(0)
    for frame in own:
        fault = script.fault(inner, frame)
        if fault:
            case.fail(f'{script.path}: {fault}, of:', *frames)
        inner = frame
    names = {name.split('::')[-1].split('#')[-1] for name, _ in own}
    if 'first' in names and tid != pid or 'second' in names and tid == pid:
        case.fail(f'{script.path}: a stack of another thread, in {tid}:',
                  *frames)
    # Before its first statement, a thread of Perl has one frame: the line of
    # its parent that creates it.
    newborn = len(own) == 1 and 'threads->create' in script.lines[own[0][1]]
    if own and not partial and not newborn and not names & ROOTS:
        case.fail(f'{script.path}: a stack without its beginning:', *frames)
    return len(own) > 1, partial


def run(program, name, walks, stacks):
    script = Script(case.SUPPORT / name)
    subject = case.start(program, script.path)
    subject.wait_for('ready')
    seen = deep = partial = walked = 0
    while walked < walks or seen < stacks:
        walked += 1
        dump = case.start(case.XTRACE, '--dump', '--stack=script', '-w', '200',
                          '-p', str(subject.pid))
        case.equal(dump.wait(), 0, f'--dump: {dump.err}')
        case.equal(dump.err, '', 'what xtrace says')
        for stack in stacks_of(dump.out):
            many, cut = judge(script, subject.pid, stack)
            seen += 1
            deep += many
            partial += cut
    subject.say('end')
    case.finish(subject)
    print(f'{name}: {seen} stacks, {deep} of them deep, {partial} partial')
    case.true(seen >= walked and deep >= walked * 0.8,
              f'{name}: {deep} of {seen} stacks are deep')
    case.true(partial <= max(1, seen // 50),
              f'{name}: {partial} of {seen} stacks are cut short')


def test(walks, stacks):
    for program, name in ((case.PYTHON, 'moments_subject.py'),
                          ('/usr/bin/ruby', 'moments_subject.rb'),
                          ('/usr/bin/php', 'moments_subject.php'),
                          ('/usr/bin/perl', 'moments_subject.pl')):
        run(program, name, walks, stacks)


if __name__ == '__main__':
    case.main(lambda: test(0, 100 if case.SANITIZED else 250))
