#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every option is in at least one case, by its letter or its word."""
import ast
import re
import shlex

import case

ROW = re.compile(r'^ +(?:(-\w), )?(--[a-z-]+)( |\[=)?(\S*)')


def table():
    """[(letter or None, word, whether the next argument is the option's
    value), ...] from --help."""
    run = case.start(case.XTRACE, '--help')
    run.wait()
    rows = []
    for line in run.out.splitlines():
        found = ROW.match(line)
        if found:
            letter, word, follows, arg = found.groups()
            rows.append((letter, word, follows == ' ' and arg != ''))
    return rows


class Seen:
    def __init__(self, rows):
        self.rows = rows
        self.letters = {letter[1]: (word, needs)
                        for letter, word, needs in rows if letter}
        self.words = {word: needs for _, word, needs in rows}
        self.seen = set()

    def cluster(self, word):
        """Adds the options of a word such as -ttTx. True if the next argument
        is the last option's value."""
        for at, letter in enumerate(word[1:], 1):
            if letter not in self.letters:
                return False
            long, needs = self.letters[letter]
            self.seen.add(long)
            if needs:
                return at == len(word) - 1
        return False

    def option(self, word):
        if word.startswith('--'):
            name = word.split('=')[0]
            if name not in self.words:
                return False
            self.seen.add(name)
            return self.words[name] and '=' not in word
        return self.cluster(word)

    def command(self, words):
        """Adds the options of a RUN line: the words between xtrace and the
        subject."""
        while words and not words[0].endswith('trace'):
            words = words[1:]
        at = 1
        while at < len(words) and words[at].startswith('-') \
                and words[at] != '--':
            at += 2 if self.option(words[at]) else 1


def refused(block):
    """A RUN that xtrace refuses does not count as a test of its options."""
    return re.search(r'STATUS: 2$', block, re.M) is not None


def look_at_page(seen, text):
    for block in re.split(r'^[ /*#]*(?=RUN: )', text, flags=re.M)[1:]:
        line = block.splitlines()[0].removeprefix('RUN: ')
        if not refused(block) or 'implemented yet' in block:
            seen.command(shlex.split(line))


def look_at_script(seen, text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) \
                and re.match(r'--?[A-Za-z]', node.value):
            seen.option(node.value)
        elif isinstance(node, ast.JoinedStr) and node.values \
                and isinstance(node.values[0], ast.Constant) \
                and str(node.values[0].value).startswith('-'):
            seen.option(node.values[0].value)


def test():
    seen = Seen(table())
    case.true(len(seen.rows) > 40, f'options of --help: {seen.rows}')
    for path in sorted((case.TESTS / 'cases').rglob('*')):
        if path.suffix == '.py' and path.name != 'every.py':
            look_at_script(seen, path.read_text())
            look_at_page(seen, path.read_text())
        elif path.suffix in ('.c', '.cc', '.S', '.run', '.py', '.pl', '.rb',
                             '.php'):
            look_at_page(seen, path.read_text(errors='replace'))
    case.equal([word for _, word, _ in seen.rows if word not in seen.seen],
               [], 'options that no case has')


case.main(test)
