# SPDX-License-Identifier: GPL-2.0-or-later
"""A case is one page: the subject, how to run it and what is expected.

The header consists of comment lines `KEY: text`. The keys EXPECT, CONTAINS,
ABSENT, SAYS and STDIN have a block of lines, indented more than the key.
tests/README.md has the table of keys.
"""
import re
import shlex

LEADER = re.compile(r'^\s*(?:/\*|\*/|\*|//|#|;)?')
KEY = re.compile(r'^( *)([A-Z][A-Z-]+):(?: (.*))?$')
# Seconds: many times what a case takes on an idle machine, because the limit only
# ends cases that hang.
TIMEOUT = '60'
BLOCKS = {'EXPECT', 'CONTAINS', 'ABSENT', 'SAYS', 'STDIN'}
PER_RUN = BLOCKS | {'STATUS', 'COUNT', 'TRACE', 'ATTACH', 'UNTRACED',
                    'OUTPUT', 'MESSAGES'}
PER_PAGE = {'CFLAGS', 'LDFLAGS', 'CC', 'LIB', 'VARIANT', 'NEEDS', 'SLOW',
            'SERIAL', 'TIMEOUT', 'BEFORE', 'POST', 'FILE', 'ENV',
            'GLIBC', 'MAY-SKIP'}
TOOLS = {'.py': '/usr/bin/python3', '.pl': '/usr/bin/perl',
         '.rb': '/usr/bin/ruby', '.php': '/usr/bin/php',
         '.sh': '/bin/bash'}
COMPILED = {'.c', '.cc', '.S'}


class PageError(Exception):
    pass


class Run:
    """A RUN line of a page, with its expectations."""

    def __init__(self, command):
        self.command = shlex.split(command)
        self.blocks = {}
        self.values = {}
        self.counts = []

    def block(self, key):
        return self.blocks.get(key)

    def value(self, key, default=None):
        return self.values.get(key, default)


class Page:
    def __init__(self, path):
        self.path = path
        self.suffix = path.suffix
        self.runs = []
        self.values = {}
        self._read(path.read_text(errors='replace').splitlines())

    @property
    def compiled(self):
        return self.suffix in COMPILED

    @property
    def script(self):
        """A page without a RUN line is a script."""
        return not self.runs

    def all(self, key):
        return self.values.get(key, [])

    def value(self, key, default=''):
        values = self.all(key)
        return values[-1] if values else default

    def words(self, key):
        return [word for value in self.all(key) for word in shlex.split(value)]

    def _read(self, lines):
        block = None
        for number, raw in enumerate(lines, 1):
            text = LEADER.sub('', raw, count=1).rstrip()
            indent = len(text) - len(text.lstrip(' '))
            found = KEY.match(text)
            if block is not None and text and indent > block[1]:
                block[0].append(text)
                continue
            block = None
            if not found:
                continue
            key, value = found.group(2), (found.group(3) or '').strip()
            if key == 'RUN':
                self.runs.append(Run(value))
            elif key in BLOCKS:
                run = self._run(key, number)
                block = (run.blocks.setdefault(key, []), indent)
                if value:
                    block[0].append(value)
            elif key == 'COUNT':
                many, _, line = value.partition(' ')
                self._run(key, number).counts.append((int(many), line))
            elif key in PER_RUN:
                self._run(key, number).values[key] = value
            elif key in PER_PAGE:
                self.values.setdefault(key, []).append(value)
        for run in self.runs:
            for name, rows in run.blocks.items():
                run.blocks[name] = dedented(rows)

    def _run(self, key, number):
        if not self.runs:
            raise PageError(f'{self.path}:{number}: {key} before RUN')
        return self.runs[-1]


def dedented(rows):
    """The rows without the indent of the first row. Rows with a deeper indent
    keep the rest of it.
    """
    if not rows:
        return rows
    width = len(rows[0]) - len(rows[0].lstrip(' '))
    return [row[width:] if row[:width].isspace() else row.lstrip(' ')
            for row in rows]
