#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Each place where prototypes are searched, from the last to the first: a file
that is added in the next place takes precedence over all files before, in the
trace and for --show-prototype. /etc is replaced in a mount namespace.

NEEDS: root unshare
"""
import shutil

import case

INSTALLED = 'share/xtrace'
USER = 'config/xtrace'
# A file, and the name that it gives to f's parameter.
STEPS = [
    (f'{INSTALLED}/libc.so.6.conf', 'of_libc'),
    (f'{INSTALLED}/libown.so.conf', 'installed'),
    (f'{INSTALLED}/libown.so.1.conf', 'installed_1'),
    (f'{INSTALLED}/libown.so.1.2.conf', 'installed_1_2'),
    ('etc/xtrace.conf', 'system'),
    (f'{USER}/xtrace.conf', 'user'),
    (f'{USER}/libown.so.conf', 'user_own'),
    (f'{USER}/libown.so.1.conf', 'user_own_1'),
    (f'{USER}/libown.so.1.2.conf', 'user_own_1_2'),
]
# Of several -F options, the last one takes precedence.
FORCED = [
    ('folder/libown.so.conf', 'folder', 'folder'),
    ('folder/libown.so.1.2.conf', 'folder_1_2', None),
    ('file.conf', 'file', 'file.conf'),
    ('other/libown.so.1.conf', 'other', 'other'),
]


def in_namespace(*command):
    """A command that sees this case's etc/xtrace.conf as /etc/xtrace.conf."""
    script = ('mount -t tmpfs none /etc && '
              '{ [ ! -e etc ] || cp etc/xtrace.conf /etc; } && exec "$@"')
    run = case.start('unshare', '-m', '/bin/sh', '-ec', script, 'sh',
                     case.FOLDER / 'bin/xtrace', *command,
                     env={'XDG_CONFIG_HOME': str(case.FOLDER / 'config'),
                          'LD_LIBRARY_PATH': str(case.FOLDER / 'prototypes')})
    case.equal(run.wait(), 0, f'status of {command}: {run.err}')
    return run.out.splitlines(), run.err.splitlines()


def put(place, parameter):
    path = case.FOLDER / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'# {place}\nint f(string {parameter});\n')


def check(program, place, parameter, options):
    _, trace = in_namespace(*options, '--names', '-x', 'f', '--', program)
    case.same(trace, [f'f({parameter}="text") = 5',
                      '+++ exited (status 0) +++'], place)
    where = '/etc/xtrace.conf' if place.startswith('etc/') else \
        place if options else f'{case.FOLDER}/{place}'
    out, _ = in_namespace(*options, '--show-prototype', 'f@libown.so.1.2')
    case.same(out, [f'{where}:2: int f(string {parameter});'],
              f'--show-prototype, {place}')


def test():
    program = case.build('prototypes.c')
    (case.FOLDER / 'bin').mkdir()
    shutil.copy(case.XTRACE, case.FOLDER / 'bin/xtrace')
    for place, parameter in STEPS:
        put(place, parameter)
        check(program, place, parameter, [])
    options = []
    for place, parameter, option in FORCED:
        put(place, parameter)
        if option:
            options = ['-F', option, *options]
        check(program, place, parameter, options)


case.main(test)
