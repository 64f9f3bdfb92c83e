#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A timer's handler leaves traced calls by siglongjmp. No call is in the trace
twice. Each call that returned is there with its result. A call that the jump
ended may be missing, but only if it ended before xtrace traced its entry.

TIMEOUT: 120
"""
import re

import case


def test():
    program = case.build('jumped.c')
    (case.FOLDER / 'p.conf').write_text('int f(int);\n')
    for options in ([], ['-b']):
        tracer = case.trace('-F', 'p.conf', '-x', 'f', *options,
                            command=[program])
        tracer.wait(0)
        flags = tracer.child.out.split('\n')[0]
        begun, ended, waiting = [], {}, None
        for row in tracer.calls():
            entry = re.match(r'f\((\d+)(.*)', row)
            if entry:
                begun.append(int(entry[1]))
                waiting = int(entry[1])
            result = re.search(r'= (\S+)$', row)
            if result:
                ended[waiting] = result[1]
        case.equal(len(begun), len(set(begun)), 'calls shown and their number')
        for number, flag in enumerate(flags, 1):
            if flag == '1':
                case.equal(ended.get(number), str(number), f'f({number})')
            else:
                case.true(ended.get(number) in (None, str(number),
                                                '<unwound>'),
                          f'f({number}) ends with {ended.get(number)}')
        jumps = flags.count('0')
        missing = len(flags) - len(begun)
        case.true(jumps >= 300, f'the handler jumped {jumps} times')
        case.true(missing <= jumps // 10, f'{missing} of {jumps} are missing')


case.main(test)
