#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""docs/HOUSE.md describes the tree: it has every room, every file of a room
and no other, and the paths that it names exist. Every folder with source files
has a row in the uses-table.
"""
import re
import subprocess

import case

TOP = case.TESTS.parent
PAGE = (TOP / 'docs/HOUSE.md').read_text()
BUILT, _, PLANNED = PAGE.partition('\n## Planned\n')
NUMBERS = ('one two three four five six seven eight nine ten eleven '
           'twelve thirteen fourteen fifteen').split()
KINDS = {'.c', '.h', '.def', '.css', '.js', '.S'}
MADE_OF = {'flame.css', 'flame.js', 'options.def', 'formats.def'}


def rooms():
    """The folders that have source files, beginning with the list of rooms."""
    text = (TOP / 'GNUmakefile').read_text().replace('\\\n', ' ')
    tops = re.search(r'^ROOMS := (.*)$', text, re.M).group(1).split()
    found = {}
    for top in tops:
        for path in (TOP / top).rglob('*'):
            if path.suffix in KINDS:
                name = str(path.parent.relative_to(TOP))
                stem = path.name if path.name in MADE_OF else path.stem
                found.setdefault(name, set()).add(stem)
    return found


def described():
    """{room: the names in front of the colons of its list}"""
    found = {}
    for section in re.split(r'^### ', BUILT, flags=re.M)[1:]:
        name, _, body = section.partition('\n')
        body = body.partition('\n## ')[0]
        rows = re.findall(r'^- ((?:`[^`]+`(?:, )?\n? *)+):', body, re.M)
        found[name] = {word for row in rows
                       for word in re.findall(r'`([^`]+)`', row)}
    return found


def test_files():
    real, told = rooms(), described()
    case.equal(sorted(told), sorted(real), 'rooms')
    for room, files in real.items():
        case.equal(sorted(told[room] - files), [], f'files not in {room}')
        case.equal(sorted(files - told[room] - MADE_OF), [],
                   f'files of {room} that are not described')


def test_rows():
    rows = subprocess.run(
        ['make', '-s', '-C', TOP, '--eval', 'rows: ; @echo $(ROOM_ROWS)',
         'rows'],
        capture_output=True, text=True).stdout.split()
    # The folders of CPUs are parts of arch: arch and they include each other.
    cpus = {room for room in rooms() if room.startswith('arch/')}
    case.equal(sorted(set(rooms()) - set(rows) - cpus), [],
               'folders without a row')
    told = re.findall(r'(\w+) in\s+`(\w+)/`', PAGE.partition(
        'is a room of its own')[2].partition('\n- `')[0])
    inside = {row.split('/')[0] for row in rows if '/' in row}
    case.equal({outer: NUMBERS.index(number) + 1 for number, outer in told},
               {outer: sum(row.startswith(outer + '/') for row in rows)
                for outer in inside}, 'rooms inside rooms')


def test_paths():
    for path in re.findall(r'`((?:[a-z_0-9]+/)+[a-z_0-9.]*)`', BUILT):
        case.true((TOP / path).exists() or (TOP / f'{path}.c').exists() or
                  (TOP / f'{path}.h').exists(), f'{path} exists')
    for path in re.findall(r'\]\(([^)#]+)\)', PAGE):
        case.true((TOP / 'docs' / path).exists(), f'docs/{path} exists')


def test():
    case.true(len(PLANNED) > 100, 'what is planned is in a section of its own')
    test_files()
    test_rows()
    test_paths()


case.main(test)
