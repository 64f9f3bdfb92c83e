#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--heap counts the objects of a Ruby script as Ruby itself does: exactly if the
script waits. While a thread makes objects at full speed, none of the kept ones
is missed. The script is not stopped, and does not notice it.

NEEDS: ruby
TIMEOUT: 60
"""
import re
import subprocess

import case
import heapcase


def start(*words):
    subject = case.start('ruby', case.SUPPORT / 'heap_ruby.rb', *words)
    subject.wait_for('all')
    ready, *lines = subject.out.splitlines()[:-1]
    own = {}
    for line in lines:
        count, name = line.split(' ', 1)
        own[name] = int(count)
    return subject, int(ready.split()[1]), own


def end(subject, made):
    subject.say('end')
    case.finish(subject)
    case.equal(subject.out.splitlines()[-1], f'{made} {sum(range(30000))}',
               'what it says')
    case.equal(subject.err, '', 'what it says')


def count_of(rows, name):
    """A class without a name is named by its address, and Ruby has some of its
    own, with an object each."""
    return max(row[0] for found, row in rows.items()
               if re.sub('0x[0-9a-f]{16}', '0x0', found) == name)


def test_waiting():
    subject, slots, own = start()
    text, err = heapcase.census(subject.pid)
    case.equal(err, '', 'what xtrace says')
    rows = heapcase.rows_of(text)
    for name, count in own.items():
        case.equal(count_of(rows, name), count, name)
    case.equal(rows['Plain'][1], own['Plain'] * 40, 'bytes of Plain')
    # Five variables do not fit into a slot.
    wide = rows['Wide'][1] / own['Wide']
    case.true(40 + 5 * 8 <= wide <= 40 + 10 * 8, f'{wide} bytes of Wide')
    case.true(1000000 < rows['String'][1] < 20000000,
              f'{rows["String"][1]} bytes of strings')
    count, size, _ = heapcase.last_row(text)
    case.equal(sum(row[0] for row in rows.values()), count, 'all objects')
    case.equal(sum(row[1] for row in rows.values()), size, 'all bytes')
    # What was made since.
    case.true(slots <= count < slots + 1000,
              f'{count} objects, {slots} slots by Ruby')
    case.equal(heapcase.census(subject.pid)[0], text, 'a second census')
    end(subject, 'false')


def test_running():
    subject, _, own = start('make')
    for _ in range(5):
        rows = heapcase.rows_of(heapcase.census(subject.pid)[0])
        for name, count in own.items():
            # Plain ones are made, and are there until they are swept.
            most = 10**7 if name == 'Plain' else count
            got = count_of(rows, name)
            case.true(count <= got <= most,
                      f'{got} of {name}, {count} are kept')
        case.true(len(rows) < 400, f'{len(rows)} classes')
        case.true(all(name.isprintable() for name in rows), f'{list(rows)}')
    end(subject, 'true')


def test():
    version = subprocess.run(['ruby', '-e', 'print RUBY_VERSION'], check=True,
                             capture_output=True, text=True).stdout
    if not version.startswith('3.1.'):
        case.skip(f'Ruby {version}')
    test_waiting()
    test_running()


case.main(test)
