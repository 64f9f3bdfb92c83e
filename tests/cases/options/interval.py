#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--summary --interval: a new table of each interval while the program runs,
and one of the whole run at the end. Lines of a file are written after a second
at the latest. On a terminal each table replaces the one before.

TIMEOUT: 60
"""
import fcntl
import os
import pty
import re
import select
import struct
import termios

import case

HEAD = '%anytotal%any  function'


def counts(tracer):
    """How many calls each table counts."""
    return [int(line.split()[0]) for line in tracer.lines()
            if ' of 1 function, ' in line]


def test_lines(program):
    """A line comes into the file even if no other call follows."""
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, '-x', 'f')
    subject.say('1')
    case.until(tracer.calls, 'the line of the one call')
    subject.say('')
    case.finish(subject)
    tracer.wait(0)


def test_tables(program):
    """A table may end between two calls, so only the sums of the tables are
    compared."""
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, '--summary', '--interval', '1s', '-x', 'f')
    subject.say('3')
    case.until(lambda: sum(counts(tracer)) == 3,
               'tables of the first three calls')
    first = len(counts(tracer))
    subject.say('2')
    case.until(lambda: sum(counts(tracer)) == 5,
               'tables of the next two calls')
    case.true(len(counts(tracer)) > first, 'these calls are in new tables')
    subject.say('')
    case.finish(subject)
    tracer.wait(0)
    *parts, last = counts(tracer)
    case.equal((sum(parts), last), (5, 5), 'the last table has all calls')
    case.contains(tracer.lines(), '%time', HEAD, '%any  f', '%num %any of 1 function, %any',
                  '', '%time', HEAD, '%any  f', '%num %any of 1 function, %any', '',
                  HEAD, '%any  f', '5 calls of %any')


def on_screen(text, screen):
    """Adds text to the screen as a terminal shows it: lines, without wrapping.
    """
    row, column = len(screen) - 1, 0
    for piece in re.findall(r'\033\[\d*[A-Za-z]|[\r\n]|[^\033\r\n]+', text):
        if piece == '\n':
            row += 1
            screen.extend([''] * (row + 1 - len(screen)))
        elif piece == '\r':
            column = 0
        elif piece.startswith('\033') and piece.endswith('A'):
            row -= int(piece[2:-1])
            case.true(row >= 0, f'moves up to a line on the screen: {text!r}')
        elif piece == '\033[K':
            screen[row] = screen[row][:column]
        elif piece == '\033[J':
            screen[row:] = [screen[row][:column]]
        else:
            screen[row] = screen[row][:column] + piece
            column += len(piece)


def test_redrawn(program):
    """A terminal shows one table at a time, cut to its width, with columns that
    leave room for the names. The table at the end is not cut, but has these
    columns. Messages stay on the screen."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ['TERM'] = 'xterm'
        mode = termios.tcgetattr(0)
        mode[3] &= ~termios.ECHO
        termios.tcsetattr(0, termios.TCSANOW, mode)
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('4H', 20, 60, 0, 0))
        os.execv(case.XTRACE, [case.XTRACE, '--summary', '--interval', '1s',
                               '-x', 'f', '-x', 'nosuch', '--', program])
    text = ''

    def counted():
        """The calls in all tables that are complete; -1 before the first."""
        nonlocal text
        if select.select([terminal], [], [], 0.1)[0]:
            text += os.read(terminal, 4096).decode()
        if 'ready' not in text or not text.endswith(('ready\r\n', '\033[J')):
            return -1
        return sum(map(int, re.findall(r'\n(\d+) calls? of 1 f', text)))

    case.until(lambda: counted() == 0, 'the subject runs')
    os.write(terminal, b'3\n')
    case.until(lambda: counted() == 3, 'the first calls')
    os.write(terminal, b'2\n')
    case.until(lambda: counted() == 5, 'the next calls')
    screen = ['']
    on_screen(text, screen)
    heads = [line for line in screen if ' total ' in line]
    case.equal(len(heads), 1, f'tables on the screen: {screen}')
    case.true(all(len(line) <= 60 for line in screen
                  if not line.startswith('xtrace: ')), f'width: {screen}')
    # The table may have been made between the last two calls.
    last = re.findall(r'\n(\d+ calls?) of 1 f', text)[-1]
    case.contains(screen, '    total     calls       max  function', '%any  f',
                  f'{last} of %any')
    os.write(terminal, b'\n')
    try:
        while piece := os.read(terminal, 4096):
            text += piece.decode()
    except OSError:  # EIO: no process has the terminal open
        pass
    os.close(terminal)
    case.equal(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0, 'status')
    screen = ['']
    on_screen(text, screen)
    case.true(all(len(line) <= 60 for line in screen
                  if not line.startswith('xtrace: ')), f'at the end: {screen}')
    case.same(screen, [
        'xtrace: nosuch: not loaded yet; waiting for a library that defines it',
        'ready', 'xtrace: nosuch: no module ever had it', HEAD, '%any  f',
        '5 calls of 1 function, %any', 'xtrace: 5 calls seen, none lost', ''],
        'at the end')


def test():
    program = case.build('interval.c')
    test_lines(program)
    test_tables(program)
    test_redrawn(program)


case.main(test)
