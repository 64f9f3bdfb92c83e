#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The prototypes of libc and libm, parsed for 32-bit programs and compared with
the headers as gcc -m32 reads them (prototypes.py). The structs in LEFT_OUT have
another layout in 32-bit programs: etc/32 has other types in their place, or
shows them by their address.

NEEDS: /lib32/libm.so.6
TIMEOUT: 120
"""
import pathlib

import case
import libc_headers
import prototypes
from prototypes import Set

FOLDER = pathlib.Path('/lib32')
LEFT_OUT = r'struct (stat|statvfs|sysinfo|sigevent)(,.*)?'
# The numbers of i386's system calls, and ioctl requests that contain the size
# of a long: xtrace knows no name for them. ~0ul is not -1 as a long long.
CONSTANTS = r'SYS_\w+|BLKGETSIZE64|FS_IOC_[GS]ETFLAGS|RLIM_INFINITY'


def test():
    libraries = [name for name in libc_headers.LIBRARIES
                 if (FOLDER / name).exists()]
    each = Set('libc, libm of 32 bits', ['libc.so.6.conf', 'libm.so.conf'],
               [*libraries, 'ld-linux.so.2'], libc_headers.SOURCE, ['-m32'], word=4,
               folder=FOLDER, first=['32/libc.so.6.conf'],
               left_out=f'{LEFT_OUT}|{CONSTANTS}')
    faults, figure, *_ = prototypes.check(
        prototypes.model_program(), each,
        prototypes.elsewhere() | {'arch_prctl', '__arch_prctl'})
    prototypes.finish('narrow', faults, [figure])


case.main(test)
