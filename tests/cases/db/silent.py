#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace with a set says why it shows nothing: children that are not traced,
a client library that is loaded but makes no call, no library that the set
knows, a program in Go.

NEEDS: go
TIMEOUT: 60
"""
import subprocess

import case
import matrix

MASTER = '''
import os, sys
near, far = os.pipe()
for _ in range(2):
    if os.fork() == 0:
        os.close(far)
        os.read(near, 1)
        os._exit(0)
print('ready', flush=True)
sys.stdin.readline()
os.close(far)
for _ in range(2):
    os.wait()
'''
WAITS = '''
import %s, sys
print('ready', flush=True)
sys.stdin.readline()
'''
GO = '''package main
import ("bufio"; "fmt"; "os")
func main() {
	fmt.Println("ready")
	bufio.NewReader(os.Stdin).ReadString('\\n')
}
'''
QUIET = 'xtrace: nothing to show for 5 s: '


class Silent:
    """A program that waits, and an xtrace that has attached to it."""

    def __init__(self, command, *options):
        self.subject = case.start(*command, env=matrix.env())
        self.subject.wait_for('ready')
        self.tracer = case.attach(self.subject, *options)

    def said(self):
        return [line for line in self.tracer.says()
                if line.startswith('xtrace: ')]

    def end(self):
        self.subject.say('go')
        case.finish(self.subject)
        self.tracer.wait(0)
        return self.said()


def go_program():
    source = case.FOLDER / 'waits.go'
    source.write_text(GO)
    program = case.FOLDER / 'waits'
    subprocess.run(['go', 'build', '-o', program, source], check=True,
                   env={**matrix.env(), 'PATH': '/usr/bin:/bin',
                        'GO111MODULE': 'off', 'HOME': str(case.FOLDER),
                        'GOCACHE': str(case.FOLDER / 'cache')})
    return [program]


def python(text):
    return [case.PYTHON, '-c', text]


def test():
    built = go_program()  # it may take longer than a program may wait
    master = Silent(python(MASTER), '--sql')
    children = (f'xtrace: 2 children of {master.subject.pid} are not traced; '
                '-f follows them')
    followed = Silent(python(MASTER), '--sql', '-f')
    loaded = Silent(python(WAITS % 'MySQLdb'), '--sql')
    none = Silent(python(WAITS % 'json'), '--set', 'redis')
    in_go = Silent(built, '--sql')
    all_of_them = master, followed, loaded, none, in_go
    for one in all_of_them:
        one.tracer.child.wait_for(QUIET, 'err')
    said = master.end()
    case.true(children in said, f'untraced children are counted: {said}')
    case.true(any(line.startswith(QUIET) and '2 children of' in line
                  for line in said), f'... and named as the reason: {said}')
    said = '\n'.join(followed.end())
    case.true('not traced' not in said, f'with -f: {said}')
    case.equal(loaded.end(), [f'{QUIET}libmariadb.so.3 is loaded'], 'MySQLdb')
    said = '\n'.join(none.end())
    case.true(f'{QUIET}no library that the set knows is loaded (' in said and
              'hiredis' in said, f'--set redis names its clients: {said}')
    said = '\n'.join(in_go.end())
    case.true(f'{in_go.subject.pid} is a Go program' in said, f'Go: {said}')


case.main(test)
