#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What stands in the README is true: its screens are what its commands print,
its short examples work, its files are there, and it is not too long.

NEEDS: /usr/bin/python3 ruby php perl
TIMEOUT: 60
"""
import os
import re
import shutil
import subprocess

import case

TOP = case.TESTS.parent
README = (TOP / 'README.md').read_text()
MASKS = [(r'\d\d:\d\d:\d\d\.\d+', 'TIME'), (r'0x[0-9a-f]+', 'ADDRESS'),
         (r'\d+(\.\d+)?(ns|us|ms|s)\b', 'SPAN'), (r'<\d+\.\d+>', '<SPAN>'),
         (r'\d+', 'N'), (r' +', ' ')]


def masked(lines):
    out = []
    for line in lines:
        line = line.replace(f'{TOP}/', '~/xtrace/')
        for pattern, text in MASKS:
            line = re.sub(pattern, text, line)
        if line.strip():
            out.append(line.strip())
    return out


def shell(script):
    """Its output and stderr, with xtrace in the PATH, from the top."""
    tools = case.FOLDER / 'bin'
    if not tools.exists():
        tools.mkdir()
        shutil.copy(case.XTRACE, tools)
        (case.FOLDER / 'share').mkdir()
        (case.FOLDER / 'share/xtrace').symlink_to(TOP / 'etc')
    done = subprocess.run(
        ['bash', '-c', script], cwd=TOP, text=True, errors='replace',
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, 'PATH': f'{tools}:/usr/bin:/bin', 'COLUMNS': '',
             'XDG_CONFIG_HOME': '/nowhere'})
    case.equal(done.returncode, 0, f'status of {script}: {done.stdout}')
    return done.stdout.splitlines()


def screens():
    """Commands with what they print: the indented blocks with a prompt."""
    for block in re.findall(r'(?:^    .*\n)+', README, re.M):
        lines = [line[4:] for line in block.splitlines()]
        commands = [line[2:] for line in lines if line.startswith('$ ')]
        if commands:
            yield commands, [line for line in lines
                             if not line.startswith('$ ')]


def test_screens():
    seen = 0
    for commands, wanted in screens():
        got = masked(shell('\n'.join(commands)))
        wanted = masked(wanted)
        if '-p $!' in commands[-1]:
            # How much of a running program one sees is a matter of time.
            missing = [line for line in wanted if line not in got]
            case.equal(missing, [], f'{commands} gave {got}')
        else:
            case.same(got, [line.replace('%', '%%') for line in wanted],
                      str(commands))
        seen += 1
    case.true(seen >= 4, f'{seen} screens')


def test_examples():
    """The lines under "Using it", with a script and a process to go with."""
    (case.FOLDER / 'script.py').write_text(
        'import sqlite3\nsqlite3.connect(":memory:").execute("SELECT 1")\n')
    (case.FOLDER / 'custom.conf').write_text(
        re.search(r'`custom\.conf` holds `([^`]+)`', README).group(1) + '\n')
    lines = re.findall(r'^    (xtrace .*?)(?: +#.*)?$', README, re.M)
    case.true(len(lines) >= 5, f'examples: {lines}')
    for line in lines:
        line = line.replace('script.py', f'{case.FOLDER}/script.py')
        line = line.replace('custom.conf', f'{case.FOLDER}/custom.conf')
        line = line.replace('slow.svg', f'{case.FOLDER}/slow.svg')
        if line.endswith('-p PID'):
            line = f'sleep 4 & {line.removesuffix("PID")}$!'
        got = shell(f'{line} >{case.FOLDER}/out')
        case.contains(got, '%num calls %any in them' if '--summary' in line
                      else '%any+++ exited (status 0) +++')
        if 'sqlite3_*' in line:
            case.contains(got, 'sqlite3_prepare_v2(%any "SELECT 1", %any')


def test_words():
    case.true(README.count('\n') < 200, 'under 200 lines')
    for name in re.findall(r'\]\(([^)]+)\)', README):
        case.true((TOP / name).exists(), f'{name} exists')
    run = case.start(case.XTRACE, '--help')
    run.wait()
    for word in re.findall(r'(?<![\w-])--?[a-z][a-z-]*', README, re.I):
        for letter in [f'-{each}' for each in word[1:]] \
                if word[1] != '-' else [word]:
            case.true(re.search(rf'[ ,]{letter}[ ,=\[\n]', run.out)
                      or word == '-b' and 'dpkg-buildpackage' in README,
                      f'{letter} of {word} is an option')


def test():
    test_words()
    test_examples()
    test_screens()


case.main(test)
