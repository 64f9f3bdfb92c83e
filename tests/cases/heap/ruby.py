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
    return heapcase.start('ruby', case.SUPPORT / 'heap_ruby.rb', *words)


def test_waiting():
    subject, own, slots = start()
    rows, (count, _, _), text = heapcase.check_waiting(subject, own)
    # In the table, the class Old has 321 objects that are older than the last
    # collection. The objects of all other classes are younger.
    case.contains(text.splitlines(), '%any 12 840           321  Old')
    for name in 'Plain', 'Wide', 'Outer::Inner', 'Pair':
        case.true(re.search(rf' {{2,}}0  {name}$', text, re.M), name)
    case.equal(rows['Plain'][1], own['Plain'] * 40, 'bytes of Plain')
    # The five instance variables of a Wide do not fit into its slot.
    wide = rows['Wide'][1] / own['Wide']
    case.true(40 + 5 * 8 <= wide <= 40 + 10 * 8, f'{wide} bytes of Wide')
    case.true(1000000 < rows['String'][1] < 20000000,
              f'{rows["String"][1]} bytes of strings')
    # Further objects were made between Ruby's count and xtrace's.
    case.true(slots <= count < slots + 1000,
              f'{count} objects, {slots} slots by Ruby')
    heapcase.end(subject, f'false {sum(range(30000))}')


def test_running():
    subject, own, _ = start('make')
    for _ in range(5):
        rows = heapcase.rows_of(heapcase.census(subject.pid)[0])
        for name, count in own.items():
            # The subject still makes objects of Plain, which stay in the heap
            # until they are swept.
            most = 10**7 if name == 'Plain' else count
            got = heapcase.count_of(rows, name)
            case.true(count <= got <= most,
                      f'{got} of {name}, {count} are kept')
        heapcase.check_names(rows, 400)
    heapcase.end(subject, f'true {sum(range(30000))}')


def test_still():
    subject, own, _ = start()
    case.wait_for_input(subject.pid)
    text = heapcase.census(subject.pid)[0]
    still = heapcase.census(subject.pid, option='--heap=still')[0]
    case.equal(still, text + heapcase.STILL + '\n', 'the same, and no stop')
    heapcase.end(subject, f'false {sum(range(30000))}')
    subject, own, _ = start('make')
    text = heapcase.census(subject.pid, option='--heap=still')[0]
    for name, count in own.items():
        got = heapcase.count_of(heapcase.rows_of(text), name)
        case.true(got >= count, f'{got} of {name}, {count} are kept')
    heapcase.end(subject, f'true {sum(range(30000))}')


def test():
    version = subprocess.run(['ruby', '-e', 'print RUBY_VERSION'], check=True,
                             capture_output=True, text=True).stdout
    if not version.startswith('3.1.'):
        case.skip(f'Ruby {version}')
    test_waiting()
    test_running()
    test_still()


case.main(test)
