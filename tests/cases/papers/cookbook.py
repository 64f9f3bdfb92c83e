#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Each command of the manual's COOKBOOK is run as it is printed there, with the
program that it is about: OpenSSL and curl, php-fpm, a browser, a process in
namespaces and a root of its own.

NEEDS: root jq curl openssl /usr/sbin/php-fpm8.2 /usr/bin/chromium pgrep
TIMEOUT: 240
"""
import json
import os
import re
import shutil
import signal
import socket
import subprocess

import browser
import case
import child
import fastcgi
import loopback

TOP = case.TESTS.parent
BIN = case.FOLDER / 'bin'
ENVIRONMENT = {**os.environ, 'PATH': f'{BIN}:{os.environ["PATH"]}'}
PAGE = r'''<?php
function ask($base, $what) { return $base->query($what)->fetchAll(); }
$base = new PDO('sqlite::memory:');
ask($base, 'SELECT 1');
ask($base, 'SELECT 2');
echo 'asked';
'''
NAMES = '''
return Array.from(document.querySelectorAll('#frames .f')).map(
    function (frame) { return frame.dataset.name; });
'''
POOL = '''[global]
error_log = {folder}/fpm.log
daemonize = no
[www]
user = root
group = root
listen = {folder}/fpm.sock
pm = static
pm.max_children = 2
'''


def recipes():
    """{heading: its commands, as man prints them}"""
    text = subprocess.run(
        ['groff', '-t', '-man', '-Tutf8', '-P-cbou', '-rLL=100n',
         TOP / 'docs' / 'xtrace.1'], text=True, capture_output=True,
        check=True, env={**os.environ, 'LC_ALL': 'C.UTF-8'}).stdout
    text = text.replace('‐', '-').replace('’', "'").replace('−', '-')
    part = re.search(r'\nCOOKBOOK\n(.*?)\n[A-Z]', text, re.S).group(1)
    found, commands = {}, []
    for line in part.splitlines():
        if re.match(r' {3}\S', line):
            commands = found.setdefault(line.strip(), [])
        elif line.strip().startswith('$ '):
            commands.append(line.strip()[2:])
        elif commands and line.startswith(' ' * 14 + ' ' * 4):
            commands[-1] += '\n' + line.strip()
    return {heading: commands for heading, commands in found.items()
            if commands}


def prepare():
    BIN.mkdir()
    (BIN / 'xtrace').write_text(
        '#!/bin/sh\n[ "$1" = --dump ] || set -- -F '
        f'{TOP}/etc "$@"\nexec {case.XTRACE} "$@"\n')
    (BIN / 'xtrace').chmod(0o755)
    (BIN / 'python3').symlink_to(case.PYTHON)
    os.symlink(case.build('cook.c'), case.FOLDER / 'program')


def run(line):
    """Runs a command. Returns its output, and its stderr with xtrace's lines.
    """
    done = subprocess.run(['/bin/bash', '-c', line], cwd=case.FOLDER, text=True,
                          capture_output=True, env=ENVIRONMENT, check=False)
    case.equal(done.returncode, 0, f'{line}: {done.stderr}')
    return done.stdout, done.stderr


def begin(line, pid, *attached):
    """Starts the command, and waits until xtrace is attached to the processes.
    """
    line = re.sub(r'\bPID\b', str(pid), line)
    tracer = case.start('/bin/bash', '-c', f'exec {line}', env=ENVIRONMENT)
    for process in attached or (pid,):
        child.wait_attached(process, tracer, case.LIMIT)
    return tracer


def interrupt(tracer):
    tracer.signal(signal.SIGINT)
    case.equal(tracer.wait(), 0, f'xtrace: {tracer.err}')
    return tracer.err


def leaks(commands):
    run(commands[0])
    blocks = [json.loads(line) for line in run(commands[1])[0].splitlines()]
    sizes = {size: function for size, function in blocks}
    case.true(4001 not in sizes, f'what was freed: {blocks}')
    case.equal(sizes.get(4002), 'keep', f'what was not, and by whom: {blocks}')


def locks(commands):
    lines = run(commands[0])[1].splitlines()
    waits = [before for before, line in zip(lines, lines[1:])
             if line.startswith('    wait_for_mutex')]
    case.true(waits and re.search(r'pthread_mutex_lock .*<0\.\d+>$', waits[0]),
              f'a wait, and where: {lines}')


def files(commands):
    out = run(commands[0].replace('./program', './program || true'))[1]
    case.true('open "/no/such/file" = -1 ENOENT' in out, out)
    case.true('"/etc/ld.so.cache"' not in out, 'only what failed')


def tls(commands):
    """Starts a server with a self-signed certificate, on any free port."""
    run('openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost '
        '-keyout key.pem -out cert.pem -days 2 2>/dev/null')
    port = loopback.free_port()
    server = case.start('openssl', 's_server', '-quiet', '-accept', str(port),
                        '-key', 'key.pem', '-cert', 'cert.pem', '-www')
    child.until(lambda: socket.socket().connect_ex(('127.0.0.1', port)) == 0,
                'the server listens', case.LIMIT)
    out = run(commands[0].replace('localhost:8443', f'127.0.0.1:{port}'))[1]
    server.signal(signal.SIGTERM)
    server.wait()
    case.true(re.search(r'SSL_write "GET / HTTP/1.1\\r\\nHost: 127', out),
              f'what was asked: {out}')
    case.true('"HTTP/1.0 200 ok\\r\\n' in out, f'what was answered: {out}')


def ask():
    """Sends php-fpm one request, as a web server does."""
    with socket.socket(socket.AF_UNIX) as near:
        near.connect(str(case.FOLDER / 'fpm.sock'))
        near.sendall(fastcgi.get(case.FOLDER / 'page.php'))
        answer = b''
        while part := near.recv(65536):
            answer += part
    case.true(b'asked' in answer, f'the answer: {answer}')


def children(pid):
    with open(f'/proc/{pid}/task/{pid}/children') as file:
        return [int(word) for word in file.read().split()]


def start_fpm():
    (case.FOLDER / 'page.php').write_text(PAGE)
    (case.FOLDER / 'pool.conf').write_text(POOL.format(folder=case.FOLDER))
    fpm = case.start('/usr/sbin/php-fpm8.2', '-R', '-y', 'pool.conf')
    child.until(lambda: len(children(fpm.pid)) == 2 and
                (case.FOLDER / 'fpm.sock').exists(), 'php-fpm', case.LIMIT)
    return fpm


def workers(commands, fpm):
    tracer = begin(commands[0], fpm.pid, *children(fpm.pid))
    for _ in range(5):
        ask()
    out = interrupt(tracer)
    rows = [line.split() for line in out.splitlines()
            if re.search(r'page\.php:2 in \S+$', line)]
    case.equal([row[2] for row in rows], ['10'],
               f'ten queries, by one line of the page: {out}')


def request(commands, fpm):
    """xtrace is attached to one of two workers. Requests are sent until that
    worker has served one."""
    pid = children(fpm.pid)[0]
    tracer = begin(commands[0], pid)
    for _ in range(20):
        ask()
    interrupt(tracer)
    with browser.open(case.FOLDER / 'request.html') as page:
        page.until("return !!document.querySelector('svg.flame.ready')",
                   'the script has begun')
        names = page.run(NAMES)
        case.true(any('page.php:2)' in name for name in names) and
                  any(name.startswith('ask (') for name in names),
                  f'the lines of the script: {names}')
        case.true('select ?' in names, f'the queries: {names}')
        case.equal(page.complaints(), [], 'what the browser says')


def pages(commands, fpm):
    tracer = begin(commands[0], fpm.pid, *children(fpm.pid))
    for _ in range(3):
        ask()
    rows = [line.split() for line in interrupt(tracer).splitlines()
            if line.endswith(' GET /')]
    case.equal([(row[0], row[4]) for row in rows], [('3', '6')],
               'requests and queries')


def slower(commands, fpm):
    for command in commands[:2]:
        tracer = begin(command, fpm.pid, *children(fpm.pid))
        ask()
        interrupt(tracer)
    out = run(commands[2])[0]
    case.true(' 0 new, 0 gone, ' in out.splitlines()[-1], out)


def read_by_program(commands):
    (case.FOLDER / 'script.py').write_text(
        'import sqlite3\nbase = sqlite3.connect(":memory:")\n'
        'base.execute("select 1 union select 2").fetchall()\n')
    run(commands[0])
    case.equal(run(commands[1])[0], 'select 1 union select 2\t2\n', 'rows')


def container(commands):
    """A process in another root with its own C library, and in a PID
    namespace."""
    root = case.FOLDER / 'root'
    names = subprocess.run(['ldd', case.FOLDER / 'program'], text=True,
                           capture_output=True, check=True).stdout
    for path in [str(case.FOLDER / 'program'), *re.findall(r'/\S+', names)]:
        place = root / ('program' if path.endswith('/program')
                        else path.lstrip('/'))
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)
    subject = case.start('unshare', '--mount', '--pid', '--uts', '--fork',
                         'chroot', root, '/program', 'answer')
    subject.wait_for('ready')
    pid, = children(subject.pid)
    tracer = begin(commands[1], pid)
    subject.say('hello')
    subject.wait_for('hello')
    out = interrupt(tracer)
    case.true('puts("hello")' in out, f'what it says: {out}')
    subject.close_input()
    subject.wait()
    docker = subprocess.run(['docker', 'info'], capture_output=True,
                            check=False) if shutil.which('docker') else None
    if not docker or docker.returncode:
        print('skipped: docker inspect (no engine runs here)')
        case.true(commands[0].startswith('docker inspect -f '), 'the command')


def stuck(commands):
    subject = case.start('./program', 'answer')
    subject.wait_for('ready')
    case.wait_for_input(subject.pid)
    out = run(re.sub(r'\bPID\b', str(subject.pid), commands[0]))[0]
    subject.close_input()
    subject.wait()
    rows = [re.search(r'\w+', line.split(' in ')[-1]).group(0)
            for line in out.splitlines() if line.startswith('    ')]
    case.true('fgets' in ' '.join(rows) and rows.index('answer') <
              rows.index('main'), f'where it is: {out}')


def test():
    prepare()
    found = recipes()
    plain = {'What was allocated and not freed?': leaks,
             'Which threads wait for which lock?': locks,
             'Which files could not be opened?': files,
             'What is sent through TLS?': tls,
             'How can a program read the trace?': read_by_program,
             'What does a process in a container do?': container,
             'What is it stuck in?': stuck}
    served = {'What do the workers of php-fpm ask the database?': workers,
              'What does one request do?': request,
              'Which pages make too many queries?': pages,
              'What became slower?': slower}
    case.equal(set(found), {*plain, *served}, 'recipes')
    for heading, check in plain.items():
        check(found[heading])
    fpm = start_fpm()
    for heading, check in served.items():
        check(found[heading], fpm)
    fpm.signal(signal.SIGTERM)
    fpm.wait()


case.main(test)
