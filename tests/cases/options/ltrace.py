#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Under the name ltrace, xtrace prints ltrace's lines, for each of its
options. Both trace the same program, and numbers that differ from run to run
are masked. --style gives either style under either name.

NEEDS: ltrace
"""
import re

import case

RUNS = [
    '', '-x g', '-x own', '-x f@libmod.so', '-L -x f+own+g', '-e f', '-e @MAIN',
    '-e g@libmod.so', '-l libmod.so', '-x g -e f', '-n 3 -x g', '-s 4', '-A 2',
    '-b', '-a 20', '-a 100', '-i -e f', '-t -e f', '-tt -e f', '-ttt -e f',
    '-T -e f', '-r -e f', '-C -e f', '-c -e f+text', '-f -e f',
    '--align=60 --no-signals', '--indent=2 -x g',
]
# Functions whose calls ltrace does not see: they do not go through the PLT.
STARTUP = re.compile(r'(->|^|\s)(__libc_start_main|__cxa_finalize)\(')
MASKS = [(r'\b\d\d:\d\d:\d\d(\.\d{6})?', 'TIME'), (r'\b\d{10}\.\d{6}', 'EPOCH'),
         (r'<\d+\.\d{6}>', '<DURATION>'), (r'^ +\d+\.\d{6}', 'SINCE'),
         (r'0x[0-9a-f]{8,}', 'ADDRESS'), (r'^\d+ ', 'PID '),
         (r'0x[0-9a-f]{5,7}', 'ADDRESS'),
         # With -i, ltrace prints an address also before "+++" and "---".
         (r'^\[ADDRESS\] (?=[-+]{3} )', '')]
TABLE_ROW = re.compile(r'^ *[\d.]+ +[\d.]+ +(\d+ +)?(\d+) (\w+)$')


def masked(lines):
    out = []
    for line in lines:
        row = TABLE_ROW.match(line)
        if STARTUP.search(line):
            continue
        if row:
            line = f'{row.group(2)} {row.group(3)}'
        for pattern, text in MASKS:
            line = re.sub(pattern, text, line)
        out.append(line.rstrip())
    return sorted(out) if any('usecs/call' in line for line in out) else out


def trace(program, options, command):
    run = case.start(program, '-F', 'p.conf', '-o', 'trace', *options, command,
                     env={'COLUMNS': '', 'XDG_CONFIG_HOME': '/nowhere'})
    case.equal(run.wait(), 0, f'status of {program} {options}: {run.err}')
    return masked((case.FOLDER / 'trace').read_text(errors='replace')
                  .splitlines())


def test():
    program = case.build('ltrace.c')
    (case.FOLDER / 'p.conf').write_text(
        'int f(int);\nint g(int);\nint own(int);\n'
        'string text(string, hex(int));\nvoid nothing(char);\n')
    ours = case.FOLDER / 'bin' / 'ltrace'
    ours.parent.mkdir()
    ours.symlink_to(case.XTRACE)
    faults = []
    for options in RUNS:
        theirs = trace('/usr/bin/ltrace', options.split(), program)
        mine = trace(ours, options.split(), program)
        if mine != theirs:
            faults += [f'{options}:', *[f'  ltrace {a}' for a in theirs],
                       *[f'  xtrace {a}' for a in mine]]
    if faults:
        case.fail(*faults)
    for style, same, other in ('ltrace', ours, case.XTRACE), \
                              ('xtrace', case.XTRACE, ours):
        options = ['-x', 'g', '-e', 'f+text']
        case.equal(trace(other, [f'--style={style}', *options], program),
                   trace(same, options, program), f'--style={style}')


case.main(test)
