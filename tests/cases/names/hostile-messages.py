#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hostile bytes in messages: words of the command line, names and contents of
files, names of processes, functions and libraries contain what a terminal
would obey. Each message remains one line.

TIMEOUT: 60
"""
import re

import case
from hostilecase import (FIRST_LIB, REFUSED, REFUSED_LIB, TRACED, build, check,
                         main, rows, run)

BAD = 'x\x1b[31m\n+++ exited (status 0) +++\u202e\x9b'
SHOWN = r'x\033[31m\n+++ exited (status 0) +++\342\200\256\302\233'
NONE = 'No such file or directory'


def said(*options, command=(), status=2, lines=1, text=None):
    """xtrace prints exactly this many lines."""
    what = ' '.join(map(repr, options))
    got = rows(run(*options, command=command, status=status), what)
    check(len(got) == lines and got[0].startswith('xtrace: ') and
          all(line.startswith('  ') for line in got[1:]), f'{what}: {got}')
    check(text is None or got[:1] == [f'xtrace: {text}'],
          f'{what}: {got[:1]}, not {text}')
    return got


def test_files():
    for command in (BAD, './' + BAD):
        said('-x', 'f', command=[command], status=127)
    script = case.FOLDER / f'{BAD}.sh'
    script.write_text('#!/no/such/\x1b[31minterpreter\n')
    script.chmod(0o755)
    said('-x', 'f', command=[script], status=126)
    said('-F', BAD, command=['true'], status=1, text=f'{SHOWN}: {NONE}')
    said('-o', f'{BAD}/x', command=['true'], status=1,
         text=f'{SHOWN}/x: cannot be written: {NONE}')
    said('-ff', '-o', f'{BAD}/x', command=['true'], status=1)
    said(f'--json={BAD}/x', command=['true'], status=1)
    said('-o', BAD, f'--json={BAD}', command=['true'])
    said('--flame', BAD, command=['true'])
    said('--draw-flame', BAD)


def test_words():
    said(f'--{BAD}')
    said('-\x1b')
    for option in ('--limit', '--duration', '-p', '-u', '-D', '--sort',
                   '--color', '--format', '--weight', '--set'):
        said(option, BAD, command=['true'])
    said('--attach-name', BAD, status=1)
    said('--show-prototype', BAD, status=1,
         text=f"there is no prototype for '{SHOWN}'")
    said('-l', f'{BAD}[', command=['true'])


def test_carets():
    """The caret is below the word that it marks, also behind escapes."""
    got = said('-x', 'ab\n\x1bc++d', command=['true'], lines=3)
    check(got[1:] == [r'  ab\n\033c++d', ' ' * 12 + '^'], f'a filter: {got}')
    got = said('--if', 'arg1 == "\x1b" )', '-x', 'f', command=['true'],
               lines=3)
    check(got[1:] == [r'  arg1 == "\033" )', ' ' * 17 + '^'],
          f'a condition: {got}')


def test_prototypes():
    bad = case.FOLDER / f'{BAD}.conf'
    bad.write_text(f'int f(int \x1b[31m;\nimport "{BAD[:6]}";\n')
    got = rows(run('--check-config', bad.name, status=1), '--check-config')
    check(got and all(line.startswith((f'{SHOWN}.conf:', '  '))
                      for line in got), f'--check-config: {got}')
    got = rows(run('-F', bad.name, '-x', 'getpid', '-o', '/dev/null',
                   command=['true']), 'prototypes')
    check(all(line.startswith('xtrace: ') for line in got) and
          got[0].startswith(f'xtrace: {SHOWN}.conf:1:'), f'prototypes: {got}')
    good = case.FOLDER / f'{BAD}good.conf'
    good.write_text('int f(int);\n')
    shown = case.start(case.XTRACE, '-F', good.name, '--show-prototype', 'f')
    case.equal(shown.wait(), 0, shown.err)
    got = rows(shown.output['out'], '--show-prototype')
    check(got == [f'{SHOWN}good.conf:1: int f(int);'], f'{got}')


def test_sets():
    folder = case.FOLDER / 'config' / 'xtrace' / 'sets'
    folder.mkdir(parents=True)
    (folder / f'{BAD}.conf').write_text('set "what \x1b is"\n')
    listed = case.start(case.XTRACE, '--set', 'help',
                        env={'XDG_CONFIG_HOME': str(case.FOLDER / 'config')})
    case.equal(listed.wait(), 0, listed.err)
    check(any(line.startswith(SHOWN) for line in
              rows(listed.output['out'], '--set help')), listed.out)


def test_traced(program):
    said('-x', '*refused*', '-o', '/dev/null', command=[program], status=0,
         text=f'{REFUSED[1]}@{REFUSED_LIB[1]} is not traced: a system call')
    got = rows(run('-x', 'no\x1b]0;x\nforged', '-o', '/dev/null',
                   command=['true']), 'what matches nothing')
    check(got and all(line.startswith('xtrace: ') for line in got) and
          r'no\033]0;x\nforged' in got[0], f'what matches nothing: {got}')
    got = rows(run('-D', 'all', '-o', '/dev/null', '-x', TRACED,
                   command=[program]), '-D')
    check(any(FIRST_LIB[1] in line for line in got), 'a library in the log')
    check(all(re.match(r'xtrace(\[\w+\])?: ', line) for line in got),
          f'the log: {got}')


def test_processes(program):
    """xtrace's own name has hostile bytes: another xtrace, which cannot
    attach, names it in a message."""
    subject = case.start(program, 'wait')
    subject.wait_for('ready')
    link = case.FOLDER / 'x\x1b[31m\nis'
    link.symlink_to(case.XTRACE)
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)], program=link)
    case.child.wait_attached(subject.pid, tracer.child, case.LIMIT)
    line, = said('-x', 'f', '-p', str(subject.pid), status=1)
    check(re.fullmatch(f'xtrace: process {subject.pid} is already traced, by '
                       r'x\\033\[31m\\nis \(\d+\)', line), line)
    tracer.leave()
    subject.say('go')
    case.finish(subject)


def test():
    program, _ = build()
    test_files()
    test_words()
    test_carets()
    test_prototypes()
    test_sets()
    test_traced(program)
    test_processes(program)


main(test)
