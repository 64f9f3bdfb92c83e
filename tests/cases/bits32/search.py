#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""In a directory of prototype files, the folder 32 is searched first for a
32-bit program, and is not searched for another one: in the user's directory,
and in one of -F.

NEEDS: /lib32/libc.so.6
"""
import case


def check(program, first, env, *options):
    tracer = case.trace(*options, '--names', '-e', 'puts+getenv',
                        command=[program], env=env)
    tracer.wait(0)
    case.same(tracer.lines(), [f't->puts({first}="text") = 5',
                               't->getenv(wide="no such variable") = nil',
                               '+++ exited (status 0) +++'], options)
    case.equal(tracer.says(), [], 'what xtrace says')


def test():
    folder = case.FOLDER / 'user/xtrace'
    (folder / '32').mkdir(parents=True)
    (folder / 'libc.so.6.conf').write_text('int puts(string wide);\n'
                                           'string getenv(string wide);\n')
    (folder / '32/libc.so.6.conf').write_text('int puts(string narrow);\n')
    for variant in ('narrow', 'wide'):
        program = case.build('search.c', case.FOLDER / variant, variant)
        check(program, variant, {'XDG_CONFIG_HOME': str(folder.parent)})
        check(program, variant, None, '-F', folder)


case.main(test)
