#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Processes that xtrace cannot attach to: it prints one clear line and changes
nothing.
"""
import os
import shutil
import signal
import subprocess

import case
import child


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
    case.child.wait_attached(run.pid, other, case.LIMIT)
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
_start: mov $4, %eax
mov $1, %ebx
mov $text, %ecx
mov $5, %edx
int $0x80
cmpl $1, (%esp)
je wait
mov $1, %eax
mov $7, %ebx
int $0x80
wait: mov $29, %eax
int $0x80
jmp wait
text: .ascii "runs\\n"
'''


def tiny():
    source = case.FOLDER / 'tiny.S'
    source.write_text(TINY)
    program = case.FOLDER / 'tiny'
    subprocess.run(['gcc', '-m32', '-nostdlib', '-static', '-o', program,
                    source], check=True)
    return program


def thirty_two_bits():
    program = tiny()
    try:
        run = case.start(program)
    except OSError:
        return  # this kernel runs no 32-bit programs
    run.wait_for('runs')
    tracer = case.Tracer(['--alloc', '-p', str(run.pid)])
    tracer.wait(1)
    case.equal(tracer.child.err, f'xtrace: process {run.pid} is a 32-bit '
               'program, for which --alloc is not supported\n',
               'what is said of --alloc')
    tracer = case.Tracer(['--dump', '-p', str(run.pid)])
    tracer.wait(1)
    case.equal(tracer.child.err, f'xtrace: process {run.pid} is a 32-bit '
               'program, for which --dump is not supported\n',
               'what is said of --dump')
    case.true(run.alive(), 'it lives')
    run.kill()
    run.wait()
    for option in ('--engine=agent', '--sample', '--alloc', '--sql', '--heap',
                   '--inject=f:retval=1'):
        tracer = case.trace(option, *(
            ['-x', 'f'] if option == '--engine=agent' else []),
                            command=[program])
        case.equal(tracer.wait(), 1, f'status for {option}')
        case.equal(case.count(tracer.child.err.splitlines(),
                              f'xtrace: {program}: a 32-bit program, for which '
                              '%any is not supported'), 1,
                   f'what is said of {option}: {tracer.child.err}')
        case.equal(tracer.child.out, '', 'it has not run')
    beside_sixty_four_bits(program)
    executes_thirty_two_bits(program)
    executes_sixty_four_bits()


def beside_sixty_four_bits(program):
    """A 32-bit process is left out if a 64-bit one has its name, too."""
    name = f'xt-narrow-{os.getpid()}'[:15]
    wide = case.FOLDER / 'wide' / name
    wide.parent.mkdir()
    shutil.copy(program, case.FOLDER / name)
    shutil.copy('/bin/cat', wide)
    first = case.start(case.FOLDER / name)
    first.wait_for('runs')
    other = case.start(wide)
    case.until(lambda: os.readlink(f'/proc/{other.pid}/exe') == str(wide),
               'the copy of cat runs')
    for options in (['-Swrite'], ['-x', 'write']):
        tracer = case.trace(*options, '--attach-name', name)
        child.wait_attached(other.pid, tracer.child, case.LIMIT)
        other.say('alive')
        other.wait_for('alive')
        tracer.leave()
        case.true(f'left out: process {first.pid} is a 32-bit program, but '
                  'this run of xtrace traces 64-bit programs' in
                  tracer.child.err, tracer.child.err)
    case.finish(other)
    first.kill()
    first.wait()


SHELL = '''
#include <unistd.h>
int main(void)
{
	return execl("/bin/sh", "sh", "-c", "echo runs; exit 9", (void *)0);
}
'''


def executes_sixty_four_bits():
    """A traced 32-bit program executes a 64-bit one."""
    if not os.path.exists('/lib32/libc.so.6'):
        return
    source = case.FOLDER / 'shell.c'
    source.write_text(SHELL)
    program = case.FOLDER / 'shell'
    subprocess.run(['gcc', '-m32', '-o', program, source], check=True)
    tracer = case.trace('-e', 'execl', command=[program])
    case.equal(tracer.wait(), 9, 'status of the 64-bit program')
    case.equal(tracer.child.out, 'runs\n', 'it runs')
    case.true('runs a 64-bit program now: it is not traced any more, because '
              'this run of xtrace traces 32-bit programs' in tracer.child.err,
              tracer.child.err)


def executes_thirty_two_bits(program):
    for options, shell, status in (
            ([], f'exec {program} 1', 7),
            (['-f'], f'{program} 1; exit 3', 3)):
        tracer = case.trace(*options, '-e', 'execve', command=[
            '/bin/sh', '-c', shell])
        case.equal(tracer.wait(), status, f'status of {shell}')
        case.equal(tracer.child.out, 'runs\n', 'it runs')
        case.true('runs a 32-bit program now: it is not traced any more, '
                  'because this run of xtrace traces 64-bit programs' in
                  tracer.child.err, tracer.child.err)
        case.equal(case.count(tracer.lines(), '%any--- Called exec() ---'), 1,
                   'lines for the exec')
    # With -f, a child that was forked before the attach runs a 32-bit program.
    run = case.start('/bin/sh', '-c', f'{program} & echo $!; read line; '
                     'kill $!; exit 4')
    run.wait_for('runs')
    tracer = case.attach(run, '-f', '-e', 'execve')
    run.say('go')
    case.finish(run, 4)
    tracer.wait()
    case.true('is a 32-bit program, but this run of xtrace' in
              tracer.child.err, tracer.child.err)


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
