#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A filter names a library by its path: either the path that the loader used,
which contains a symbolic link, or the path to which the link leads.
"""
import pathlib
import shutil

import case


def test():
    program = case.build('linked.c')
    library = pathlib.Path(program).parent / 'libmod.so'
    real, linked = case.FOLDER / 'real', case.FOLDER / 'link'
    real.mkdir()
    shutil.move(library, real)
    linked.symlink_to(real)
    for path in (linked, real, 'link', 'real'):
        tracer = case.trace('-x', f'f@{path}/libmod.so',
                            command=[program], env={'LD_LIBRARY_PATH': str(linked)})
        tracer.wait()
        case.equal(case.count(tracer.lines(), 'f(%any'), 1, f'by {path}')


case.main(test)
