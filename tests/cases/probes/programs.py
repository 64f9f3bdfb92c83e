#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The SDT probes of real programs, with the types of etc/probes: Ruby, CPython,
PHP, libstdc++, PostgreSQL. What they write is as untraced. --list-probes, and
an interpreter that was built without probes.

NEEDS: /usr/bin/python3.11 php8.2 ruby /usr/lib/postgresql/15/bin/postgres
TIMEOUT: 60
"""
import pathlib
import subprocess

import case

ETC = case.TESTS.parent / 'etc'
POSTGRES = '/usr/lib/postgresql/15/bin/postgres'


def check(options, command, wanted, env=None):
    """Traces the command, and checks its lines. Its output and status are as
    without xtrace."""
    tracer = case.trace('-F', ETC, *options, command=command, env=env)
    status = tracer.wait()
    case.equal((status, tracer.child.out), case.untraced(*command, env=env)[:2],
               f'{command[0]}: status and output')
    case.same(tracer.calls(), wanted, command[0])


def languages():
    rb, py, php = (case.SUPPORT / f'shop.{kind}' for kind in ('rb', 'py', 'php'))
    check(['-x', '%ruby:method__*,raise', '-s200'],
          ['ruby', '--disable-gems', rb], [
        f'ruby:method__entry("Shop", "fill", "{rb}", 6)',
        f'ruby:method__return("Shop", "fill", "{rb}", 7)',
        f'ruby:raise("ArgumentError", "{rb}", 13)'])
    check(['-x', '%python:function__*', '--if', r'file ~ /shop.py$/', '-s200'],
          ['/usr/bin/python3.11', py], [
              f'python:function__entry("{py}", "<module>", 0)',
              f'python:function__entry("{py}", "fill", 9)',
              f'python:function__entry("{py}", "price", 5)',
              f'python:function__return("{py}", "price", 6)',
              f'python:function__return("{py}", "fill", 10)',
              f'python:function__return("{py}", "<module>", 13)'])
    check(['-x', '%php:function__*,exception__*', '-s200', '--names'],
          ['php8.2', php], [
              f'php:function__entry(function="main", file="{php}", line=13, '
              'class="", operator="")',
              f'php:function__entry(function="fill", file="{php}", line=8, '
              'class="Shop", operator="::")',
              'php:exception__thrown(class="LogicException")',
              f'php:function__return(function="fill", file="{php}", line=%num, '
              'class="Shop", operator="::")',
              'php:exception__caught(class={"LogicException"})',
              f'php:function__return(function="main", file="{php}", line=%num, '
              'class="", operator="")'], env={'USE_ZEND_DTRACE': '1'})


def exceptions():
    type_of = '{"St13runtime_error"}'
    throws = case.FOLDER / 'throws'
    subprocess.run(['g++', '-o', throws, case.SUPPORT / 'throws.cc'], check=True)
    check(['-x', '%libstdcxx:*'], [throws], [
        f'libstdcxx:throw(%hex, {type_of})', f'libstdcxx:catch(%hex, {type_of})',
        f'libstdcxx:rethrow(%hex, {type_of})',
        f'libstdcxx:catch(%hex, {type_of})'])


def list_of(*words):
    run = subprocess.run([case.XTRACE, '-F', ETC, '--list-probes', *words],
                         text=True, capture_output=True)
    return run.returncode, run.stdout.splitlines(), run.stderr


def lists():
    status, lines, err = list_of(POSTGRES)
    case.equal((status, err, len(lines)), (0, '', 57), 'PostgreSQL\'s probes')
    case.true('%postgresql:query__start(string query)  postgres, 1 place, '
              'semaphore' in lines, 'the line of query__start')
    subject = case.start('ruby', '--disable-gems', '-e',
                         'puts "ready"; STDOUT.flush; gets')
    subject.wait_for('ready')
    status, lines, err = list_of(str(subject.pid))
    case.equal((status, err), (0, ''), 'a process')
    case.true(any(line.startswith('%ruby:raise(string class, string file, '
                                  'int line)  libruby') for line in lines),
              'the line of raise')
    subject.say()
    case.finish(subject)
    case.equal(list_of('/bin/true'),
               (1, [], 'xtrace: /bin/true: there are no SDT probes\n'),
               'a file without probes')


def without_probes():
    """A copy of the shell named python stands for a CPython without probes."""
    python = case.FOLDER / 'python3.99'
    python.write_bytes(pathlib.Path('/bin/sh').read_bytes())
    python.chmod(0o755)
    tracer = case.trace('-x', '%python:function__*', command=[python, '-c', ':'])
    tracer.wait(0)
    case.same(tracer.says(), [
        'xtrace: %python:function__*: python3.99 was built without probes '
        '(--with-dtrace)',
        'xtrace: %python:function__*: no module ever had this probe'])


def test():
    languages()
    exceptions()
    lists()
    without_probes()


case.main(test)
