#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""docs/draw-map draws the folders, files, calls and circles of a small tree;
docs/map.svg has every folder and file of this tree (`make map` draws it).

NEEDS: gcc nm make
TIMEOUT: 60
"""
import collections
import subprocess
import xml.etree.ElementTree

import case

TOP = case.TESTS.parent
MAKEFILE = '''ROOMS := low high absent
USES_low :=
USES_high := low high/in
USES_high/in := low
'''
FILES = {
    'low/a.c': 'int a(void) { return 1; }',
    'high/in/b.c': 'int a(void); int b(void) { return a(); }',
    'high/ping.c': 'int b(void); int pong(void);'
                   'int ping(void) { return pong() + b(); }',
    'high/pong.c': 'int a(void); int ping(void);'
                   'int pong(void) { return ping() + a(); }',
    'low/up.c': 'int b(void); int up(void) { return b(); }',
}


def texts(picture):
    """[(font size, words), ...] of all texts in the drawing."""
    tree = xml.etree.ElementTree.parse(picture)
    return [(node.get('font-size'), node.text) for node in tree.iter()
            if node.tag.endswith('text')]


def files_of(picture):
    return sorted(words for size, words in texts(picture) if size == '9.5')


def draw(name, files):
    folder, out = case.FOLDER / name, case.FOLDER / f'{name}.svg'
    folder.mkdir()
    (folder / 'GNUmakefile').write_text(MAKEFILE)
    for path in files:
        target = folder / 'build' / f'{path[:-2]}.o'
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(FILES[path])
        subprocess.run(['gcc', '-c', '-o', target, folder / path], check=True)
    done = subprocess.run([TOP / 'docs/draw-map', '--title', name, folder,
                           out], capture_output=True, text=True)
    case.equal((done.returncode, done.stderr), (0, ''), f'drawing {name}')
    return out


def facts(picture):
    """The sentences with figures, which are in the legend."""
    return [words for _, words in texts(picture) if ' folders with ' in words]


def test_small():
    good = draw('good', [path for path in FILES if path != 'low/up.c' and
                         path != 'high/pong.c'])
    case.equal(facts(good), [
        '3 folders with 3 files. One folder calls another in 2 pairs, upward '
        'in 0. Largest circle of files in one folder: none.'], 'good')
    case.equal(files_of(good), ['a', 'b', 'ping'], 'files')
    words = [words for _, words in texts(good)]
    for title in ('good', 'low', 'high', 'in', 'high, own files'):
        case.true(title in words, f'{title} is in {words}')
    told = good.read_text()
    case.true('high calls 1 functions of low' in told, told)
    case.true('high/. calls 1 functions of high/in' in told, told)
    bad = draw('bad', FILES)
    case.equal(facts(bad), [
        '3 folders with 5 files. One folder calls another in 4 pairs, upward '
        'in 1. Largest circle of files in one folder: 2 of 2, in high.'], 'bad')


def made(variable):
    """The words of a list in GNUmakefile."""
    return subprocess.run(
        ['make', '-s', '-C', TOP, '--eval', f'show: ; @echo $({variable})',
         'show'], capture_output=True, text=True).stdout.split()


def test_map():
    files = [path for room in made('ROOMS')
             for path in (TOP / room).rglob('*.c')]
    real = collections.Counter(path.stem for path in files)
    drawn = collections.Counter(files_of(TOP / 'docs/map.svg'))
    case.true(len(files) > 200, f'files: {files}')
    case.equal(sorted((real - drawn).elements()), [],
               'files that are not in docs/map.svg; make map draws it')
    case.equal(sorted((drawn - real).elements()), [],
               'files in docs/map.svg that do not exist; make map draws it')
    words = {words for _, words in texts(TOP / 'docs/map.svg')}
    for room in made('ROWS'):
        if list((TOP / room).glob('*.c')):
            case.true(room.split('/')[-1] in words, f'{room} is in the map')


def test():
    test_small()
    test_map()


case.main(test)
