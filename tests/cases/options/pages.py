#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The cases of --live read whole pages (support/screen.py): a page whose upper
rows are new, and whose lower rows are those of the page before, is not taken for
one, whether the cursor is shown or not; and it is seen that a program was killed.

NEEDS: tmux
"""
import case
from screen import Screen


def rows(text, first, last):
    return [f'{text} {row}' for row in range(first, last + 1)]


def test_parts():
    screen = Screen(f'sh {case.SUPPORT}/pages.sh')
    screen.until(lambda lines: lines == rows('first', 1, 24), 'the first page')
    for old, new in ('first', 'second'), ('second', 'third'):
        screen.keys('Enter')
        case.until(lambda: screen.lines() ==
                   rows(new, 1, 12) + rows(old, 13, 24), 'a part of a page')
        case.equal(screen.page(), None, f'the {new} page is drawn in part')
        screen.keys('Enter')
        lines = screen.until(lambda lines: lines[0] == f'{new} 1', 'a page')
        case.equal(lines, rows(new, 1, 24), f'the {new} page')
    screen.keys('Enter')
    screen.ended(0)


def test_killed():
    """A program is killed that has set the terminal as --live does, wherever the
    cursor is. What the shell then writes begins in any column."""
    for column in range(1, 80, 8):
        screen = Screen("sh -c 'stty -onlcr; printf \"\\033[24;%dH\" "
                        f"{column}; kill -9 $$'")
        screen.killed()


def test():
    test_parts()
    test_killed()


case.main(test)
