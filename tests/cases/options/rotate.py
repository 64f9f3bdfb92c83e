#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--rotate: a file that has grown to its size becomes FILE.1, older ones move
on, and the last is lost. Each line is whole and in one file. SIGHUP opens the
files anew, as logrotate wants, and does not end xtrace. A file that cannot be
renamed continues to grow. The output and the status are as untraced."""
import json
import os
import re
import signal

import case

SIZE = 4096
LAST = 2000


def numbers(text):
    """The arguments of the calls in a file; each line must be whole."""
    case.true(text == '' or text.endswith('\n'), f'a torn line: {text[-80:]!r}')
    found = []
    for line in text.splitlines():
        if line.startswith('{'):
            row = json.loads(line)
            found += ([row['arguments'][0]['value']]
                      if row['event'] == 'call' else [])
        elif not line.startswith(('+++', '---')):
            found.append(int(re.fullmatch(r'f\((\d+)\) += \1', line)[1]))
    return found


def files(name):
    """The contents of NAME.keep to NAME.1 and NAME."""
    paths = sorted(case.FOLDER.glob(f'{name}.*'),
                   key=lambda path: -int(path.suffix[1:]))
    return [path.read_text() for path in [*paths, case.FOLDER / name]]


def run(program, *options):
    untraced = case.untraced(program, feed=['go'])
    tracer = case.start(case.XTRACE, '-F', 'p.conf', '-x', 'f', *options,
                        '--', program)
    tracer.wait_for('ready')
    tracer.say('go')
    case.equal((tracer.wait(), tracer.out, tracer.err), untraced,
               f'{options}: as untraced')


def test_size(program):
    run(program, '--rotate', '4K,keep=3', '-o', 'lines', '--json=events')
    for name in 'lines', 'events':
        parts = files(name)
        case.equal(len(parts), 4, f'files of {name}')
        for part in parts[:-1]:
            case.true(SIZE <= len(part) < 2 * SIZE, f'{name}: {len(part)} B')
        seen = [number for part in parts for number in numbers(part)]
        case.true(len(seen) > 10, f'{name}: {len(seen)} calls')
        case.equal(seen, list(range(LAST + 1 - len(seen), LAST + 1)), name)
    run(program, '--rotate', '4K,keep=1000', '-o', 'all')
    parts = files('all')
    case.true(len(parts) > 5, f'{len(parts)} files')
    case.equal([number for part in parts for number in numbers(part)],
               list(range(1, LAST + 1)), 'all calls, each once')


def test_hangup(program):
    subject = case.start(program)
    subject.wait_for('ready')
    path, old = case.FOLDER / 'log', case.FOLDER / 'log-old'
    path.touch(0o640)
    os.chmod(path, 0o640)
    tracer = case.attach(subject, '-F', 'p.conf', '-x', 'f', '--rotate', '0',
                         '--json=log', to_file=False)
    for _ in range(2):
        path.rename(old)
        tracer.send(signal.SIGHUP)
        case.until(path.exists, 'the new file')
    subject.say('go')
    case.finish(subject, 5)
    tracer.wait(0)
    case.equal(numbers(old.read_text()), [], 'the old file')
    case.equal(numbers(path.read_text()), list(range(1001, LAST + 1)),
               'the new file')
    case.equal(path.stat().st_mode & 0o777, 0o640, 'its permissions')


def test_no_rename(program):
    """FILE.1 is a folder, which no file can replace."""
    (case.FOLDER / 'stays.1').mkdir()
    run(program, '--rotate', '4K', '-o', 'stays')
    case.equal(numbers((case.FOLDER / 'stays').read_text()),
               list(range(1, LAST + 1)), 'all in one file')


def test():
    (case.FOLDER / 'p.conf').write_text('int f(int);\n')
    program = case.build('rotating.c')
    test_size(program)
    test_hangup(program)
    test_no_rename(program)


case.main(test)
