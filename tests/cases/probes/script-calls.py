#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--script-calls: functions of Ruby, Python and PHP as calls that are nested and
have a time, with exceptions, generators, fibers, threads, a fork and a fatal
error. What the scripts write is as untraced. Filters, tables, folded stacks and
JSON; interpreters without probes; attaching, leaving and SIGKILL.

NEEDS: /usr/bin/python3.11 php8.2 ruby perl
TIMEOUT: 60
"""
import json
import os
import pathlib
import signal

import case

PYTHON, PHP = '/usr/bin/python3.11', 'php8.2'
DTRACE = {'USE_ZEND_DTRACE': '1'}


def script(kind):
    return str(case.SUPPORT / f'calls.{kind}')


def run(options, command, env=None):
    """The lines of the trace. Output and status are as untraced."""
    tracer = case.trace(*options, '-n1', '-s200', command=command, env=env)
    status = tracer.wait()
    case.equal((status, tracer.child.out), case.untraced(*command, env=env)[:2],
               f'{command[0]}: status and output')
    return tracer


def shape(lines):
    """Lines without places, times, and the spaces before results."""
    wanted = []
    for line in lines:
        head, _, rest = line.partition('(')
        if line.lstrip().startswith('<...'):
            wanted.append(line.split(' resumed>')[0] + '>' +
                          (' unwound' if '<unwound>' in line else ''))
        elif rest and '+++' not in line and '---' not in line:
            wanted.append(head + (' {' if '<unfinished' in rest else '') +
                          (' unwound' if '<unwound>' in rest else ''))
    return wanted


def python():
    tracer = run(['--script-calls', '-x', 'py:calls.*', '-x', '-py:<module>',
                  '--pid=never', '-f'], [PYTHON, script('py')])
    caught = ['calls.caught {', ' calls.boom {', '  calls.boom',
              ' <... calls.boom>', ' calls.numbers', ' calls.numbers {',
              '  calls.leaf', ' <... calls.numbers>', '<... calls.caught>']
    case.same(shape(tracer.calls()), [
        *caught, 'calls.<lambda> {', ' calls.leaf', '<... calls.<lambda>>',
        *caught, 'calls.forks {', 'calls.leaf', '<... calls.forks>',
        'calls.leaves'], 'Python')


def php():
    tracer = run(['--script-calls', '-x', 'php:*', '-x', '-php:main', '-x',
                  '-php:{closure}'], [PHP, script('php')], env=DTRACE)
    case.same(shape(tracer.calls()), [
        'Shop::boom {', ' Shop::boom', '<... Shop::boom>',
        # Each fiber has its own call of turn(). The call that began first
        # ends first, and both are whole lines.
        'turn', ' turn',
        'ends {', ' leaf', '<... ends>'], 'PHP')
    silent = case.trace('--script-calls', command=[PHP, '-r', '1;'])
    silent.wait(0)
    case.same(silent.says(), [
        'xtrace: --script-calls: PHP has reported no function; it reports them '
        'only if it was started with USE_ZEND_DTRACE=1 in its environment'])


def ruby():
    tracer = run(['-x', 'rb:Shop#*', '-x', 'rb:Kernel.raise', '-x', 'rb:first'],
                 ['ruby', '--disable-gems', script('rb')])
    case.same(shape(tracer.calls()), [
        'Shop#open {', ' Shop#fill {', '  Kernel#raise unwound',
        ' <... Shop#fill>', '<... Shop#open>',
        'Shop#safe {', ' Shop#fill {', '  Shop#fill {',
        '   Kernel#raise unwound', '  <... Shop#fill>', ' <... Shop#fill>',
        ' Array#first', '<... Shop#safe>',
        'Shop#turn', ' Shop#turn'],
        'Ruby')


def told():
    ruby = case.trace('--script-calls', '-x', 'rb:Shop#none',
                      command=['ruby', '--disable-gems', '-e', '1'])
    ruby.wait(0)
    case.same(ruby.says(), [
        'xtrace: --script-calls: Ruby has reported no method that is written '
        'in Ruby; it reports them only while a TracePoint asks for calls and '
        'returns',
        'xtrace: rb:Shop#none: no such function was called'])
    perl = case.trace('--script-calls', command=['perl', '-e', '1'])
    perl.wait(0)
    case.same(perl.says(), ['xtrace: --script-calls: perl was built without '
                            'probes (-Dusedtrace)'])


def formats():
    json_file = case.FOLDER / 'calls.json'
    tracer = run(['-x', 'py:calls.*', '-c', f'--json={json_file}',
                  f'--folded={case.FOLDER}/calls.folded', '--stack=calls'],
                 [PYTHON, script('py')])
    table = [line.split()[-2:] for line in tracer.lines()
             if 'calls.' in line]
    case.true(['6', 'calls.boom'] not in table and
              ['4', 'calls.boom'] in table, f'the table: {table}')
    events = [json.loads(line) for line in json_file.read_text().splitlines()]
    boom = [e for e in events if e.get('function', e.get('name')) ==
            'calls.boom' and 'duration' in e]
    case.equal(len(boom), 4, 'the calls in JSON')
    inner = sum(e['duration'] for e in boom if e['depth'] % 2)
    case.true(inner > 0.0002, f'their times: {inner}')
    folded = pathlib.Path(f'{case.FOLDER}/calls.folded').read_text()
    case.true('calls.caught;calls.boom;calls.boom ' in folded,
              f'folded stacks: {folded}')


def attached(end):
    subject = case.start(PYTHON, '-c', 'import sys\ndef f(): return 1\n'
                         'print("ready", flush=True)\n'
                         'for line in sys.stdin:\n'
                         '  print(*map(lambda x: f(), [1]), flush=True)')
    subject.wait_for('ready')
    tracer = case.attach(subject, '--script-calls')
    case.wait_planted(subject.pid, tracer)
    subject.say('go')
    subject.wait_for('1')
    if end == signal.SIGKILL:
        os.kill(tracer.pid, end)
        case.until(lambda: not case.text_changes(subject.pid),
                   'the watcher lifts the traps')
    else:
        tracer.leave()
        case.true('<string>.f("<string>", 2) = <void>' in
                  [' '.join(line.split()) for line in tracer.calls()],
                  f'the call: {tracer.calls()}')
        case.same_text(subject.pid)
    subject.say('go')
    subject.wait_for('1')
    subject.close_input()
    case.finish(subject)


def test():
    python()
    php()
    ruby()
    told()
    formats()
    attached(signal.SIGTERM)
    attached(signal.SIGKILL)


case.main(test)
