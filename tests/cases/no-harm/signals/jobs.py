#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Job control on a terminal: an interactive shell starts, stops, continues and
ends its jobs as it does without xtrace.

NEEDS: bash
TIMEOUT: 180
"""
import fcntl
import os
import pty
import re
import select
import termios
import time

import case

PROMPT = 'prompt> '
# For the shell a tracer's stop of a job is no stop, so the shell is asked.
STOPPED = 'until jobs | grep -q Stopped; do :; done; jobs'


class Terminal:
    """A program with its own terminal, and what it printed there."""

    def __init__(self, command):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.environ.update(PS1=PROMPT, HISTFILE='', TERM='dumb', LC_ALL='C',
                              XTRACE_CASE=str(case.FOLDER))
            settings = termios.tcgetattr(0)
            settings[3] &= ~termios.ECHO
            termios.tcsetattr(0, termios.TCSANOW, settings)
            os.execv(command[0], command)
        self.text = ''
        self.seen = 0

    def wait_for(self, text, limit=case.LIMIT):
        deadline = time.monotonic() + limit
        while True:
            at = self.text.find(text, self.seen)
            if at >= 0:
                self.seen = at + len(text)
                return
            if time.monotonic() > deadline:
                case.fail(f'never came: {text!r}', self.text)
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.master, 4096).decode()
                except OSError:
                    case.fail(f'ended before {text!r}', self.text)

    def say(self, line):
        os.write(self.master, line.encode() + b'\n')

    def command(self, line):
        self.say(line)
        self.wait_for(PROMPT)

    def in_front(self, name):
        """True if the program with this name is in the foreground. Before the
        shell's child execs it, the child ignores the terminal's signals."""
        front = os.tcgetpgrp(self.master)
        try:
            with open(f'/proc/{front}/comm', encoding='ascii') as file:
                return file.read() == name + '\n'
        except (FileNotFoundError, ProcessLookupError):
            return False

    def finish(self):
        self.say('exit 7')
        while True:
            try:
                more = os.read(self.master, 4096)
            except OSError:
                break
            if not more:
                break
            self.text += more.decode()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def session(command):
    terminal = Terminal(command)
    terminal.wait_for(PROMPT)
    terminal.command('sleep 300 &')
    terminal.command('jobs')
    terminal.say('fg')
    terminal.wait_for('sleep 300')
    case.until(lambda: terminal.in_front('sleep'), 'the job is in front')
    os.write(terminal.master, b'\x1a')
    terminal.wait_for('Stopped')
    terminal.wait_for(PROMPT)
    terminal.command('jobs; bg')
    terminal.command('jobs')
    terminal.command('kill -STOP %1')
    terminal.command(STOPPED)
    terminal.say('fg')
    terminal.wait_for('sleep 300')
    case.until(lambda: terminal.in_front('sleep'), 'the job is in front')
    os.write(terminal.master, b'\x03')
    terminal.wait_for(PROMPT)
    terminal.command('echo status $?')
    # A job in the background is stopped when it reads from the terminal.
    terminal.command('cat &')
    terminal.command(STOPPED)
    # The job is not ended by "kill", because bash sometimes shows a stopped
    # job that it has killed as stopped for all time, also untraced.
    terminal.say('fg')
    terminal.wait_for('cat')
    case.until(lambda: terminal.in_front('cat'), 'the job is in front')
    os.write(terminal.master, b'\x03')
    terminal.wait_for(PROMPT)
    terminal.command('echo status $?; jobs')
    terminal.command("sh -c 'kill -STOP $$; exit 5' &")
    terminal.command(STOPPED)
    terminal.say('fg')
    terminal.wait_for('exit 5')
    terminal.wait_for(PROMPT)
    terminal.command('echo status $?')
    terminal.command("trap 'echo caught' USR1; kill -USR1 $$; echo done")
    terminal.command('sleep 0.2 | cat; echo ${PIPESTATUS[*]}')
    status = terminal.finish()
    text = re.sub(r'\[(\d)\] \d+', r'[\1] PID', terminal.text)
    # It is a matter of timing whether bash reports a job before a prompt or
    # after it.
    rows = [row.replace(PROMPT, '') for row in text.splitlines()]
    return status, [row for at, row in enumerate(rows)
                    if row and row not in rows[:at]]


def test():
    shell = ['/bin/bash', '--norc', '--noediting', '-i']
    alone = session(shell)
    for options in (['-f', '-x', 'malloc+sigaction+waitpid'],
                    ['-x', 'malloc+sigaction+waitpid'], ['-f', '-e', '*']):
        trace = case.FOLDER / 'trace'
        traced = session([case.XTRACE, '-o', str(trace), *options, *shell])
        case.equal(traced, alone, f'the session under {options}')
        lines = trace.read_text().splitlines()
        case.true(len(lines) > 100, f'{len(lines)} lines traced')


case.main(test)
