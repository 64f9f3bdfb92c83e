#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Messages about filters that match nothing, besides unmatched.run: a static
program waits for no library, and has no calls through a PLT; and if xtrace
attaches to several processes, one of them may have the function.
"""
import case


def test_static():
    program = case.build('waits.c', case.FOLDER / 'static', 'static')
    tracer = case.trace('-x', 'f+readdy', command=[program])
    tracer.child.say('go')
    tracer.wait(0)
    case.same(tracer.says(), [
        'xtrace: readdy: the program has no such function',
        'xtrace: readdy: no module ever had it; is %word meant?'], 'static')
    alone = 'xtrace: t is static: it calls its functions directly, not ' \
        'through a PLT; -x traces them by name'
    for options in ((), ('-e', 'f')):
        tracer = case.trace(*options, command=[program])
        tracer.child.say('go')
        tracer.wait(0)
        case.same(tracer.says()[:1], [alone], f'without -x: {options}')
    tracer = case.trace('-f', command=['/bin/sh', '-c', f'exec {program}'])
    tracer.child.say('go')
    tracer.wait(0)
    case.same(tracer.says(), [alone], 'after exec')


def test_several():
    without = case.start('cat')
    program = case.build('waits.c')
    subject = case.start(program)
    subject.wait_for('ready')
    without.say('cat runs')
    without.wait_for('cat runs')
    tracer = case.attach(subject, '-p', str(without.pid), '-x', 'f')
    subject.say('go')
    case.finish(subject)
    case.until(lambda: 'f(1' in ''.join(tracer.lines()), 'its call')
    tracer.leave()
    case.same(tracer.says(), [], 'one of them has f')
    case.contains(tracer.lines(), '%id f(1%any= 1')
    without.close_input()
    case.finish(without)


def test():
    test_static()
    test_several()


case.main(test)
