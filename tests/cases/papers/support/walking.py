# SPDX-License-Identifier: GPL-2.0-or-later
"""Walks one of the ways of CONTRIBUTING.md in a copy of the tree: writes the
files as its blocks have them, runs its commands, and compares what they print.

A block is indented. Before it there is one of

    Make `PATH`:                           the file is the block
    Add to `PATH`:                         the block becomes its end
    Add to `PATH`, behind `TEXT`:          ... goes behind the line with TEXT
    Add to `PATH`, before `TEXT`:

A block whose first line begins with "$ " has commands, with the lines that
they print behind each. These lines must be printed in this order; other lines
may be between them. Addresses and times may differ.
"""
import os
import pathlib
import re
import shutil
import subprocess

import case

TOP = case.TESTS.parent
WAY = re.compile(r'(Make|Add to) `([^`]+)`(?:, (behind|before) `([^`]+)`)?:$')
MASKS = [(r'0x[0-9a-f]+', 'ADDRESS'), (r'<\d+\.\d+>', '<SPAN>'),
         (r'\d\d:\d\d:\d\d\.\d+', 'TIME'), (r'\b\d{4,}\b', 'NUMBER'),
         (r'\d+\.\d+s\b', 'SECONDS'),
         (r' +', ' ')]


def masked(line):
    for pattern, text in MASKS:
        line = re.sub(pattern, text, line)
    return line.strip()


def files_of(top, without):
    """The files below the folder, without those in its folders of these names.
    Other cases make and move folders meanwhile, so that rglob() would fail."""
    for folder, inner, names in os.walk(top):
        if pathlib.Path(folder) == top:
            inner[:] = set(inner) - set(without)
        for name in names:
            yield pathlib.Path(folder) / name


def copied():
    """Copies the tree and what was built of it into a folder of the case."""
    place = case.FOLDER / 'tree'
    names = subprocess.run(
        ['git', '-c', f'safe.directory={TOP}', '-C', TOP, 'ls-files', '-co',
         '--exclude-standard'], text=True, capture_output=True, check=True
    ).stdout.splitlines() if (TOP / '.git').exists() else [
        str(path.relative_to(TOP)) for path in files_of(TOP, ['build'])]
    for name in names:
        if (TOP / name).exists():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TOP / name, place / name)
    # The copies keep their times, so that make builds only what the walk has
    # changed.
    for path in files_of(TOP / 'build', ['asan', 'tests', 'bench']):
        if path.suffix in ('.o', '.d', '.a') or path.name in (
                'xtrace', 'needs.seen'):
            name = path.relative_to(TOP)
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, place / name)
    return place


def way(title):
    """The text of the page's section with this title."""
    page = (TOP / 'CONTRIBUTING.md').read_text()
    found = re.search(rf'^## {re.escape(title)}\n(.*?)(?=^## |\Z)', page,
                      re.M | re.S)
    case.true(found, f'CONTRIBUTING.md has a section "{title}"')
    return found.group(1)


def blocks(text):
    """(the line in front of it, its text) of each indented block."""
    for found in re.finditer(r'^(\S[^\n]*)\n\n((?:    .*\n|\n)+)', text,
                             re.M):
        lines = [line[4:] for line in found.group(2).rstrip().split('\n')]
        yield found.group(1).strip(), '\n'.join(lines) + '\n'


def write(place, match, text):
    verb, name, where, mark = match.groups()
    path = place / name
    if verb == 'Make':
        case.true(not path.exists(), f'{name} is not there before')
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return
    old = path.read_text()
    if not where:
        path.write_text(old + text)
        return
    lines = old.splitlines(True)
    at = next((at for at, line in enumerate(lines) if mark in line), None)
    case.true(at is not None, f'{name} has a line with {mark}')
    at += where == 'behind'
    path.write_text(''.join(lines[:at]) + text + ''.join(lines[at:]))


def run(place, text):
    """The commands of a block, each with the lines that are under it."""
    for part in re.split(r'^\$ ', text, flags=re.M)[1:]:
        command, *wanted = part.rstrip('\n').split('\n')
        done = subprocess.run(
            ['bash', '-c', command], cwd=place, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, 'PATH': f'{place}/build:/usr/bin:/bin',
                 'XDG_CONFIG_HOME': '/nowhere', 'MAKEFLAGS': ''})
        case.equal(done.returncode, 0, f'status of {command}: {done.stdout}')
        ahead = [masked(line) for line in wanted]
        for line in done.stdout.splitlines():
            if ahead and masked(line) == ahead[0]:
                del ahead[0]
        case.equal(ahead, [], f'not printed by {command}: {done.stdout}')


def walk(title):
    """Does what the section says. Returns the copy of the tree in which it was
    done, and the number of blocks.
    """
    place, count = copied(), 0
    for before, text in blocks(way(title)):
        match = WAY.search(before)
        if text.startswith('$ '):
            run(place, text)
        else:
            case.true(match, f'what a block is for: {before}')
            write(place, match, text)
        count += 1
    case.true(count > 2, f'blocks of {title}: {count}')
    return place
