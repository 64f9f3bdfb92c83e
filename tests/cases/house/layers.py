#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""tests/layers finds each fault in a small house that has just that one.

The house has three rooms, low, high and high/in; high uses both others and
high/in uses low. It has no fault until a file is added or a table changed.

NEEDS: gcc nm
TIMEOUT: 300
"""
import shutil
import subprocess

import case

LAYERS = case.TESTS / 'layers'
SPDX = '/* SPDX-License-Identifier: GPL-2.0-or-later */\n'
ROWS = 'low: high:low,high/in high/in:low'
HOUSE = {
    'low/a.h': 'int low_a(void);',
    'low/a.c': '#include "low/a.h"\nint low_a(void) { return 1; }',
    'high/in/b.h': 'int in_b(void);',
    'high/in/b.c': '#include "high/in/b.h"\n#include "low/a.h"\n'
                   'int in_b(void) { return low_a(); }',
    'high/c.c': '#include "high/in/b.h"\n#include "low/a.h"\n'
                'int high_c(void);\n'
                'int high_c(void) { return in_b() + low_a(); }',
}
PING = 'int pong(void);\nint ping(void);\nint ping(void) { return pong(); }'
PONG = 'int pong(void);\nint ping(void);\nint pong(void) { return ping(); }'


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SPDX * (not text.startswith('?')) +
                        text.lstrip('?') + '\n')


def compile_all(folder, files):
    for name in files:
        target = folder / 'out' / f'{name[:-2]}.o'
        target.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith('.c'):
            subprocess.run(['gcc', '-I.', '-c', '-o', target, name],
                           cwd=folder, check=True)


def layers(files, rows=ROWS, foreign='', circles='', build=True):
    """What tests/layers prints for the house with these files added."""
    plain, folder = case.FOLDER / 'plain', case.FOLDER / 'house'
    if not plain.exists():
        write(plain, HOUSE)
        compile_all(plain, HOUSE)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(plain, folder)
    write(folder, files)
    if build:
        compile_all(folder, files)
    else:
        shutil.rmtree(folder / 'out')
    done = subprocess.run([LAYERS, 'out', rows, foreign, circles], cwd=folder,
                          capture_output=True, text=True)
    *said, last = done.stdout.splitlines()
    case.equal(done.returncode, int(bool(said)), done.stdout + done.stderr)
    count = sum(line.startswith('layers: ') for line in said)
    case.true(last.endswith(f' rooms, {count} faults'), done.stdout)
    return [line.removeprefix('layers: ') for line in said]


def fault(*wanted, **house):
    files = house.pop('files', {})
    case.equal(layers(files, **house), list(wanted), f'with {files} {house}')


def test_includes():
    fault('low/up.c: low may not include high/in/b.h',
          files={'low/up.c': '#include "high/in/b.h"'})
    fault('high/in/up.c: high/in may not include high/d.h',
          files={'high/in/up.c': '#include "high/d.h"', 'high/d.h': ''})
    fault('high/d.c: <zlib.h> belongs to high/z.c', foreign='zlib:high/z.c',
          files={'high/d.c': '#if 0\n#include <zlib.h>\n#endif',
                 'high/z.c': '#if 0\n#include <zlib.h>\n#endif',
                 'high/z_part.c': '#if 0\n#include <zlib.h>\n#endif'})


def test_calls():
    fault('low/up.c: low may not use in_b() of high/in/b.c',
          files={'low/up.c': 'int in_b(void);\nint up(void);\n'
                             'int up(void) { return in_b(); }'})
    fault('high/in/up.c: high/in may not use high_c() of high/c.c',
          files={'high/in/up.c': 'int high_c(void);\n'
                                 'int (*up)(void) = high_c;'})
    fault('high/c.c: high may not include high/in/b.h',
          'high/c.c: high may not use in_b() of high/in/b.c',
          rows='low: high:low high/in:low')
    said = layers({}, build=False)
    case.equal(said, [f'out/{path[:-2]}.o is not built' for path in
                      sorted(HOUSE) if path.endswith('.c')],
               'without object files')


def test_circles():
    both = {'low/ping.c': PING, 'low/pong.c': PONG}
    fault('low/ping.c and low/pong.c call each other: pong(), ping()',
          files=both)
    fault(files=both, circles='low/pong:ping')
    fault(files=both, circles='low/ping:low/pong')
    fault(files=both, circles='low:*')
    fault('low/ping.c and low/pong.c call each other: pong(), ping()',
          'CIRCLES: high:* allows nothing', files=both, circles='high:*')
    fault('CIRCLES: low/a:b allows nothing', circles='low/a:b')
    inside = {'high/in/ping.c': PING, 'high/in/pong.c': PONG}
    fault(files=inside, circles='high:*')
    fault(files=inside, circles='high/in/ping:pong')


def test_rows():
    fault('the row of high/in: nothing is no room',
          rows='low: high:low,high/in high/in:low,nothing')
    fault('the row of high/out: there is no such folder',
          rows=f'{ROWS} high/out:')
    circle = layers({}, rows='low: high:low,high/in high/in:low,high')
    case.equal(circle, ['the row of high: it uses itself by way of others',
                        'the row of high/in: it uses itself by way of others'],
               'rows that use each other')
    fault('the row of high/in: low is not in the row of high',
          'high/c.c: high may not include low/a.h',
          'high/c.c: high may not use low_a() of low/a.c',
          rows='low: high:high/in high/in:low')
    # A row that names a room includes the rooms inside it.
    fault(rows='low: high:low,high/in high/in:low top:high',
          files={'top/t.c': '#include "high/in/b.h"'})
    # A row of a room inside another room may name that other room; this means
    # the files directly in it.
    around = 'low: high:low high/in:low,high high/on:high'
    alone = {'high/c.c': '#include "low/a.h"', 'high/d.h': '',
             'high/on/e.c': '#include "high/d.h"'}
    fault(rows=around, files=alone)
    fault('high/on/e.c: high/on may not include high/in/b.h', rows=around,
          files={**alone, 'high/on/e.c': '#include "high/in/b.h"'})


def test_files():
    fault('low/t.c: only process/ may touch a tracee',
          files={'low/t.c': 'int waitpid(int);\n'})
    fault('low/bare.c: no SPDX line on top',
          files={'low/bare.c': '?int bare;\n\n'})
    said = layers({'low/needy.h': 'struct s { size_t n; };'})
    case.true(said[0] == 'low/needy.h: does not compile alone:', said)
    # If needy.h is included behind another header, it is not proved complete.
    said = layers({'low/needy.h': 'struct s { size_t n; };',
                   'low/n.c': '#include <stddef.h>\n#include "low/needy.h"'})
    case.true(said[0] == 'low/needy.h: does not compile alone:', said)


def test():
    case.equal(layers({}), [], 'the house as it is')
    test_includes()
    test_calls()
    test_circles()
    test_rows()
    test_files()


case.main(test)
