#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""On a terminal: colors, unless NO_COLOR or --color says otherwise, and an
entry is there before its call is over.
"""
import os
import pty
import re
import select

import case

ESCAPE = '\033['


def on_terminal(*options, env=None):
    """What a terminal gets to see of a run."""
    program = case.build('outputs.c')
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
        except OSError:  # EIO: everybody has closed it
            break
        if not piece:
            break
        text += piece
    os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    case.equal(status, 3, f'status: {text}')
    return text.decode()


def test_at_once():
    """fgets() waits for us, who wait for its line to begin."""
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
    # The newline is what we typed, echoed.
    case.true(re.search(rb'fgets\([^\n]*\n\) += 0x', text), f'{text}')
    os.close(terminal)
    os.waitpid(pid, 0)


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
    test_at_once()


case.main(test)
