#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Under the name ltrace, xtrace finds prototypes where ltrace finds them. The
first place wins. Root does not read a file of another user.
"""
import os

import case

PLACES = ['config/ltrace/libmod.so.conf', 'home/.ltrace/libmod.so.conf',
          'dirs/ltrace/libmod.so.conf', 'home/.ltrace.conf']


def shown(program, name, *options):
    run = case.start(name, '-o', 'trace', '-x', 'g', *options, program, env={
        'XDG_CONFIG_HOME': str(case.FOLDER / 'config'),
        'XDG_CONFIG_DIRS': f'relative:{case.FOLDER}/dirs',
        'HOME': str(case.FOLDER / 'home')})
    run.wait()
    lines = (case.FOLDER / 'trace').read_text().splitlines()
    return next(line for line in lines if line.startswith('g')), run.err


def test():
    program = case.build('ltrace.c')
    ltrace = case.FOLDER / 'bin' / 'ltrace'
    ltrace.parent.mkdir()
    ltrace.symlink_to(case.XTRACE)
    for number, place in enumerate(PLACES, 1):
        path = case.FOLDER / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'typedef place = enum(PLACE{number} = 10);\n'
                        'void g(place);\n')
    for number, place in enumerate(PLACES, 1):
        line, said = shown(program, ltrace)
        case.true(f'(PLACE{number})' in line, f'{place}: {line} {said}')
        case.equal(said, '', 'nothing is said')
        case.true('PLACE' not in shown(program, case.XTRACE)[0], 'as xtrace')
        if number == 4:
            line, _ = shown(program, ltrace, '-F', os.devnull)
            case.true('PLACE' not in line, f'-F replaces the file: {line}')
        (case.FOLDER / place).unlink()
    (case.FOLDER / PLACES[3]).write_text('void g(bool(int));\n')
    if os.getuid() == 0:
        os.chown(case.FOLDER / PLACES[3], 65534, 65534)
        line, said = shown(program, ltrace)
        case.true('true' not in line, f'of another user: {line}')
        case.true('belongs to another user' in said, f'said: {said}')


case.main(test)
