#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A disk that is full: whichever output has its file there, xtrace prints one line
that names the file, and ends with status 1. The output of the program is as
untraced, and it makes all of its queries.

NEEDS: root unshare
"""
import case

SCRIPT = '''
import sqlite3
run = sqlite3.connect(':memory:', isolation_level=None).execute
print(sum(run(f'select {number}').fetchone()[0] for number in range(300)))
'''
OUTPUTS = {'-o': '', '--json': '', '--otlp': '', '--slow-log': '',
           '--prometheus': '.prom', '--summary': '', '--folded': '',
           '--flame': '.svg'}
# The file system of a new mount namespace has no room left, but for names.
FILL = 'mount -t tmpfs -o size=64k none "$1" && shift && ' \
    '{ cat /dev/zero >"$0/rest" || true; } 2>/dev/null && exec "$@"'


def run(option, end, script):
    folder = case.FOLDER / 'full'
    file = f'{folder}/out{end}'
    words = [option, file] if option == '-o' else [f'{option}={file}']
    if option == '--summary':
        words = ['--summary', '-o', file]
    tracer = case.start('unshare', '--mount', 'sh', '-c', FILL, folder, folder,
                        case.XTRACE, '--sql', *words, '--', case.PYTHON, script)
    case.equal((tracer.wait(), tracer.out, tracer.err),
               (1, f'{sum(range(300))}\n', f'xtrace: {file} could not be '
                'written: No space left on device\n'), f'{option}')


def test():
    script = case.FOLDER / 'script.py'
    script.write_text(SCRIPT)
    (case.FOLDER / 'full').mkdir()
    for option, end in OUTPUTS.items():
        run(option, end, script)


case.main(test)
