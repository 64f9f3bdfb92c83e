#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every error of a prototype file is reported with its line and column."""
import case

BAD = '''int f(int);
itn( g(int);
# a comment
int h(no_such_type);
int i(int
'''


def test():
    program = case.build('prototypes.c')
    (case.FOLDER / 'bad.conf').write_text(BAD)
    tracer = case.trace('-F', 'bad.conf', '-x', 'f', command=[program])
    tracer.wait(0)
    case.same(tracer.calls(), ['f(3) = 3'])
    said = [line for line in tracer.says() if line.startswith('xtrace:')]
    case.contains(said, 'xtrace: bad.conf:2:%num: %any',
                  'xtrace: bad.conf:4:%num: %any',
                  'xtrace: bad.conf:%num:%num: %any')
    case.equal(len(said), 3, 'errors')


case.main(test)
