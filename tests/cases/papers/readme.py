#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The README is true: its screens are what its commands print, its short
examples work, its files exist, its figures are those of the papers from which
they come, its picture shows the program that it names, and it is not too long.

NEEDS: /usr/bin/python3 ruby php perl
TIMEOUT: 240
"""
import ast
import os
import re
import shutil
import subprocess

import case

TOP = case.TESTS.parent
README = (TOP / 'README.md').read_text()
# Starts a process, and waits until that process has become sleep(1).
SLEEPS = 'sleep 1 & until grep -q sleep /proc/$!/comm; do :; done'
# Starts a process with a heap, and waits until it runs.
OBJECTS = 'coproc python3 -c "print(1, flush=True); input()" 2>/dev/null; ' \
    'read -u ${COPROC[0]}'
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
    """Runs a command in the top folder, with xtrace in the PATH; returns its
    output and its stderr.
    """
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
    """The commands with what they print: indented blocks with a prompt."""
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
            # How many calls of a running program are shown depends on the
            # time.
            missing = [line for line in wanted if line not in got]
            case.equal(missing, [], f'{commands} gave {got}')
        else:
            case.same(got, [line.replace('%', '%%') for line in wanted],
                      str(commands))
        seen += 1
    case.true(seen >= 4, f'{seen} screens')


def wanted_of(line):
    """For a command whose output varies: the pattern (expect.py) of a line that
    it prints."""
    if '--dump' in line:
        return 'thread %num (sleep), %any'
    if '--requests' in line:
        return '%num requests with %any'
    if '--transactions' in line:
        return '0 transactions: %any'
    if '--sample' in line:
        return '%any in all, %num samples of %num thread%any'
    if '--heap' in line:
        return '%any  in all' + ('' if '--interval' in line else ', of %any')
    if '--summary' in line:
        return '%num calls %any'
    return '%any+++ exited (status 0) +++'


def test_examples():
    """The lines of the cookbook, run with a script and a process."""
    (case.FOLDER / 'script.py').write_text(
        'import sqlite3\nsqlite3.connect(":memory:").execute("SELECT 1")\n')
    (case.FOLDER / 'custom.conf').write_text(
        re.search(r'`custom\.conf` holds `([^`]+)`', README).group(1) + '\n')
    lines = re.findall(r'^    (xtrace .*?)(?: +#.*)?$', README, re.M)
    case.true(len(lines) >= 10, f'examples: {lines}')
    for line in lines:
        line = line.replace('script.py', f'{case.FOLDER}/script.py')
        line = line.replace('custom.conf', f'{case.FOLDER}/custom.conf')
        line = line.replace('=slow.', f'={case.FOLDER}/slow.')
        if '--heap' in line:
            line = f'{OBJECTS}; {line.removesuffix("PID")}$COPROC_PID || exit'
        if line.endswith('-p PID'):
            line = f'{SLEEPS}; {line.removesuffix("PID")}$!'
        got = shell(line)
        if '--flame' in line:
            case.equal(got, [], f'{line}: what is printed')
            got = (case.FOLDER / 'slow.svg').read_text().splitlines()
            case.contains(got, '</svg>')
        elif '--json' in line:
            got = (case.FOLDER / 'slow.jsonl').read_text().splitlines()
            case.contains(got, '{"event":"exited",%any}')
        elif '--prometheus=9464' in line or '--otlp' in line:
            case.equal(got, [], f'{line}: what is printed')
        elif '--prometheus' in line:
            got = (case.FOLDER / 'slow.prom').read_text().splitlines()
            case.contains(got, '# TYPE xtrace_query_duration_seconds histogram')
        elif '--slow-log' in line:
            got = (case.FOLDER / 'slow.log').read_text().splitlines()
            case.contains(got, '%any xtrace%any started with:')
        else:
            case.contains(got, wanted_of(line))
        if 'sqlite3_*' in line:
            case.contains(got, 'sqlite3_prepare_v2(%any "SELECT 1", %any')


def test_words():
    case.true(README.count('\n') < 200, 'under 200 lines')
    for name in re.findall(r'\]\(([^)]+)\)|src="([^"]+)"', README):
        name = ''.join(name)
        case.true(name.startswith('https://') or (TOP / name).exists(),
                  f'{name} exists')
    run = case.start(case.XTRACE, '--help')
    run.wait()
    for word in re.findall(r'(?<![\w-])--?[a-z][a-z-]*', README, re.I):
        for letter in [f'-{each}' for each in word[1:]] \
                if word[1] != '-' else [word]:
            case.true(re.search(rf'[ ,]{letter}[ ,=\[\n]', run.out)
                      or word == '-b' and 'dpkg-buildpackage' in README,
                      f'{letter} of {word} is an option')


def test_figures():
    drivers = re.findall(r'^\| (?:Python|Ruby|PHP|Perl) \|', (
        TOP / 'docs/DRIVERS.md').read_text(), re.M)
    case.true(f'Queries: {len(drivers)} drivers' in README, 'drivers')
    versions = re.search(r'Stacks of scripts: (.*?)\. ', README).group(1)
    case.equal(versions.split(', '), re.findall(
        r'^LANGUAGE\(\w+, \w+, "(.*)"\)', (
            TOP / 'stacks/languages.def').read_text(), re.M), 'languages')
    table = (TOP / 'bench/README.md').read_text()
    costs = re.search(r'\n## What it costs\n.*?\n\n((?:- .*\n)+)', README,
                      re.S).group(1)
    figures = re.findall(r'[\d.]+\d (?:us|ms)', costs)
    case.true(len(figures) >= 3, f'figures: {figures}')
    for figure in figures:
        number, unit = figure.split()
        case.true(re.search(rf'(?<![\d.]){number}(?!\d).*\b{unit}\b', table),
                  f'{figure} is in bench/README.md')


def test_picture():
    """docs/flame.svg: its frames are functions at lines of demo/shop.py."""
    around = {}
    for node in ast.walk(ast.parse((TOP / 'demo/shop.py').read_text())):
        if isinstance(node, ast.FunctionDef):
            for line in range(node.lineno, node.end_lineno + 1):
                around[line] = node.name
    text = (TOP / 'docs/flame.svg').read_text()
    frames = set(re.findall(
        r'>(\w+|&lt;\w+&gt;) \(demo/shop\.py:(\d+)\)', text))
    case.true(len(frames) > 5, f'frames: {frames}; make pictures draws them')
    for name, line in frames:
        case.true(name in (around.get(int(line)), '&lt;module&gt;',
                           '&lt;listcomp&gt;'),
                  f'{name} is around line {line}; make pictures draws it anew')


def test():
    test_words()
    test_figures()
    test_picture()
    test_examples()
    test_screens()


case.main(test)
