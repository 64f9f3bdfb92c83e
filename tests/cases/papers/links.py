#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The links of the papers lead to something, the paths that SECURITY.md and
CONTRIBUTING.md name exist, and no file has an address that cannot be reached.
"""
import re
import subprocess

import case
import walking

TOP = case.TESTS.parent
LINK = re.compile(r'\]\(([^)\s]+)\)|<img src="([^"]+)"')
NOWHERE = '.' + 'invalid'


def files():
    """The files of the tree, without what was built."""
    if not (TOP / '.git').exists():
        return [path for path in walking.files_of(TOP, ['build'])
                if path.is_file()]
    done = subprocess.run(
        ['git', '-c', f'safe.directory={TOP}', '-C', TOP, 'ls-files', '-co',
         '--exclude-standard'], text=True, capture_output=True, check=True)
    return [TOP / name for name in done.stdout.splitlines()
            if (TOP / name).is_file()]


def anchors(text):
    """The name that a link uses for a heading."""
    return {re.sub(r'[^\w\- ]', '', head.lower()).replace(' ', '-')
            for head in re.findall(r'^#+ (.*)$', text, re.M)}


def test_links(paths):
    count = 0
    for path in paths:
        if path.suffix != '.md':
            continue
        for found in LINK.findall(path.read_text()):
            target, _, anchor = ''.join(found).partition('#')
            if re.match(r'[a-z]+:', target):
                continue
            other = path.parent / target if target else path
            case.true(other.exists(), f'{target} of {path.name} exists')
            if anchor:
                case.true(anchor in anchors(other.read_text()),
                          f'#{anchor} of {path.name} is a heading')
            count += 1
    case.true(count > 30, f'links: {count}')


def test_paths():
    for name in ('SECURITY.md', 'CONTRIBUTING.md'):
        page = TOP / name
        text = page.read_text() if page.exists() else ''
        made = re.findall(r'^Make `([^`]+)`:$', text, re.M)
        for path in re.findall(r'`((?:[a-z_0-9-]+/)+[a-zA-Z_0-9.-]*)`', text):
            there = any((TOP / f'{path}{end}').exists()
                        for end in ('', '.c', '.h'))
            case.true(there or path in made, f'{path} of {name} exists')


def test_addresses(paths):
    for path in paths:
        case.true(NOWHERE not in path.read_text(errors='replace'),
                  f'{path} has no address that ends in {NOWHERE}')


def test():
    paths = files()
    test_links(paths)
    test_paths()
    test_addresses([path for path in paths if 'corpus' not in path.parts])


case.main(test)
