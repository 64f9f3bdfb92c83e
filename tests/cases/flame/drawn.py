#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--draw-flame, tested without a browser: frames and sums of folded files,
names that look like markup, large files, files that are no folded files.

TIMEOUT: 120
"""
import random
import re
import xml.etree.ElementTree as ET

import case
import flamecase

SVG = '{http://www.w3.org/2000/svg}'


def frames_of(picture):
    """{path: weight} of a picture in SVG, and its root element."""
    root = ET.fromstring(picture.read_bytes())
    area = [node for node in root if node.get('id') == 'frames'][0]
    open_, weights = {}, {}
    for node in area:
        depth = int(node.get('data-d'))
        name = node.find(SVG + 'text').text
        open_[depth] = (*open_.get(depth - 1, ()), name)
        case.true(open_[depth] not in weights, f'{open_[depth]} exists once')
        weights[open_[depth]] = int(node.get('data-w'))
        case.true(abs(float(node.get('width').rstrip('%')) -
                      100 * weights[open_[depth]] / weights[('all',)])
                  < 0.001, f'{open_[depth]} is as wide as it weighs')
    return weights, root


def test_small():
    """Folded files whose lines are in any order, or there twice, with
    fractions, comments and carriage returns."""
    folded = ('# a comment\na;c 4\r\na;b 3\n\na;b 2.5\na 1\nb;a;b 20\n'
              'x y;z w 0010\nzero 0\n')
    weights, root = frames_of(flamecase.draw(folded, 'small.svg'))
    case.equal(weights, {
        ('all',): 41, ('all', 'a'): 11, ('all', 'a', 'b'): 6,
        ('all', 'a', 'c'): 4, ('all', 'b'): 20, ('all', 'b', 'a'): 20,
        ('all', 'b', 'a', 'b'): 20, ('all', 'x y'): 10,
        ('all', 'x y', 'z w'): 10}, 'frames')
    case.equal(root.find(SVG + 'title').text, 'Flame graph', 'title')
    case.true(root.get('data-unit') == '', 'numbers without a unit')


def test_units():
    for weight, unit, said in (('time', 'us', '1.234s'),
                               ('calls', 'calls', '1,234,000 calls'),
                               ('bytes', 'bytes', '1.2 MB asked for')):
        picture = flamecase.draw('p 1;f 1234000\n', 'unit.svg', '--weight',
                                 weight)
        root = frames_of(picture)[1]
        case.equal(root.get('data-unit'), unit, weight)
        note = [node.text for node in root.iter(SVG + 'text')
                if node.get('class') == 'note'][0]
        case.true(note.startswith(said + ' '), f'{weight}: {note}')


HOSTILE = [
    '<script>alert(1)</script>', '</text></svg><script>x</script>', ']]>',
    '&amp', '"quoted"', "it's", '<!--', 'a&b<c>d', '${x}', 'javascript:x',
    'caf\u00e9 \u65e5\u672c\u8a9e \U0001f525', 'back\\slash', 'tab\there',
]
# Bytes that XML does not allow, and characters that could deceive a reader.
DAMAGED = {
    b'bell\a': 'bell\\a', b'\x1b[31mred': '\\033[31mred',
    b'latin \xe9': 'latin \\351', b'cut \xf0\x9f\x94': 'cut \\360\\237\\224',
    b'surrogate \xed\xa0\x80': 'surrogate \\355\\240\\200',
    '\u202egnirts'.encode(): '\\342\\200\\256gnirts',
    '\uffff \ufffe'.encode(): '\ufffd \ufffd',
}


def test_hostile():
    shown = {name: name.replace('\t', '\\t') for name in HOSTILE}
    folded = b''.join(b'p 1;' + name.encode() + b' 100\n' for name in HOSTILE)
    folded += b''.join(b'p 1;' + name + b' 100\n' for name in DAMAGED)
    picture = flamecase.draw(folded, 'hostile.svg')
    weights, root = frames_of(picture)
    case.equal({path[-1] for path in weights if len(path) == 3},
               {*shown.values(), *DAMAGED.values()}, 'names')
    case.equal(len(list(root.iter(SVG + 'script'))), 1, 'scripts')
    page = flamecase.draw(folded, 'hostile.html').read_text()
    case.equal(page.count('<script'), 1, 'scripts of the page')
    case.equal(page.count('<title>'), 1 + len(weights), 'titles of the page')


def many(count, seed):
    chance = random.Random(seed)
    names = [f'f{n} (/srv/app/m{n % 7}.py:{n})' for n in range(300)]
    lines = []
    for _ in range(count):
        path = [chance.choice(names[:20])]
        for _ in range(chance.randrange(3, 40)):
            path.append(path[-1] if chance.random() < 0.3
                        else chance.choice(names))
        lines.append(f'app {chance.randrange(9)};{";".join(path)} '
                     f'{int(chance.paretovariate(0.8) * 10)}')
    return '\n'.join(lines) + '\n'


def test_large():
    """The picture of a large input is a small file. The sums are right, and
    the picture says how many frames are left out."""
    folded = many(8000, 1)
    picture = flamecase.draw(folded, 'large.svg', '--weight', 'time')
    wanted = flamecase.tree_of(folded)
    weights, root = frames_of(picture)
    case.true(picture.stat().st_size < 3 << 20, 'not more than 3 MB')
    case.true(100 < len(weights) <= 6001, f'{len(weights)} frames')
    for path, weight in weights.items():
        case.equal(weight, wanted[path], f'weight of {path}')
    left_out = {path: weight for path, weight in wanted.items()
                if path not in weights}
    case.true(max(left_out.values()) <= min(weights.values()),
              'frames that are left out are narrower than those that are drawn')
    note = [node.text for node in root.iter(SVG + 'text')
            if node.get('class') == 'note'][0]
    found = re.search(r'([\d,]+) frames of at most ([\d.]+) % each are not '
                      r'drawn', note)
    case.true(found, f'note: {note}')
    case.equal(int(found.group(1).replace(',', '')), len(left_out),
               'the number of left out frames in the note')
    share = 100 * max(left_out.values()) / wanted[('all',)]
    case.true(abs(float(found.group(2)) - share) <= 0.01, f'{note}: {share}')


def test_many():
    """All frames are wide enough to be drawn, but there are too many of them.
    """
    folded = ''.join('p 1;' + ';'.join(f'c{column}.{depth}'
                                       for depth in range(100)) +
                     f' {1000 + column}\n' for column in range(200))
    weights = frames_of(flamecase.draw(folded, 'many.svg'))[0]
    case.true(4000 < len(weights) <= 6001, f'{len(weights)} frames of 20002')
    case.equal(weights[('all',)], sum(range(1000, 1200)), 'everything')


def test_deep():
    """Stacks deeper than the limit: the sums are still right."""
    folded = ''.join('p 1;' + ';'.join(f'f{d % 3}' for d in range(depth)) +
                     ' 1000\n' for depth in range(1, 900, 50))
    weights = frames_of(flamecase.draw(folded, 'deep.svg'))[0]
    case.equal(weights[('all',)], 18000, 'everything')
    case.true(max(map(len, weights)) <= 501, 'not deeper than the limit')


def test_empty():
    for picture in ('empty.svg', 'empty.html'):
        path = flamecase.draw('a;b 0\n', picture)
        case.true('No traced call has any weight here.' in path.read_text(),
                  f'{picture} says that it is empty')


def refused(folded, said, picture='bad.svg', status=1):
    (case.FOLDER / 'bad.folded').write_bytes(folded)
    run = case.start('sh', '-c', 'exec "$0" "$@" <bad.folded', case.XTRACE,
                     '--draw-flame', picture)
    case.equal((run.wait(), run.err), (status, f'xtrace: {said}\n'),
               f'with {folded[:40]}')


def test_refused():
    expected = 'a stack and a number were expected'
    (case.FOLDER / 'bad.svg').write_text('kept')
    for nothing in (b'', b'\n'):
        refused(nothing, 'standard input: no stacks')
    for line in (b'a;b', b'12', b' 12', b'a b', b'a;b -1', b'a 1e5', b'a 1.',
                 b'a 18446744073709551616'):
        refused(b'ok 1\n' + line + b'\n',
                f'standard input, line 2: {expected}')
    case.equal((case.FOLDER / 'bad.svg').read_text(), 'kept',
               'the old contents')
    size = 16 << 20
    for endless in (bytes(size), b'a' * size, b'a;' * (size // 2) + b' 1\n'):
        refused(b'ok 1\n' + endless,
                'standard input, line 2: too long: 16 MiB or more')
    refused(b'a' * (size - 4) + b' 1\n' + b'b\n',
            f'standard input, line 2: {expected}')
    refused(b'a 1\n', 'no/such.svg: cannot be written: No such file or '
            'directory', 'no/such.svg')
    refused(b'a 1\n', "--draw-flame: 'x.png' is not a name that ends in .svg "
            'or .html', 'x.png', 2)


def test():
    test_small()
    test_units()
    test_hostile()
    test_large()
    test_many()
    test_deep()
    test_empty()
    test_refused()


if __name__ == '__main__':
    case.main(test)
