#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--heap counts the objects of a PHP script as PHP itself does, with 10^3 and
10^5 objects, and its bytes add up to memory_get_usage(). A script that waits
is not stopped. A script that runs is stopped for the copy, and xtrace says so;
the script does not notice it, and no sleep of it is cut short.

NEEDS: php
TIMEOUT: 60
"""
import subprocess

import case
import heapcase

def start(*words):
    # The line 'begin' makes PHP allocate its buffer for input before objects
    # are counted.
    return heapcase.start('php', '-d', 'memory_limit=-1',
                          case.SUPPORT / 'heap_php.php', *words,
                          feed=['begin'])


def test_waiting(many):
    subject, own, usage = start(str(many))
    rows, (_, size, mapped), text = heapcase.check_waiting(subject, own)
    case.equal(size, usage, 'bytes of the heap, and memory_get_usage()')
    case.true(mapped % (2 << 20) < 1 << 20, f'{mapped} bytes of chunks')
    case.equal(rows['Plain'][1], own['Plain'] * 40, 'bytes of Plain')
    case.equal(rows['Shop\\Order'][1], own['Shop\\Order'] * 80,
               'bytes of orders')
    for name, least in ('string', many * 3 // 2), ('array', many):
        case.true(least <= rows[name][0] < least + 300,
                  f'{rows[name][0]} of {name}')
    case.true(rows['string'][1] > 5000000, f'{rows["string"]}')
    case.equal(text.splitlines()[-1], heapcase.STILL, 'what it says of stops')
    heapcase.end(subject, 'whole 5000000')
    case.equal(subject.out.splitlines()[-2], str(usage), 'usage afterwards')


def test_running(*words):
    subject, own, _ = start('10000', 'make', *words)
    for _ in range(5):
        text = heapcase.census(subject.pid)[0]
        rows = heapcase.rows_of(text)
        for name, count in own.items():
            got = heapcase.count_of(rows, name)
            # The last 500 objects that the script has made are kept, too.
            most = count + 501 if name == 'Plain' else count
            case.true(count <= got <= most,
                      f'{got} of {name}, {count} are kept')
        heapcase.check_names(rows, 40)
        # A script that sleeps now and then may sleep during the whole copy;
        # then it is not stopped.
        case.true(heapcase.STOPPED.search(text) or
                  (words and text.splitlines()[-1] == heapcase.STILL),
                  f'its end: {text[-200:]}')
    heapcase.end(subject, 'whole 5000000')


def test_strings():
    """Strings of all lengths up to 3000, made in two ways."""
    subject = case.start('php', '-r', """
        $kept = [];
        for ($i = 2; $i < 3000; $i++) {
            $kept[] = str_repeat($argv[1], $i);
            $kept[] = $argv[1] . str_repeat('y', $i);
        }
        echo "all 0\n";
        fgets(STDIN);
        echo "end\n";""", '--', 'x')
    subject.wait_for('all')
    rows = heapcase.rows_of(heapcase.census(subject.pid)[0])
    case.true(2 * 2998 <= rows['string'][0] < 2 * 2998 + 300,
              f'{rows["string"]}, {rows["(other memory)"]}')
    heapcase.end(subject, 'end')


def test_refused():
    subject = case.start('php', '-r', 'echo "all\n"; fgets(STDIN);',
                         env={'USE_ZEND_ALLOC': '0'})
    subject.wait_for('all')
    out, err = heapcase.census(subject.pid, status=1)
    case.equal(out, '', 'table')
    case.true(err.endswith('PHP does not use its own allocator '
                           '(USE_ZEND_ALLOC), so its objects cannot be found\n')
              and err.startswith('xtrace: '), err)
    subject.say('')
    case.finish(subject)


def test():
    version = subprocess.run(['php', '-r', 'echo PHP_VERSION;'], check=True,
                             capture_output=True, text=True).stdout
    if not version.startswith('8.2.'):
        case.skip(f'PHP {version}')
    test_waiting(1000)
    test_waiting(100000)
    test_running()
    test_running('sleep')
    test_strings()
    test_refused()


case.main(test)
