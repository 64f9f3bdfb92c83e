#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Processes that cannot be attached to: one clear line, nothing touched."""
import os
import signal
import subprocess

import case


def refused(pid, *words, status=1, preexec=None, program=None):
    tracer = case.start(program or case.XTRACE, '-x', 'f', '-p', pid,
                        preexec=preexec)
    case.equal(tracer.wait(), status, f'status for -p {pid}')
    lines = tracer.err.splitlines()
    case.equal(len(lines), 1, f'lines about {pid}: {lines}')
    for word in ('xtrace: ', str(pid), *words):
        case.true(word in lines[0], f'{word!r} in {lines[0]!r}')


def sleeper():
    run = case.start('/bin/cat')
    case.until(lambda: os.readlink(f'/proc/{run.pid}/exe').endswith('/cat'),
               'cat runs')
    return run


def nobody_there():
    refused(999999999)
    gone = case.start('/bin/true')
    gone.wait()
    refused(gone.pid)


def zombie():
    pid = os.fork()
    if not pid:
        os._exit(0)
    case.until(lambda: case.child.status_field(
        f'/proc/{pid}/status', 'State')[0] == 'Z', 'it is a zombie')
    refused(pid, 'zombie')
    os.waitpid(pid, 0)


def already_traced():
    run = sleeper()
    other = case.start(case.XTRACE, '-x', 'f', '-p', run.pid)
    case.child.wait_attached(run.pid, other)
    refused(run.pid, str(other.pid), 'traced')
    other.signal(signal.SIGINT)
    other.wait()
    run.say('alive')
    run.wait_for('alive')
    case.finish(run)


def kernel_thread():
    if not os.path.exists('/proc/2') or os.listdir('/proc/2/fd'):
        return
    refused(2, 'kernel')


def not_permitted():
    if os.getuid():
        refused(1, 'root')
        return
    run = sleeper()

    def lower():
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    copy = case.FOLDER / 'xtrace'
    subprocess.run(['cp', case.XTRACE, copy], check=True)
    os.chmod(copy, 0o755)
    refused(run.pid, 'root', preexec=lower, program=copy)
    run.say('alive')
    run.wait_for('alive')
    case.finish(run)


TINY = '''
.globl _start
_start: mov $29, %eax
int $0x80
jmp _start
'''


def thirty_two_bits():
    source = case.FOLDER / 'tiny.S'
    source.write_text(TINY)
    program = case.FOLDER / 'tiny'
    done = subprocess.run(['gcc', '-m32', '-nostdlib', '-static', '-o',
                           program, source], capture_output=True)
    if done.returncode:
        return
    try:
        run = case.start(program)
    except OSError:
        return  # this kernel runs no such programs
    refused(run.pid, '32-bit')
    case.true(run.alive(), 'it lives')
    run.kill()
    run.wait()
    tracer = case.trace('-x', 'f', command=[program])
    case.equal(tracer.wait(), 1, 'status for a 32-bit command')
    case.true('32-bit' in tracer.child.err, tracer.child.err)


def ourselves():
    shell = case.start('/bin/sh', '-c', f'exec {case.XTRACE} -x f -p $$')
    case.equal(shell.wait(), 1, 'status for itself')
    case.equal(len(shell.err.splitlines()), 1, 'lines about itself')


def test():
    for check in (nobody_there, zombie, already_traced, kernel_thread,
                  not_permitted, thirty_two_bits, ourselves):
        try:
            check()
        except case.Failure as fault:
            case.fail(f'{check.__name__}: {fault}')


case.main(test)
