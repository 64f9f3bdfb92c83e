#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs of gcc 14 and g++ 14, compiled in a Debian 13 root, which is the
root of the traced process, too. The subjects, the options and the expected
lines are those of program.c and cxx.cc, which Debian 12's compilers make. The
debug information is in the program, or in a separate file that only this root
has.

NEEDS: root chroot
SLOW:
TIMEOUT: 600
"""
import os
import pathlib
import re
import shutil
import subprocess

import case
import debian
from page import Page

PACKAGES = ['gcc-14', 'g++-14', 'libc6-dev', 'libc-bin']
ENV = {'LC_ALL': 'C', 'PATH': '/usr/bin:/usr/sbin:/bin:/sbin'}
PAGES = {'program.c': 'gcc-14', 'cxx.cc': 'g++-14'}
VARIANTS = {'dwarf5': [], 'dwarf4': ['-gdwarf-4']}


def within(root, *command):
    done = subprocess.run(['chroot', root, *command], env=ENV, text=True,
                          capture_output=True)
    case.equal((done.returncode, done.stderr), (0, ''), ' '.join(command))
    return done.stdout


def compile_in(root, page, compiler, flags):
    """Compiles the page's subject in the root. Returns the path of the program
    there."""
    program = f'/cases/{page.path.stem}'
    shutil.copy(page.path, root / 'cases')
    within(root, compiler, *page.words('CFLAGS'), *flags, '-I/cases', '-o',
           program, f'/cases/{page.path.name}')
    return program


def separate(root, program):
    """Moves the debug information to a file of the root's /usr/lib/debug."""
    notes = within(root, 'readelf', '-n', program)
    build_id = re.search(r'Build ID: (\w+)', notes)[1]
    file = f'/usr/lib/debug/.build-id/{build_id[:2]}/{build_id[2:]}.debug'
    (root / file[1:]).parent.mkdir(parents=True, exist_ok=True)
    within(root, 'objcopy', '--only-keep-debug', program, file)
    # The names of the functions stay in the program.
    within(root, 'strip', '--strip-debug', program)


def compare(root, program, page, what):
    """Every RUN of the page has the lines that the page expects."""
    command = ['/usr/sbin/chroot', root, program]
    wanted = case.untraced(*command, env=ENV)
    case.equal(wanted[0], 0, f'{what}: {wanted[2]}')
    for run in page.runs:
        options = run.command[1:run.command.index('%t')]
        if '--if' in options:
            continue  # it must know the prototypes when only chroot is there
        tracer = case.trace(*options, command=command, env=ENV)
        tracer.wait(0)
        case.equal(tracer.child.out, wanted[1], f'{what}: output')
        # chroot has none of these functions.
        for line in tracer.says():
            case.true(line.endswith(': not loaded yet; waiting for a library '
                                    'that defines it'), f'{what}: {line}')
        case.same(tracer.lines(), ['--- Called exec() ---',
                                   *run.block('EXPECT')],
                  f'{what}, {" ".join(options)}')


def producers(root, program):
    """The versions of DWARF and the compilers that the program names."""
    text = within(root, 'readelf', '--debug-dump=info', program)
    return (set(re.findall(r'Version: +(\d)', text)),
            set(re.findall(r'DW_AT_producer .*GNU \S+ (\d+)\.', text)))


def check(root, name, compiler):
    page = Page(case.HERE / name)
    for variant, flags in VARIANTS.items():
        what = f'{name}, {variant}'
        program = compile_in(root, page, compiler, flags)
        version = '4' if variant == 'dwarf4' else '5'
        case.equal(producers(root, program), ({version}, {'14'}), what)
        compare(root, program, page, what)
        separate(root, program)
        compare(root, program, page, f'{what}, separate')


def test():
    try:
        root = debian.chroot(
            'trixie', pathlib.Path(os.environ['BUILD_CACHE']).parent /
            'roots' / 'trixie-gcc', PACKAGES)
    except debian.Unavailable as why:
        case.skip(str(why))
    for folder in ('cases', 'usr/lib/debug/.build-id'):
        shutil.rmtree(root / folder, ignore_errors=True)
    (root / 'cases').mkdir()
    shutil.copy(case.TESTS / 'lib/subject.h', root / 'cases')
    for name, compiler in PAGES.items():
        check(root, name, compiler)


case.main(test)
