#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every file that we ship is read without a complaint, also those that only
import another, and `xtrace --check-config` says the same."""
import case
import prototypes


def test():
    files = sorted(prototypes.ETC.glob('*.conf'))
    case.true(files, 'there are files')
    out, err = prototypes.run(case.XTRACE, '--check-config', *files)
    case.equal((out, err), ('', ''), '--check-config')
    program = prototypes.model_program()
    for file in files:
        model = prototypes.Model(program, [file.name])
        case.equal(model.complaints, [], file.name)
    for file in files:
        long = [number for number, line in enumerate(
            file.read_text().splitlines(), 1) if len(line.expandtabs(8)) > 80]
        case.equal(long, [], f'lines of {file.name} that are too long')


case.main(test)
