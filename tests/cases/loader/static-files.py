#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every static program that is installed on this machine is traced: it writes
the same and ends as it does untraced, and the trace has its entry. Such a
program may have no room behind its text for the first injected system call, no
symbols, and no loader. A copy of it gets a symbol at its entry.

SLOW: it starts all of them
NEEDS: objcopy readelf plain
TIMEOUT: 1200
"""
import os
import pathlib
import struct
import subprocess

import case

TOPS = '/usr/bin', '/usr/sbin', '/usr/lib', '/usr/libexec', '/usr/local', '/opt'
LARGEST = 100 << 20
EXEC, DYN, X86_64 = 2, 3, 62
DYNAMIC, INTERP = 2, 3  # types of segments
FLAGS_1, PIE = 0x6ffffffb, 0x08000000
LIMIT = 60  # seconds for a program that ends at once
ENTRY = 'entry_of_file'


def is_static(data):
    """Has this ELF file an entry of its own, and no interpreter?"""
    kind, machine = struct.unpack_from('<HH', data, 16)
    entry, at = struct.unpack_from('<QQ', data, 24)
    count, = struct.unpack_from('<H', data, 56)
    segments = {}
    if data[4] != 2 or machine != X86_64 or kind not in (EXEC, DYN) or \
            not entry:
        return False
    for number in range(count):
        what, _, offset, _, _, size = struct.unpack_from(
            '<IIQQQQ', data, at + 56 * number)
        segments[what] = offset, size
    if INTERP in segments:
        return False
    if kind == EXEC:
        return True
    offset, size = segments.get(DYNAMIC, (0, 0))
    return any(tag == FLAGS_1 and value & PIE for tag, value in
               struct.iter_unpack('<QQ', data[offset:offset + size]))


def static_files():
    for top in TOPS:
        for folder, _, names in os.walk(top):
            for path in (pathlib.Path(folder, name) for name in names):
                if path.is_symlink() or not os.access(path, os.X_OK) or \
                        not path.is_file() or path.stat().st_size > LARGEST:
                    continue
                with open(path, 'rb') as file:
                    if file.read(4) != b'\x7fELF':
                        continue
                if is_static(path.read_bytes()):
                    yield path


def with_symbol(path, copy):
    """Makes a copy with a symbol at its entry. False if the file has no section
    with the entry."""
    with open(path, 'rb') as file:
        entry, = struct.unpack_from('<Q', file.read(64), 24)
    rows = subprocess.run(['readelf', '-SW', path], text=True, check=False,
                          capture_output=True).stdout.splitlines()
    for row in rows:
        words = row.partition(']')[2].split()
        if len(words) > 5 and words[1] == 'PROGBITS' and \
                0 <= entry - int(words[2], 16) < int(words[4], 16):
            symbol = f'{ENTRY}={words[0]}:{entry - int(words[2], 16):#x}'
            done = subprocess.run(
                ['objcopy', '--add-symbol', f'{symbol},function,global', path,
                 copy], capture_output=True, check=False)
            return done.returncode == 0
    return False


def outcome(command, home):
    """The status and the output of a command that ends at once."""
    done = subprocess.run(
        [*command, '--version'], cwd=home, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=LIMIT, check=False,
        env={'PATH': '/usr/bin:/bin', 'HOME': str(home), 'LC_ALL': 'C',
             'CHECKPOINT_DISABLE': '1'})
    return done.returncode, done.stdout, done.stderr


def check(path, copy, trace, home):
    """What is wrong with a program that is traced, or None."""
    alone, again = (outcome([copy], home) for _ in range(2))
    trace.unlink(missing_ok=True)
    traced = outcome([case.XTRACE, '-o', trace, '-x', ENTRY, '--', copy], home)
    if alone == again and traced != alone:
        return f'{path}: {traced}, untraced {alone}'
    if (traced[0] == 0) != (alone[0] == 0) and alone[0] == again[0]:
        return f'{path}: status {traced[0]}, untraced {alone[0]}'
    if ENTRY not in trace.read_text(errors='replace'):
        return f'{path}: its entry is not in the trace'
    return None


def test():
    home = case.FOLDER / 'home'
    home.mkdir()
    copy, trace = case.FOLDER / 'copy', case.FOLDER / 'trace'
    faults, done, without = [], 0, 0
    for path in static_files():
        if not with_symbol(path, copy):
            without += 1
            continue
        fault = check(path, copy, trace, home)
        done += 1
        if fault:
            faults.append(fault)
    print(f'{done} static programs were traced, {without} have no section with '
          'their entry')
    case.equal(faults, [], 'programs that are not as untraced')
    case.true(done > 0, 'a static program is installed')


case.main(test)
