#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""With --sql -w 1, a query of a real framework has the line of the application,
however many frames of packages are below it, and these are counted by package.
--group-by where has the same line.

NEEDS: /usr/lib/python3/dist-packages/django
NEEDS: /usr/lib/python3/dist-packages/sqlalchemy
NEEDS: /usr/share/perl5/DBIx/Class.pm
TIMEOUT: 120
"""
import re

import case

# Each program: text of the application's line, and a package that is counted.
PROGRAMS = {
    'django_book.py': ('return list(Book', 'django'),
    'sqlalchemy_book.py': ('return session', 'sqlalchemy'),
    'activerecord_book.rb': ("Book.where(title: 'x')", 'activerecord'),
    'sequel_book.rb': ("base[:book].where", 'sequel'),
    'dbix_book.pl': ('return $shop', 'DBIx'),
}
TOOLS = {'py': '/usr/bin/python3', 'rb': '/usr/bin/ruby',
         'pl': '/usr/bin/perl'}
COUNT = re.compile(r'(\d+) of ([\w.-]+)')


def check(name, text, package):
    path = case.SUPPORT / 'frameworks' / name
    number = next(number for number, line in
                  enumerate(path.read_text().splitlines(), 1) if text in line)
    command = [TOOLS[name.rpartition('.')[2]], path]
    tracer = case.trace('--sql', '-w', '1', command=command)
    tracer.wait(0)
    lines = tracer.lines()
    at, = [at for at, line in enumerate(lines)
           if re.search(r'SELECT.*title.* = SQLITE_DONE', line)]
    place = f'{path}:{number} in '
    case.true(lines[at + 2].startswith(f'    {place}') and
              lines[at + 2].endswith('find'), f'{name}: {lines[at + 2]}')
    skipped = {word: int(count) for count, word in COUNT.findall(lines[at + 1])}
    case.true(skipped.get(package, 0) > 2, f'{name}: {lines[at + 1]}')
    if package != 'sqlalchemy':
        return
    tracer = case.trace('--sql', '--summary', '--group-by', 'query,where',
                        command=command)
    tracer.wait(0)
    case.true(any(f' at {place}' in line and 'title' in line
                  for line in tracer.lines()), f'{name}: {tracer.lines()}')


def test():
    for name, (text, package) in PROGRAMS.items():
        check(name, text, package)


case.main(test)
