#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Scripts in PID and mount namespaces of their own, run by interpreters whose
files exist only there. The frames are the frames that the language reports.
xtrace also attaches to one of the interpreters, and dumps its stacks.

NEEDS: root
TIMEOUT: 90
"""
import pathlib
import types

import case
import stackcase

# Mounts a file system that processes outside of the namespace do not see.
ENTER = ('mount -t tmpfs none "$0" && cp -L "$1" "$0"/interpreter && shift && '
         'exec "$0"/interpreter "$@"')
WAIT = '''
import os, sys
def leaf(line):
    return os.isatty(71)
def root():
    for line in sys.stdin:
        leaf(line)
        print('did', flush=True)
print('ready', flush=True)
root()
'''


def command(program, *words):
    place = case.FOLDER / 'within'
    place.mkdir(exist_ok=True)
    return ['/usr/bin/unshare', '--mount', '--pid', '--fork', '/bin/sh', '-c',
            ENTER, place, program, *words]


def run(program, subject, count, name, prototype):
    (case.FOLDER / 'stacks.conf').write_text(prototype + '\n')
    said = case.FOLDER / 'said'
    tracer = case.trace('-f', '-F', 'stacks.conf', '-w', '100', '-x', name,
                        command=command(program, case.SUPPORT / subject, said,
                                        count))
    tracer.wait(0)
    case.equal(tracer.says(), [], f'{subject}: what xtrace says')
    wanted = stackcase.said_of(said)
    case.true(len(wanted) > 50, f'{subject}: {len(wanted)} calls are enough')
    stackcase.compare(wanted,
                      stackcase.traced_of(stackcase.read(tracer.path), name),
                      100, subject)


def inside(subject):
    """The pid of the first process of the namespace."""
    def children(pid):
        path = pathlib.Path(f'/proc/{pid}/task/{pid}/children')
        return path.read_text(encoding='ascii').split()
    pid, = children(subject.pid)
    return int(pid)


def in_read(pid):
    with open(f'/proc/{pid}/syscall', encoding='ascii') as file:
        return file.read().startswith('0 ')


def attached():
    script = case.FOLDER / 'wait.py'
    script.write_text(WAIT)
    subject = case.start(*command(case.PYTHON, script))
    subject.wait_for('ready')
    pid = inside(subject)
    case.until(lambda: in_read(pid), 'it waits for a line')
    dump = case.start(case.XTRACE, '--dump', '-p', str(pid))
    case.equal(dump.wait(), 0, f'--dump: {dump.err}')
    case.contains(dump.out.splitlines(),
                  f'    {script}:6 in root',
                  f'    {script}:10 in <module>',
                  '    Py_RunMain+%hex@interpreter')
    tracer = case.attach(types.SimpleNamespace(pid=pid), '-w', '9', '-x',
                         'isatty')
    subject.say('go')
    subject.wait_for('did')
    tracer.leave()
    subject.close_input()
    case.finish(subject)
    case.contains(tracer.lines(), '%num isatty(71%any', f'    {script}:4 in leaf',
                  f'    {script}:7 in root', f'    {script}:10 in <module>')


def test():
    run(case.PYTHON, 'python_subject.py', '20', 'isatty', 'int isatty(int);')
    run('/usr/bin/ruby', 'ruby_subject.rb', '20', 'umask', 'int umask(int);')
    run('/usr/bin/php', 'php_subject.php', '20', 'isatty', 'int isatty(int);')
    run('/usr/bin/perl', 'perl_subject.pl', '20', 'tcdrain',
        'int tcdrain(int);')
    attached()


case.main(test)
