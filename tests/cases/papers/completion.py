#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The completions for bash and zsh: every option, and what stands behind it.

NEEDS: plain make
"""
import os
import pty
import re
import select
import shutil
import signal
import subprocess

import case

TOP = case.TESTS.parent
BASH = '''
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
_xtrace
printf '%s\\n' "${COMPREPLY[@]}"
'''
ZSH = """PS1=; fpath=(%s $fpath); autoload -U compinit; compinit -D -u
setopt no_beep; echo rea''dy
"""


def made():
    """The two files, built into a folder of ours."""
    place = case.FOLDER / 'place'
    done = subprocess.run(
        ['make', '-s', '-C', TOP, '-o', 'all', 'install', f'DESTDIR={place}',
         'PREFIX=/usr'], capture_output=True, text=True)
    case.equal(done.returncode, 0, done.stdout + done.stderr)
    share = place / 'usr' / 'share'
    return (share / 'bash-completion' / 'completions' / 'xtrace',
            share / 'zsh' / 'site-functions' / '_xtrace')


def options():
    """Every option of --help."""
    run = case.start(case.XTRACE, '--help')
    run.wait()
    return set(re.findall(r'^ +(?:(-\w), )?(--[a-z-]+)', run.out, re.M))


def bash(script, *words):
    done = subprocess.run(['bash', '--norc', '-c', BASH, 'bash', script,
                           'xtrace', *words], capture_output=True, text=True,
                          cwd=case.FOLDER)
    case.equal(done.stderr, '', f'stderr of bash for {words}')
    return [word for word in done.stdout.split('\n') if word]


def test_bash(script):
    offered = set(bash(script, '-'))
    for letter, word in options():
        case.true(word in offered, f'bash offers {word}')
        case.true(not letter or letter in offered, f'bash offers {letter}')
    (case.FOLDER / 'some.conf').touch()
    for words, wanted in (
            (['--so'], ['--sort']),
            (['--sort', 'p'], ['p50', 'p95', 'p99']),
            (['--sort', '=', 'na'], ['name']),
            (['--color', '='], ['auto', 'always', 'never']),
            (['-F', 'some'], ['some.conf']),
            (['-ttTo', 'some'], ['some.conf']),
            (['--json', '=', 'some'], ['some.conf']),
            (['-u', 'roo'], ['root']),
            (['-x', 'f', '-p', str(os.getpid())], [str(os.getpid())]),
            (['--check-config', 'some'], ['some.conf']),
            (['-x', 'f', '--', 'cat', 'some'], ['some.conf']),
            (['-n', '2', 'cat', 'some'], ['some.conf']),
            (['-x', ''], [])):
        case.equal(bash(script, *words), wanted, f'bash: {words}')
    case.true('true' in bash(script, '-t', 'tru'), 'bash offers commands')


class Terminal:
    """A zsh as somebody has it who types."""

    def __init__(self, folder):
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.chdir(case.FOLDER)
            os.environ['TERM'] = 'dumb'
            os.execvp('zsh', ['zsh', '-f', '-i'])
        self.seen = ''
        self.type(ZSH % folder)
        self.await_text('\nready')

    def type(self, text):
        os.write(self.end, text.encode())

    def await_text(self, text):
        """Until it is there, in what came since the last that was."""
        while text not in self.seen:
            if not select.select([self.end], [], [], case.LIMIT)[0]:
                case.fail(f'zsh: no {text!r} in {self.seen!r}')
            self.seen += os.read(self.end, 4096).decode(errors='replace')
        self.seen = self.seen.split(text, 1)[1]

    def completes(self, line, wanted):
        self.type(line + '\t')
        self.await_text(wanted)
        self.type('\x15')  # ^U: an empty line again

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.end)


def test_zsh(script):
    text = script.read_text()
    for letter, word in options():
        case.true(word in text, f'zsh offers {word}')
        case.true(not letter or f'{{{letter}' in text, f'zsh: {letter}')
    if shutil.which('zsh'):
        terminal = Terminal(script.parent)
        terminal.completes('xtrace --collapse', '--collapse-recursion')
        terminal.completes('xtrace --sort=nam', '--sort=name')
        terminal.completes('xtrace -ttTF some', 'some.conf')
        terminal.close()


def test():
    for_bash, for_zsh = made()
    test_bash(for_bash)
    test_zsh(for_zsh)


case.main(test)
