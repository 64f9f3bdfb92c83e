#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The completions for bash, zsh and fish: every option, and its argument, also
what only this machine knows: own processes, functions of the given program.

NEEDS: plain make fish zsh nm
TIMEOUT: 120
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
source "$1"; COMP_CWORD=$2; shift 2
COMP_WORDS=("$@"); COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
_xtrace
printf '%s\\n' "${COMPREPLY[@]}"
'''
ENVIRONMENT = {**os.environ, 'HOME': str(case.FOLDER), 'PATH':
               f'{case.FOLDER}/bin:{os.environ["PATH"]}'}
PROCESS = None  # a running program that prepare() has started
ZSH = """PS1=; fpath=(%s $fpath); autoload -U compinit; compinit -D -u
setopt no_beep; echo rea''dy
"""


def other_process():
    """The process with the lowest number that must not be offered: a kernel
    thread, or a process of another user. Another case may end any process
    meanwhile."""
    for pid in sorted(filter(str.isdigit, os.listdir('/proc')), key=int):
        folder = f'/proc/{pid}'
        try:
            if os.stat(folder).st_uid != os.geteuid():
                return pid
        except OSError:
            continue
        if not os.path.exists(f'{folder}/exe') and os.path.exists(folder):
            return pid
    return '0'


def made():
    """The three files, installed into a folder of the test."""
    place = case.FOLDER / 'place'
    done = subprocess.run(
        ['make', '-s', '-C', TOP, '-o', 'all', 'install', f'DESTDIR={place}',
         'PREFIX=/usr'], capture_output=True, text=True)
    case.equal(done.returncode, 0, done.stdout + done.stderr)
    share = place / 'usr' / 'share'
    return (share / 'bash-completion' / 'completions' / 'xtrace',
            share / 'zsh' / 'site-functions' / '_xtrace',
            share / 'fish' / 'vendor_completions.d' / 'xtrace.fish')


def options():
    """The letter and the word of every option of --help."""
    run = case.start(case.XTRACE, '--help')
    run.wait()
    return set(re.findall(r'^ +(?:(-\w), )?(--[a-z-]+)', run.out, re.M))


def bash(script, *words, at=None):
    """The words that bash offers for the word with that number, or for the
    last one."""
    done = subprocess.run(['bash', '--norc', '-c', BASH, 'bash', script,
                           str(at or len(words)), 'xtrace', *words],
                          capture_output=True, text=True, errors='replace',
                          cwd=case.FOLDER, env=ENVIRONMENT)
    case.equal(done.stderr, '', f'stderr of bash for {words}')
    return [word for word in done.stdout.split('\n') if word]


def check_processes(complete):
    """complete() returns the processes that are offered for these digits. The
    numbers of several processes may begin with those of this one."""
    own = str(os.getpid())
    offered = complete(own)
    case.true(own in offered and all(pid.startswith(own) for pid in offered),
              f'processes: {own} in {offered}')
    case.true(other_process() not in complete(''), 'own processes')


def test_bash(script):
    offered = set(bash(script, '-'))
    for letter, word in options():
        case.true(word in offered, f'bash offers {word}')
        case.true(not letter or letter in offered, f'bash offers {letter}')
    for words, wanted in (
            (['--so'], ['--sort']),
            (['--sort', 'p'], ['p50', 'p95', 'p99']),
            (['--sort', '=', 'na'], ['name']),
            (['--color', '='], ['auto', 'always', 'never']),
            (['-F', 'some'], ['some.conf']),
            (['-ttTo', 'some'], ['some.conf']),
            (['--json', '=', 'some'], ['some.conf']),
            (['-u', 'roo'], ['root']),
            (['--check-config', 'some'], ['some.conf']),
            (['-x', 'f', '--', 'cat', 'some'], ['some.conf']),
            (['-n', '2', 'cat', 'some'], ['some.conf']),
            (['--group-by', 'wh'], ['where']),
            (['-D', 'protoc'], ['protocols']),
            (['-x', 'pus'], [])):
        case.equal(bash(script, *words), wanted, f'bash: {words}')
    # The program whose functions are offered is named behind the cursor, or by
    # -p before the cursor.
    for words, at, wanted in (
            (['-x', 'push_', './program'], 2, ['push_one', 'push_two']),
            (['-C', '-ttTx', 'pull-push_t', '--', './program', 'x'], 3,
             ['pull-push_two']),
            (['-e', 'put', '-n', '2', './program'], 2, ['puts']),
            (['-p', str(PROCESS.pid), '-x', 'push_o'], 4, ['push_one'])):
        case.equal(bash(script, *words, at=at), wanted, f'bash: {words}')
    check_processes(lambda digits: bash(script, '--attach', '=', digits))
    case.true('true' in bash(script, '-t', 'tru'), 'bash offers commands')


class Terminal:
    """A zsh with a terminal, as for a user who types."""

    def __init__(self, folder):
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.chdir(case.FOLDER)
            os.environ.update(ENVIRONMENT, TERM='dumb')
            os.execvp('zsh', ['zsh', '-f', '-i'])
        self.seen = ''
        self.type(ZSH % folder)
        self.await_text('\nready')

    def type(self, text):
        os.write(self.end, text.encode())

    def await_text(self, text):
        """Waits until the text appears in what was printed since the last
        call.
        """
        while text not in self.seen:
            if not select.select([self.end], [], [], case.LIMIT)[0]:
                case.fail(f'zsh: no {text!r} in {self.seen!r}')
            self.seen += os.read(self.end, 4096).decode(errors='replace')
        self.seen = self.seen.split(text, 1)[1]

    def completes(self, line, wanted):
        self.type(line + '\t')
        self.await_text(wanted)
        self.type('\x15')  # ^U empties the line

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
        terminal.completes('xtrace --group-by wh', 'where')
        terminal.completes('xtrace -D protoc', 'protocols')
        terminal.completes(f'xtrace -p {PROCESS.pid} -x pull-push_o',
                           'pull-push_one')
        terminal.completes(f'xtrace -p {str(PROCESS.pid)[:-1]}',
                           str(PROCESS.pid))
        terminal.close()


def fish(script, line):
    """What fish offers at the end of the line, without descriptions."""
    done = subprocess.run(['fish', '--no-config', '-c',
                           'source $argv[1]; complete -C $argv[2]', script,
                           f'xtrace {line}'], capture_output=True, text=True,
                          errors='replace', cwd=case.FOLDER, env=ENVIRONMENT)
    case.equal((done.returncode, done.stderr), (0, ''), f'fish, {line}')
    return [row.split('\t')[0] for row in done.stdout.splitlines()]


def test_fish(script):
    offered = set(fish(script, '-')) | set(fish(script, '--'))
    for letter, word in options():
        case.true(word in offered or f'{word}=' in offered,
                  f'fish offers {word}')
        case.true(not letter or letter in offered, f'fish offers {letter}')
    for line, wanted in (
            ('--so', ['--sort']),
            ('--sort p', ['p50', 'p95', 'p99']),
            ('--sort=na', ['--sort=name']),
            ('-F some', ['some.conf']),
            ('-u roo', ['root']),
            ('--group-by wh', ['where']),
            ('-D protoc', ['protocols']),
            ('--set sq', ['sql']),
            (f'-p {PROCESS.pid} -x push_o', ['push_one']),
            (f'-p {PROCESS.pid} -x pull-push_o', ['pull-push_one']),
            ('--check-config some', ['some.conf']),
            ('-x f -n 2 cat some', ['some.conf'])):
        case.equal([word.rstrip('=') for word in fish(script, line)], wanted,
                   f'fish: {line}')
    check_processes(lambda digits: fish(script, f'-p {digits}'))
    case.true('true' in fish(script, '-t tru'), 'fish offers commands')


def prepare():
    """Starts a program whose functions can be completed, and makes bin/xtrace
    for the shells. Returns the process."""
    source = case.FOLDER / 'program.c'
    source.write_text('#include <stdio.h>\n'
                      'void push_one(void) {}\nvoid push_two(void) {}\n'
                      'int pull(void) { return getchar(); }\n'
                      'int main(void) { puts("ready"); fflush(stdout);'
                      ' return pull() < 0; }\n')
    subprocess.run(['cc', '-o', case.FOLDER / 'program', source], check=True)
    (case.FOLDER / 'bin').mkdir()
    (case.FOLDER / 'bin' / 'xtrace').symlink_to(case.XTRACE)
    (case.FOLDER / 'some.conf').touch()
    process = case.start('./program')
    process.wait_for('ready')
    return process


def test():
    global PROCESS
    PROCESS = prepare()
    for_bash, for_zsh, for_fish = made()
    test_bash(for_bash)
    test_zsh(for_zsh)
    test_fish(for_fish)
    PROCESS.say('x')
    case.finish(PROCESS)


case.main(test)
