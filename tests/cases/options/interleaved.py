#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""If the trace and the program's output go to one pipe, or to one file (2>&1),
their lines are in the right order.
"""
import json
import subprocess

import case


def run(*options):
    program = case.build('interleaved.c')
    words = [case.XTRACE, '-F', 'p.conf', '-a', '0', '-x', 'f', *options,
             program]
    piped = subprocess.run(words, stdout=subprocess.PIPE, timeout=case.LIMIT,
                           stderr=subprocess.STDOUT, cwd=case.FOLDER,
                           check=True).stdout.decode()
    with open(case.FOLDER / 'both', 'a+', encoding='utf-8') as both:
        subprocess.run(words, stdout=both, stderr=both, timeout=case.LIMIT,
                       cwd=case.FOLDER, check=True)
        both.seek(0)
        yield from (piped.splitlines(), both.read().splitlines())
        both.truncate(0)


def test():
    (case.FOLDER / 'p.conf').write_text('int f(int);\n')
    wanted = []
    for number in range(1, 5):
        wanted += [f'f({number}) = {2 * number}', str(number)]
    for lines in run():
        case.same(lines, [*wanted, '+++ exited (status 0) +++'], 'lines')
    for lines in run('--json'):
        case.equal([json.loads(line).get('event') if line[0] == '{' else line
                    for line in lines],
                   ['start', 'call', '1', 'call', '2', 'call', '3', 'call',
                    '4', 'exited'], 'JSON')


case.main(test)
