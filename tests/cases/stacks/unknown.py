#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""An interpreter of an unknown version: xtrace says so once, and the frames
are those of its native functions. The interpreters are copies of Debian's with
another version written into them.

TIMEOUT: 60
"""
import pathlib
import re
import struct
import subprocess

import case

PYTHON = 'import os\nfor _ in range(3): os.isatty(70)\n'
RUBY = '3.times { File.umask }\n'
PHP = '<?php for ($i = 0; $i < 3; $i++) posix_isatty(70);\n'
PERL = 'umask for 1..3;\n'


def symbol(path, name):
    """The offset in the file of a symbol of this name."""
    rows = subprocess.run(['readelf', '-WSl', '--dyn-syms', path], check=True,
                          capture_output=True, text=True).stdout
    found = re.search(rf'\d+: ([0-9a-f]+) +\d+ \w+ +\w+ +\w+ +\d+ {name}\b',
                      rows)
    case.true(found, f'{path} has {name}')
    address = int(found[1], 16)
    for row in re.findall(r'LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x(\w+)', rows):
        offset, begin, size = (int(word, 16) for word in row)
        if begin <= address < begin + size:
            return address - begin + offset
    return case.fail(f'{path}: no segment has {name}')


def altered(path, name, change):
    """A copy of the file, after change(bytes)."""
    copy = case.FOLDER / name
    data = bytearray(pathlib.Path(path).read_bytes())
    change(data)
    copy.write_bytes(data)
    copy.chmod(0o755)
    return copy


def python():
    place = symbol(case.PYTHON, 'Py_Version')

    def change(data):
        struct.pack_into('<I', data, place, 0x03f002f0)
    return [altered(case.PYTHON, 'python', change)], {}, \
        'python: Python 3.240 is not known'


def ruby():
    library, = pathlib.Path('/usr/lib/x86_64-linux-gnu').glob(
        'libruby-?.?.so.?.?')
    place = symbol(library, 'ruby_version')

    def change(data):
        data[place:place + 3] = b'9.9'
    altered(library, library.name, change)
    return ['/usr/bin/ruby', '--disable-gems'], \
        {'LD_LIBRARY_PATH': str(case.FOLDER)}, \
        f'{library.name}: Ruby 9.9 is not known'


def php():
    """PHP's modules each contain the version of PHP for which they were built.
    """
    def change(data):
        entry = struct.pack('<HxxI', 168, 20220829)
        case.true(data.count(entry) > 10, 'PHP has its modules')
        data[:] = data.replace(entry, struct.pack('<HxxI', 168, 20990829))
    return [altered('/usr/bin/php', 'php', change)], {}, \
        'php: PHP with the interface of 20990829 is not known'


def perl():
    place = symbol('/usr/bin/perl', 'PL_version')

    def change(data):
        data[place] = 99
    return [altered('/usr/bin/perl', 'perl', change)], {}, \
        'perl: Perl 5.99 is not known'


def frames_of(lines):
    return [line[4:] for line in lines if line.startswith('    ')]


def run(kind, script, name, *options):
    command, env, sentence = kind()
    path = case.FOLDER / 'script'
    path.write_text(script)
    tracer = case.trace('-f', '-w', '20', *options, '-x', name, '--',
                        '/bin/sh', '-c', '"$@"; "$@"; true', 'sh', *command,
                        path, env=env)
    tracer.wait(0)
    wanted = [f'xtrace: {sentence}, frames of its scripts are not shown']
    case.equal(tracer.says(), wanted, f'what xtrace says of {sentence}')
    frames = frames_of(tracer.lines())
    case.true(len(frames) > 12, f'{sentence}: there are {len(frames)} frames')
    case.true(any('__libc_start_main' in frame for frame in frames),
              f'{sentence}: native ones, to the outermost')
    case.true(not any(str(path) in frame for frame in frames),
              f'{sentence}: none of the script')


def test():
    for kind, script, name in ((python, PYTHON, 'isatty'),
                               (ruby, RUBY, 'umask'),
                               (php, PHP, 'isatty'),
                               (perl, PERL, 'umask')):
        run(kind, script, name)
        run(kind, script, name, '--stack=merged')


case.main(test)
