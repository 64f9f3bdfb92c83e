#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The SDT probes of real programs, with the types of etc/probes: Ruby, CPython,
PHP, libstdc++, PostgreSQL. What they write is as untraced. --list-probes, and
an interpreter that was built without probes.

NEEDS: /usr/bin/python3.11 php8.2 ruby /usr/lib/postgresql/15/bin/postgres
TIMEOUT: 60
"""
import os
import pathlib
import pwd
import re
import subprocess

import case

ETC = case.TESTS.parent / 'etc'
POSTGRES = '/usr/lib/postgresql/15/bin/postgres'
LIBRARIES = pathlib.Path('/usr/lib/x86_64-linux-gnu')
# provider -> a file that has its probes
FILES = {
    'ruby': LIBRARIES / 'libruby-3.1.so.3.1',
    'python': '/usr/bin/python3.11',
    'php': '/usr/bin/php8.2',
    'postgresql': POSTGRES,
    'libstdcxx': LIBRARIES / 'libstdc++.so.6',
}
GARBAGE = {'ruby': 'GC.start; Object.new',
           'python': 'import gc\ngc.collect()\nfor i in range(2): pass\n'}


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


def garbage():
    """Probes of the garbage collections, of objects, and of lines."""
    tracer = case.trace('-F', ETC, '-x', '%ruby:gc__*,object__create', command=[
        'ruby', '--disable-gems', '-e', GARBAGE['ruby']])
    tracer.wait(0)
    calls = tracer.calls()
    begun = calls.index('ruby:gc__mark__begin()')
    case.true('ruby:gc__mark__end()' in calls[begun:], f'its end: {calls}')
    case.true(any(line.startswith('ruby:object__create("Object", "-e", 1)')
                  for line in calls), f'the object: {calls}')
    tracer = case.trace('-F', ETC, '-x', '%python:gc__*,line', command=[
        '/usr/bin/python3.11', '-c', GARBAGE['python']])
    tracer.wait(0)
    lines = [line for line in tracer.calls() if '"<string>"' in line]
    for number in 1, 2, 3:
        case.true(f'python:line("<string>", "<module>", {number})' in lines,
                  f'line {number}: {lines}')
    begun = tracer.calls().index('python:gc__start(2)')
    case.true(re.match(r'python:gc__done\(\d+\)$', tracer.calls()[begun + 1]),
              'the end of the collection')


def every_place():
    """All notes of all providers are in the list, each with the names of its
    arguments, which the prototypes in etc/probes have."""
    for provider, file in FILES.items():
        notes = subprocess.run(['readelf', '-nW', file], text=True, check=True,
                               capture_output=True).stdout
        wanted = notes.count(f'Provider: {provider}\n')
        status, lines, err = list_of(str(file))
        case.equal((status, err), (0, ''), provider)
        lines = [line for line in lines if line.startswith(f'%{provider}:')]
        case.equal(sum(int(re.search(r', (\d+) place', line)[1])
                       for line in lines), wanted, f'the places of {provider}')
        known = (ETC / 'probes' / f'{provider}.conf').read_text()
        for line in lines:
            name = re.match(r'%\w+:(\w+)\(', line)[1]
            case.true(re.search(rf'\b{name}_?\(', known),
                      f'a prototype of {provider}:{name}')


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


def pythons():
    """Interpreters without probes: a copy of the shell with such a name, and a
    CPython 3.13 if pyenv has built one."""
    python = case.FOLDER / 'python3.99'
    python.write_bytes(pathlib.Path('/bin/sh').read_bytes())
    python.chmod(0o755)
    home = pathlib.Path(pwd.getpwuid(os.getuid()).pw_dir)
    return [python, *home.glob('.pyenv/versions/3.13.*/bin/python3.13')]


def without_probes():
    """They are told in one line, however they are asked for."""
    for python in pythons():
        for name, asked in (('%python:function__*', '%python:function__*'),
                            ('py:shop.*', '--script-calls')):
            tracer = case.trace('-x', name, command=[python, '-c', ''])
            tracer.wait(0)
            case.same(tracer.says(), [
                f'xtrace: {asked}: {python.name} was built without probes '
                '(--with-dtrace)'])


def test():
    languages()
    exceptions()
    garbage()
    every_place()
    lists()
    without_probes()


case.main(test)
