#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Each row of output/formats.def is in --help, the manual and the completions,
and xtrace writes that format.

NEEDS: plain make
TIMEOUT: 60
"""
import re
import subprocess

import case

TOP = case.TESTS.parent
STRING = r'(?:NULL|"([^"]*)")'


def rows():
    """(option, word or '', extension or '', what the help says)"""
    options = dict(re.findall(
        r'^OPTION\((\w+), (?:\'.\'|0), "([^"]+)"',
        (TOP / 'tracer/options/options.def').read_text(), re.M))
    text = (TOP / 'output/formats.def').read_text()
    found = [(options[option], word, extension, says)
             for option, word, extension, says in re.findall(
                 rf'^FORMAT\(\w+, (\w+), {STRING}, {STRING}, \w+, \w+,'
                 r'\s+"([^"]*)"\)', text, re.M)]
    found += [('format', word, '', says) for word, says in re.findall(
        r'^EXPORT\(\w+, "([^"]+)", \w+, \w+,\s+"([^"]*)"\)', text, re.M)]
    case.equal(len(found), len(re.findall(r'^(?:FORMAT|EXPORT)\(', text, re.M)),
               'rows that are understood')
    case.true(len(found) >= 10, f'formats of the table: {found}')
    return found


def entry(option):
    """The lines of an option in --help."""
    run = case.start(case.XTRACE, '--help')
    run.wait()
    found = re.search(rf'^ +(?:-\w, )?--{option}\b.*\n(?: {{20,}}.*\n)*', run.out,
                      re.M)
    case.true(found, f'--{option} is in --help')
    return found[0]


def completions():
    done = subprocess.run(['make', '-s', '-C', TOP, 'completions'],
                          capture_output=True, text=True)
    case.equal(done.returncode, 0, done.stdout + done.stderr)
    folder = TOP / 'build/completion'
    return [(folder / name).read_text() for name in ('xtrace.bash', '_xtrace')]


def test_told():
    manual = (TOP / 'docs/xtrace.1').read_text().replace('\\-', '-')
    _, _, listed = manual.partition('.\\" formats:')
    listed = listed.partition('.\\" end of formats')[0]
    bash, zsh = completions()
    words = [word for _, word, _, _ in rows() if word]
    for option, word, extension, says in rows():
        what = f'{option} {word}{extension}'
        case.true(extension in entry(option), f'--help: {what}')
        head = rf'^\.TP\n.*--{option} ?{word}\\fP.*{re.escape(extension)}.*\n'
        case.true(re.search(head + re.escape(says) + r'\.$', listed,
                            re.M | re.I), f'the manual: {what}: {says}')
        case.true(f'\t[--{option}]=' in bash, f'bash: {what}')
        case.true(re.search(rf"'\*'.*--{option}\b", zsh), f'zsh: {what}')
        if word:
            case.true(f'--{option} {"|".join(words)}\n' in entry(option),
                      f'--help: {what}')
            case.true(f"[--{option}]='{'|'.join(words)}'\n" in bash,
                      f'bash: {what}')
            case.true(re.search(rf'--{option}=.*:\({" ".join(words)}\)', zsh),
                      f'zsh: {what}')


def written(asked, path):
    """Traces `true`, or a query for --otlp. The output must not be empty."""
    query = [case.PYTHON, '-c', 'import sqlite3\n'
             'sqlite3.connect(":memory:").execute("select 1")']
    tracer = case.trace(asked, command=query if '--otlp' in asked else ['true'])
    tracer.wait(0)
    case.true((path or tracer.path).stat().st_size > 0, asked)


def on_terminal(path):
    """--live needs a terminal: script(1) gives it one. The table of the end is
    written into the file of -o."""
    line = f'{case.XTRACE} --live -o {path} true </dev/null >/dev/null 2>&1'
    run = case.start('script', '-qec', line, '/dev/null', env={'TERM': 'xterm'})
    case.equal(run.wait(), 0, f'{line}: {run.out}')
    case.true(path.stat().st_size > 0, line)


def test_written():
    """Traces a program in this format, once instead of the lines and once into a
    file.
    """
    for number, (option, word, extension, _) in enumerate(rows()):
        asked = f'--{option}={word}' if word else f'--{option}'
        path = case.FOLDER / f'{number}{extension}'
        head = entry(option).splitlines()[0]
        if option == 'live':
            on_terminal(path)
        elif word or f'--{option} FILE' not in head:
            written(asked, None)
        if word or 'FILE' in head:
            written(f'{asked}{":" if word else "="}{path}', path)


def test():
    test_told()
    test_written()


case.main(test)
