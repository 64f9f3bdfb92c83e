#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Which of several prototypes applies: the user's files, then the debug
information of the program, then installed files, then the debug information of
libraries, then a guess. --show-prototype says which. Damaged debug information
is told once, and not used.

NEEDS: plain objcopy
"""
import shutil
import subprocess

import case

PROGRAM = '''
int both(int program, int n) { return n; }
int f(int library, const char *text);
int g(int library, const char *text);
int main(void) { return both(1, 2) + f(3, "x") + g(4, "y") - 9; }
'''
LIBRARY = '''
int f(int library, const char *text) { return library; }
int g(int library, const char *text) { return library; }
'''


def build():
    program, library = case.FOLDER / 'prog', case.FOLDER / 'libown.so.1'
    for source, text, flags in (
            ('own.c', LIBRARY, ['-shared', '-fPIC', '-o', library,
                                '-Wl,-soname,libown.so.1']),
            ('prog.c', PROGRAM, ['-o', program, library,
                                 '-Wl,-rpath,$ORIGIN'])):
        (case.FOLDER / source).write_text(text)
        subprocess.run(['gcc', '-g', case.FOLDER / source, *flags],
                       check=True, cwd=case.FOLDER)
    return program


def install():
    """A copy of xtrace with a tree of prototype files beside it."""
    share = case.FOLDER / 'place/share/xtrace'
    (case.FOLDER / 'place/bin').mkdir(parents=True)
    share.mkdir(parents=True)
    shutil.copy(case.XTRACE, case.FOLDER / 'place/bin/xtrace')
    (share / 'libown.so.conf').write_text('int f(int installed, string);\n')
    (share / 'prog.conf').write_text('int both(int installed, int);\n')
    return case.FOLDER / 'place/bin/xtrace'


def trace(xtrace, program, *options, status=0):
    tracer = case.Tracer(['--names', '-x', 'both+f+g', *options], [program],
                         {'XDG_CONFIG_HOME': str(case.FOLDER / 'none')},
                         program=xtrace)
    tracer.wait(status)
    return tracer


def shown(xtrace, asked, *options):
    done = subprocess.run([xtrace, *options, f'--show-prototype={asked}'],
                          capture_output=True, text=True, cwd=case.FOLDER)
    return done.stdout.strip() or done.stderr.strip()


def test_order(xtrace, program):
    tracer = trace(xtrace, program)
    case.equal(tracer.says(), [], 'what xtrace says')
    case.same(tracer.calls(),
              ['both(program=1, n=2) = 2', 'f(installed=3, "x") = 3',
               'g(library=4, text="y") = 4'], 'without -F')
    forced = case.FOLDER / 'forced.conf'
    forced.write_text('int both(int forced, int);\nint g(int forced);\n')
    case.same(trace(xtrace, program, '-F', forced).calls(),
              ['both(forced=1, 2) = 2', 'f(installed=3, "x") = 3',
               'g(forced=4) = 4'], 'with -F')


def test_shown(xtrace, program):
    library = program.parent / 'libown.so.1'
    case.same([shown(xtrace, f'both@{program}')],
              ['%any/prog.c:2: int both(int program, int n); '
               f'/* from the debug information of {program} */'], 'program')
    case.same([shown(xtrace, f'f@{library}')],
              ['%any/libown.so.conf:1: int f(int installed, string);'],
              'installed')
    case.same([shown(xtrace, f'g@{library}')],
              ['%any/own.c:3: int g(int library, string text); '
               f'/* from the debug information of {library} */'], 'library')
    case.same([shown(xtrace, f'both@{program}', '-F', 'forced.conf')],
              ['forced.conf:1: int both(int forced, int);'], '-F')
    case.same([shown(xtrace, f'none@{program}')],
              ["xtrace: there is no prototype for 'none@prog'"], 'none')
    case.same([shown(xtrace, 'f@./absent')],
              ['xtrace: ./absent: %any'], 'no file')


def test_types(xtrace, program):
    """A type of the user's replaces that of the debug information."""
    source = case.FOLDER / 'typed.c'
    source.write_text('typedef int mode; struct s { int a; };\n'
                      'int both(mode m, struct s *s) { return m + s->a; }\n'
                      'int main(void) { struct s s = { 1 };\n'
                      '\treturn both(8, &s) - 9; }\n')
    typed = case.FOLDER / 'typed'
    subprocess.run(['gcc', '-g', '-o', typed, source], check=True)
    conf = case.FOLDER / 'types.conf'
    conf.write_text('typedef mode = oct(int);\ntypedef s = hex(int);\n')
    case.same(trace(xtrace, typed).calls(), ['both(m=8, s={a=1}) = 9'],
              'without the types')
    case.same(trace(xtrace, typed, '-F', conf).calls(),
              ['both(m=010, s=0x1) = 9'], 'with the types')


def test_damage(xtrace, program):
    abbrev = case.FOLDER / 'abbrev'
    damaged = case.FOLDER / 'damaged'
    subprocess.run(['objcopy', '--dump-section', f'.debug_abbrev={abbrev}',
                    program, '/dev/null'], check=True)
    abbrev.write_bytes(b'\xff' * abbrev.stat().st_size)
    subprocess.run(['objcopy', '--update-section', f'.debug_abbrev={abbrev}',
                    program, damaged], check=True)
    tracer = trace(xtrace, damaged)
    case.same(tracer.says(),
              [f'xtrace: {damaged}: its debug information cannot be used, so '
               'no prototypes are taken from it: %any'], 'told once')
    case.same(tracer.calls(),
              ['both(1, 2, %any) = 2', 'f(installed=3, "x") = 3',
               'g(library=4, text="y") = 4'], 'damaged')


def test():
    program, xtrace = build(), install()
    for part in test_order, test_shown, test_types, test_damage:
        part(xtrace, program)


case.main(test)
