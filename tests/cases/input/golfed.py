#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that were made as short as possible: the program header overlaps the
ELF header, and the bytes behind the magic number, which the kernel does not
look at, are code. They are traced like others.

TIMEOUT: 60
"""
import struct

import case

BASE = 0x400000
PLACE = 0x38  # of the program header, within the ELF header
# getpid(); exit(5)
CODE = bytes.fromhex('b827000000' '0f05' 'b83c000000' 'bf05000000' '0f05')


def golfed(name, ident):
    size = PLACE + 56 + len(CODE)
    header = b'\x7fELF' + ident + struct.pack(
        '<HHIQQQIHH', 2, 62, 1, BASE + PLACE + 56, PLACE, 0, 0, 64, 56)
    # Its first two bytes are e_phnum: one segment.
    segment = struct.pack('<IIQQQQQQ', 1, 5, 0, BASE, BASE, size, size, 0x1000)
    program = case.FOLDER / name
    program.write_bytes(header + segment + CODE)
    program.chmod(0o755)
    return program


def test():
    for name, ident in (('said', b'\2\1\1' + bytes(9)), ('code', b'\x90' * 12)):
        program = golfed(name, ident)
        tracer = case.trace('-F', case.TESTS.parent / 'etc', '-L', '-S',
                            command=[program])
        case.equal(tracer.wait(), 5, f'{name}: status')
        case.same(tracer.calls(), ['getpid@SYS() = %num',
                                   'exit@SYS(5 <no return ...>'], name)


case.main(test)
