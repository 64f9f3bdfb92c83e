#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""File and line of native frames, wherever the debug information is: in the
file, behind .gnu_debuglink, in the C library's file below
/usr/lib/debug/.build-id; of DWARF 4 and 5, compressed or not, with and without
.debug_aranges. .gnu_debugdata has names and no lines.

NEEDS: objcopy xz
TIMEOUT: 60
"""
import os
import re
import subprocess

import case

SOURCE = '''int inner(int n);
__attribute__((noinline)) int inner(int n) { __asm__(""); return n + 1; }
static __attribute__((noinline)) int outer(int n)
{
	n = inner(n);
	__asm__("" : "+r"(n));
	return n;
}
int main(void)
{
	int n = outer(1);
	return n != 2;
}
'''
LINES = [('outer', 5), ('main', 11)]


def run(*command):
    subprocess.run([str(word) for word in command], check=True)


def strip_to(program, debug):
    """Moves the debug information to a file, which the program's link names."""
    run('objcopy', '--only-keep-debug', program, debug)
    run('objcopy', '--strip-all', f'--add-gnu-debuglink={debug}', program)


def beside(program):
    strip_to(program, program.parent / 'p.debug')


def in_folder(program):
    os.mkdir(program.parent / '.debug')
    beside(program)
    os.rename(program.parent / 'p.debug', program.parent / '.debug/p.debug')


def inside(program):
    """Leaves only the names of the functions, in .gnu_debugdata."""
    debug = program.parent / 'mini'
    run('objcopy', '--only-keep-debug', program, debug)
    run('objcopy', '--strip-debug', debug)
    run('xz', '-k', debug)
    run('objcopy', '--strip-all', f'--add-section=.gnu_debugdata={debug}.xz',
        program)


def without_ranges(program):
    run('objcopy', '--remove-section=.debug_aranges', program)


def frames_of(name, flags, change):
    folder = case.FOLDER / name
    folder.mkdir()
    (folder / 'p.c').write_text(SOURCE)
    (folder / 'p.conf').write_text('int inner(int);\n')
    program = folder / 'p'
    run('gcc', '-O1', '-g', *flags, '-o', program, folder / 'p.c')
    if change:
        change(program)
    tracer = case.trace('-F', folder / 'p.conf', '-w', '5', '-e', 'none',
                        '-x', 'inner', command=[program])
    tracer.wait(0)
    return [line.strip() for line in tracer.path.read_text().splitlines()
            if line.startswith('    ')]


def check(name, flags, change, lines):
    frames = frames_of(name, flags, change)
    for (function, line), frame in zip(LINES, frames):
        wanted = (fr'.*/p\.c:{line} in {function}@p' if lines else
                  fr'{function}\+0x[0-9a-f]+@p')
        case.true(re.fullmatch(wanted, frame), f'{name}: {frame}')
    case.true(any(re.search(r'libc-start\.c:\d+ in __libc_start_main', frame)
                  for frame in frames), f'{name}: {frames}')


def test():
    for version in (4, 5):
        dwarf = f'-gdwarf-{version}'
        packed = [dwarf, '-gz=zlib']
        check(f'own{version}', [dwarf], None, True)
        check(f'packed{version}', packed, None, True)
        check(f'bare{version}', [dwarf], without_ranges, True)
        check(f'beside{version}', [dwarf], beside, True)
        check(f'folder{version}', packed, in_folder, True)
        check(f'inside{version}', [dwarf], inside, False)


case.main(test)
