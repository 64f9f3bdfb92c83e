#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""On a terminal: lines have colours, unless NO_COLOR or --color says
otherwise; the entry of a call is shown before the call is over; and xtrace
says to what it is attached and how many calls it has seen.
"""
import os
import pty
import re
import select

import case
import child

ESCAPE = '\033['


def on_terminal(*options, env=None, program='outputs.c', ends=3):
    """Everything that xtrace writes to a terminal in one run."""
    program = case.build(program)
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(case.FOLDER)
        os.environ.pop('NO_COLOR', None)
        os.environ.update({'TERM': 'xterm', 'COLUMNS': '80', **(env or {})})
        os.execv(case.XTRACE, [case.XTRACE, '-F', 'p.conf', '-x', 'f',
                               *options, '--', program])
    text = b''
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # EIO: no process has the terminal open
            break
        if not piece:
            break
        text += piece
    os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    case.equal(status, ends, f'status: {text}')
    return text.decode()


def test_at_once():
    """The line of a call is begun at the entry: here fgets() waits for input,
    which is only sent when the line has begun."""
    program = case.build('interval.c')
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(case.FOLDER)
        os.execv(case.XTRACE, [case.XTRACE, '--color=never', '-e',
                               'fgets@MAIN', '--', program])
    text = b''
    while b'fgets(' not in text:
        if not select.select([terminal], [], [], case.LIMIT)[0]:
            case.fail(f'no entry of fgets() in {text}')
        text += os.read(terminal, 4096)
    case.true(b') ' not in text.split(b'fgets(')[1], f'not over: {text}')
    os.write(terminal, b'\n')
    while b'exited' not in text:
        text += os.read(terminal, 4096)
    # The terminal echoes the newline that was typed.
    case.true(re.search(rb'fgets\([^\n]*\n\) += "', text), f'{text}')
    os.close(terminal)
    os.waitpid(pid, 0)


def test_red():
    """A call that succeeds is not red, whatever errno is."""
    (case.FOLDER / 'p.conf').write_text('errno(int) f(string, hide(int));\n')
    lines = on_terminal(program='wide.c', ends=0).splitlines()[:4]
    case.equal(['\033[31m' in line for line in lines],
               [False, False, False, True], f'red lines: {lines}')


class OnTerminal:
    """Has the members of a child that child.wait_attached() uses."""
    command, out, err, folder = ['xtrace'], '', '', case.FOLDER

    def __init__(self, pid):
        self.pid = pid

    def alive(self):
        return True

    def _pump(self, wait):
        pass


def attached(program, *options):
    """What xtrace says on a terminal while it is attached to two threads."""
    subject = case.start(program)
    subject.wait_for('ready')
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(case.FOLDER)
        os.execv(case.XTRACE, [case.XTRACE, '--color=never', '-x', 'f+g',
                               '-p', str(subject.pid), *options])
    child.wait_attached(subject.pid, OnTerminal(pid), case.LIMIT)
    subject.say('go')
    subject.wait_for('called')
    text = b''
    while b'g(' not in text and '-o' not in options:
        text += os.read(terminal, 4096)
    os.write(terminal, b'\x03')
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        text += piece
    os.close(terminal)
    case.equal(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0, 'status')
    subject.say('go')
    case.finish(subject)
    return subject.pid, [line for line in text.decode().splitlines()
                         if line.startswith('xtrace: ')]


def test_attached():
    program = case.build('attached.c')
    name = program.name
    pid, said = attached(program)
    case.same(said, [f'xtrace: attached to {name} ({pid}), 2 threads, '
                     '2 functions; ^C leaves',
                     'xtrace: 2 calls seen, 1 lost (its end was not seen)'],
              'on a terminal')
    for options in (('-q',), ('--quiet',), ('-o', 'trace')):
        case.same(attached(program, *options)[1], [], f'with {options}')


def to_file(*options):
    case.start(case.XTRACE, '-F', 'p.conf', '-x', 'f', *options, '-o', 'trace',
               '--', case.build('outputs.c')).wait()
    return (case.FOLDER / 'trace').read_text()


def test():
    (case.FOLDER / 'p.conf').write_text('int f(int n, const char *what);\n')
    case.true(ESCAPE in on_terminal(), 'a terminal has color')
    plain = on_terminal(env={'NO_COLOR': '1'})
    case.true(ESCAPE not in plain, 'not with NO_COLOR')
    case.same(plain.replace('\r', '').splitlines()[:2],
              ['f(1, "users") = 1', 'f(2, "orders") = -1'], 'on a terminal')
    case.true(ESCAPE in on_terminal(env={'NO_COLOR': ''}), 'empty NO_COLOR')
    case.true(ESCAPE not in on_terminal(env={'TERM': 'dumb'}), 'TERM=dumb')
    case.true(ESCAPE not in on_terminal('--color=never'), '--color=never')
    case.true(ESCAPE in on_terminal('--color', 'always',
                                    env={'NO_COLOR': '1'}), '--color always')
    case.true(ESCAPE not in to_file(), 'a file has none')
    case.true(ESCAPE not in to_file('--color', 'auto'), 'a file: auto')
    case.true(ESCAPE in to_file('--color=always'), 'a file: always')
    case.true('xtrace: 2 calls seen, none lost' in plain.splitlines(),
              f'the end: {plain}')
    case.true('xtrace: ' not in on_terminal('-q'), '-q')
    test_at_once()
    test_attached()
    test_red()


case.main(test)
