#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--draw-flame new.svg --against old.folded: frames have the weights of the
new stacks and colours for the change. The title says how much has disappeared.

TIMEOUT: 300
"""
import re
import xml.etree.ElementTree as ET

import browser
import case
import flamecase
from drawn import SVG, frames_of

OLD = '''python3 47;thread 47;main (app.py:3);find;query 5000
python3 47;thread 48;main (app.py:3);find;query 1000
python3 47;thread 47;main (app.py:3);list;query 3000
python3 47;thread 47;main (app.py:3);gone 500
python3 47;thread 47;main (app.py:3);gone;query 500
'''
NEW = '''python3 99;thread 99;main (app.py:3);find;query 8000
python3 99;thread 99;main (app.py:3);list;query 1000
python3 99;thread 99;main (app.py:3);made 1005
'''
# {path of a frame: (weight now, weight before, class of the colour)}
WANTED = {
    (): (10005, 10000, 'e'),
    ('python3',): (10005, 10000, 'e'),
    ('python3', 'thread'): (10005, 10000, 'e'),
    ('python3', 'thread', 'main (app.py:3)'): (10005, 10000, 'e'),
    ('python3', 'thread', 'main (app.py:3)', 'find'): (8000, 6000, 'm3'),
    ('python3', 'thread', 'main (app.py:3)', 'find', 'query'):
        (8000, 6000, 'm3'),
    ('python3', 'thread', 'main (app.py:3)', 'list'): (1000, 3000, 'l3'),
    ('python3', 'thread', 'main (app.py:3)', 'list', 'query'):
        (1000, 3000, 'l3'),
    ('python3', 'thread', 'main (app.py:3)', 'made'): (1005, 0, 'm3'),
}


def test_frames(picture):
    found, root = frames_of(picture)
    case.equal(found, {('all', *path): row[0] for path, row in WANTED.items()},
               'frames')
    area = [node for node in root if node.get('id') == 'frames'][0]
    changes = [(int(node.get('data-w')), int(node.get('data-b')),
                node.get('class').split()[1]) for node in area]
    case.equal(sorted(changes), sorted(WANTED.values()), 'changes')
    titles = [node.find(SVG + 'title').text.splitlines()[-1] for node in area]
    case.equal([title for title in titles if title.startswith('-')],
               ['-2.000ms, -66.6 %'] * 2, 'what has become less')
    notes = [node.text for node in root.iter(SVG + 'text')
             if node.get('class') == 'note']
    case.true('before: 10.00ms, now +5.000us, +0.05 %' in notes[0] and
              'gone: 2 stacks of 1.000ms' in notes[0], notes[0])
    case.equal(notes[1:], ['more than before', 'the same', 'less'], 'legend')


def test_browser(picture):
    with browser.open(picture) as page:
        flamecase.ready(page)
        page.hover(flamecase.frame(page, 'list'))
        tip = page.run("return document.querySelector('.tip').textContent")
        case.true(re.search('before3.000ms.2.000ms', tip), f'tooltip: {tip}')
        case.equal(page.complaints(), [], 'what the browser says')


def refused(words, status, said):
    (case.FOLDER / 'in.folded').write_text(NEW)
    run = case.start('sh', '-c', 'exec "$0" "$@" <in.folded', case.XTRACE,
                     *words)
    case.equal((run.wait(), run.err), (status, f'xtrace: {said}\n'), f'{words}')


def test_refused():
    draw = '--draw-flame=new.svg'
    refused([draw, '--against=none'], 1,
            'none: cannot be read: No such file or directory')
    (case.FOLDER / 'bad').write_text('a 1\nb\n')
    refused([draw, '--against=bad'], 1,
            'bad, line 2: a stack and a number were expected')
    (case.FOLDER / 'empty').write_text('\n')
    refused([draw, '--against=empty'], 1, 'empty: no stacks')
    refused(['--against=bad', 'true'], 2,
            '--against needs --draw-flame')


def test():
    (case.FOLDER / 'old.folded').write_text(OLD)
    picture = flamecase.draw(NEW, 'new.svg', '--weight', 'time', '--against',
                             'old.folded')
    test_frames(picture)
    same = flamecase.draw(OLD, 'same.svg', '--against', 'old.folded')
    root = ET.fromstring(same.read_bytes())
    area = [node for node in root if node.get('id') == 'frames'][0]
    case.equal({node.get('class').split()[1] for node in area}, {'e'},
               'against itself')
    test_browser(picture)
    test_refused()


case.main(test)
