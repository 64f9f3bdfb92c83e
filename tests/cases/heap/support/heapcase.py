# SPDX-License-Identifier: GPL-2.0-or-later
"""For cases about --heap: starts a script that says how many objects it has,
takes a census, and reads its table."""
import re

import case

NUMBER = r'(\d{1,3}(?: \d{3})*)'
ROW = re.compile(rf' *{NUMBER} {{2,}}{NUMBER}(?: {{2,}}{NUMBER})?  (.*)$')
END = re.compile(rf'^ *{NUMBER} {{2,}}{NUMBER}(?: {{2,}}\d[\d ]*)?  in all, of '
                 rf'{NUMBER} bytes of the heap$', re.M)
FREE = re.compile(rf'^  {NUMBER} bytes of it are free, or between objects; the '
                  rf'process has {NUMBER} bytes in memory$', re.M)
STILL = '  no thread was stopped: all were waiting'
STOPPED = re.compile(r'^  the process was stopped for \d+\.\d ms$', re.M)


def number(text):
    return int(text.replace(' ', ''))


def start(*command, feed=()):
    """Starts a script. Returns it; class -> how many objects it has; and the
    number after "all", by the language's own count."""
    subject = case.start(*command)
    for line in feed:
        subject.say(line)
    subject.wait_for('all ')
    *lines, last = subject.out.splitlines()
    own = {}
    for line in lines:
        count, name = line.split(' ', 1)
        if count.isdigit():
            own[name] = int(count)
    return subject, own, int(last.split()[1])


def end(subject, wanted):
    """Ends the script, and checks that it has noticed nothing."""
    subject.say('end')
    case.finish(subject)
    case.equal(subject.out.splitlines()[-1], wanted, 'what it says')
    case.equal(subject.err, '', 'what it says')


def census(pid, *options, option='--heap', status=0):
    run = case.start(case.XTRACE, option, '--top', '9999', '-p', str(pid),
                     *options)
    case.equal(run.wait(), status, f'status, {run.err}')
    return run.out, run.err


def rows_of(text):
    """name -> (count, bytes) of each row; two classes may have one name. The
    lines below the rows are left out."""
    rows = {}
    head, *lines = text.splitlines()
    case.true(head.split() in (['count', 'bytes', 'class'],
                               ['count', 'bytes', 'survived', 'class']), head)
    for line in lines:
        match = ROW.match(line)
        if match and not match[4].startswith('in all, of '):
            count, size, name = number(match[1]), number(match[2]), match[4]
            before = rows.get(name, (0, 0))
            rows[name] = before[0] + count, before[1] + size
    return rows


def last_row(text):
    """The numbers of the last row: objects, their bytes, the heap's bytes."""
    found = END.search(text)
    case.true(found, f'its end: {text[-200:]}')
    return tuple(map(number, found.groups()))


def count_of(rows, name):
    """How many objects a class has. A nameless class of Ruby is shown by its
    address. Ruby itself makes some, of one object each; the largest counts."""
    return max((row[0] for found, row in rows.items()
                if re.sub('0x[0-9a-f]{16}', '0x0', found) == name), default=0)


def check_waiting(subject, own):
    """A script that waits is counted exactly, and so are the sums. Returns the
    rows, the numbers of the last row, and the text."""
    case.wait_for_input(subject.pid)
    text, err = census(subject.pid)
    case.equal(err, '', 'what xtrace says')
    rows = rows_of(text)
    for name, count in own.items():
        case.equal(count_of(rows, name), count, name)
    count, size, mapped = last_row(text)
    case.equal(sum(row[0] for row in rows.values()), count, 'all objects')
    case.equal(sum(row[1] for row in rows.values()), size, 'all bytes')
    case.true(size <= mapped, f'{size} of {mapped} bytes')
    free, resident = map(number, FREE.search(text).groups())
    case.equal(free, mapped - size, 'free bytes')
    case.true(size < resident < 1 << 31, f'{resident} bytes in memory')
    # The script waits, so a second census must be equal. Only the size of the
    # heap in memory may differ, because a census brings pages into memory.
    case.equal(FREE.sub('', census(subject.pid)[0]), FREE.sub('', text),
               'a second census')
    return rows, (count, size, mapped), text


def check_names(rows, most):
    """While objects are made, no class appears that does not exist."""
    case.true(len(rows) < most, f'{len(rows)} classes')
    case.true(all(name.isprintable() for name in rows), f'{list(rows)}')
