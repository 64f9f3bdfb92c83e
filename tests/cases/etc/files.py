#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every shipped file is read without a complaint, also the sets and files that
only import another file, and `xtrace --check-config` agrees. Every alias names
an existing file, and no file has the name of an alias.
"""
import case
import prototypes

SYSTEM_CALLS = 'syscalls.conf'


def test():
    files = sorted([*prototypes.ETC.glob('*.conf'),
                    *prototypes.ETC.glob('parts/*.conf')])
    sets = sorted(prototypes.ETC.glob('sets/*.conf'))
    table = prototypes.ETC / 'aliases'
    case.true(files and sets, 'there are files')
    out, err = prototypes.run(case.XTRACE, '--check-config', *files, *sets,
                              table)
    case.equal((out, err), ('', ''), '--check-config')
    program = prototypes.model_program()
    for file in files:
        model = prototypes.Model(program, [file])
        # Some system calls differ from the C library's function of that name.
        differs = f'also {SYSTEM_CALLS}:'
        case.equal([complaint for complaint in model.complaints
                    if file.name != SYSTEM_CALLS or differs not in complaint],
                   [], file.name)
    for file in [*files, table]:
        long = [number for number, line in enumerate(
            file.read_text().splitlines(), 1) if len(line.expandtabs(8)) > 80]
        case.equal(long, [], f'lines of {file.name} that are too long')
    names = [line.split()[0] for line in table.read_text().splitlines()
             if line and line[0] != '#']
    shadowed = [name for name in names
                if (prototypes.ETC / f'{name}.conf').exists()]
    case.equal(shadowed, [], 'aliases that a file comes before')


case.main(test)
