#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Ruby 3.1 frees the name of RubyVM::FrozenCore and reads it at each `alias`
while its probes of methods in C are wanted. The program lives on, and the name
is right: with --script-calls and with -x, started and attached.

NEEDS: ruby
TIMEOUT: 120
"""
import case

NAME = 'RubyVM::FrozenCore#core#set_method_alias'
RUBY = ['ruby', '--disable-gems', str(case.SUPPORT / 'core.rb')]
CALLS = ['--script-calls', '-x', 'rb:*core#*', '-s200']
PROBES = ['-F', str(case.TESTS.parent / 'etc' / 'probes' / 'ruby.conf'),
          '-x', '%ruby:cmethod__*', '-s200']


def aliases(tracer):
    """The lines of the `alias` in the script."""
    return [line for line in tracer.calls()
            if 'core#set_method_alias' in line and 'core.rb' in line]


def started(options):
    tracer = case.trace(*options, command=RUBY)
    tracer.wait(0)
    case.equal(tracer.child.out, 'done\n', f'what it writes with {options}')
    return aliases(tracer)


def attached(options):
    subject = case.start(*RUBY, 'wait')
    subject.wait_for('ready')
    tracer = case.attach(subject, *options)
    case.wait_planted(subject.pid, tracer)
    subject.say('go')
    subject.wait_for('done')
    case.finish(subject)
    tracer.wait(0)
    return aliases(tracer)


def test():
    for run in started, attached:
        lines = run(CALLS)
        case.equal([line.split('(')[0] for line in lines], [NAME] * 3,
                   f'{run.__name__}: the calls')
        lines = run(PROBES)
        case.equal(len(lines), 6, f'{run.__name__}: the probes')


case.main(test)
