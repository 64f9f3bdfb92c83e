#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--flame of a traced program: the picture has the sums of --folded from the
same run, for each weight. Its counts are those of the calls. With --interval
the picture exists while the program runs.

TIMEOUT: 120
"""
import xml.etree.ElementTree as ET

import case
import flamecase
from drawn import frames_of


def run(program, *options, picture='out.svg'):
    tracer = case.trace('--folded=out.folded', f'--flame={picture}', *options,
                        '-x', 'leaf+branch+again', command=[program])
    tracer.wait(0)
    return (case.FOLDER / 'out.folded').read_text()


def test_sums(program):
    for weight in ('time', 'calls'):
        for options in ((), ('--collapse-recursion',)):
            folded = run(program, '--weight', weight, *options)
            weights, root = frames_of(case.FOLDER / 'out.svg')
            wanted = flamecase.tree_of(folded)
            # Frames with less than 1/4000 of the whole weight are left out.
            narrow = {path for path, number in wanted.items()
                      if path not in weights}
            case.true(all(wanted[path] * 4000 < wanted[('all',)]
                          for path in narrow), f'left out: {narrow}')
            case.equal(weights, {path: number for path, number
                                 in wanted.items() if path not in narrow},
                       f'{weight} {options}')
            case.equal(root.get('data-unit'), 'us' if weight == 'time'
                       else 'calls', 'unit')
    case.true(any('thread' in path[2] for path in weights if len(path) > 2),
              'threads')


def test_counts(program):
    """data-c: the calls that ended with exactly this stack."""
    run(program, '--weight', 'time')
    timed = dict(elements())
    (case.FOLDER / 'out.svg').rename(case.FOLDER / 'timed.svg')
    folded = run(program, '--weight', 'calls')
    wanted = {}
    for line in folded.splitlines():
        stack, _, number = line.rpartition(' ')
        wanted[tuple(stack.split(';')[2:])] = \
            wanted.get(tuple(stack.split(';')[2:]), 0) + int(number)
    got = {}
    for path, node in timed.items():
        if node.get('data-c'):
            got[path[3:]] = got.get(path[3:], 0) + int(node.get('data-c'))
    case.true(got, 'there are counts')
    whole = 'not drawn' not in (case.FOLDER / 'timed.svg').read_text()
    for path, count in got.items():
        case.true(count == wanted[path] or not whole and count < wanted[path],
                  f'{count} calls at {path}, {wanted[path]} in the other run')


def elements():
    root = ET.parse(case.FOLDER / 'out.svg').getroot()
    area = [node for node in root if node.get('id') == 'frames'][0]
    open_ = {}
    for node in area:
        depth = int(node.get('data-d'))
        name = node.find('{http://www.w3.org/2000/svg}text').text
        open_[depth] = (*open_.get(depth - 1, ()), name)
        yield open_[depth], node


def test_page(program):
    run(program, picture='out.html')
    page = (case.FOLDER / 'out.html').read_text()
    case.true(page.startswith('<!DOCTYPE html>') and
              page.endswith('</html>\n'), 'a whole page')


def test_interval():
    """A picture of three calls, which exists while the program waits."""
    program = case.build('../options/support/interval.c', case.FOLDER / 'interval')
    picture = case.FOLDER / 'live.svg'
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, f'--flame={picture}', '--weight', 'calls',
                         '--interval', '1s', '-x', 'f')
    subject.say('3')
    case.until(lambda: picture.exists() and
               'data-w="3"' in picture.read_text(),
               'three calls are in the picture')
    case.equal(frames_of(picture)[0][('all',)], 3, 'all')
    subject.say('2')
    subject.say('')
    case.finish(subject)
    tracer.wait(0)
    case.equal(frames_of(picture)[0][('all',)], 5, 'at the end')


def test():
    program = case.build('traced.c')
    test_sums(program)
    test_counts(program)
    test_page(program)
    test_interval()


if __name__ == '__main__':
    case.main(test)
