#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls with numbers that no system call has, and that were not chosen, take no
memory of xtrace's, however many numbers there are.

TIMEOUT: 60
"""
import case

FEW, MANY = 100, 40000


def peak(count):
    """The most KiB of memory that xtrace has had."""
    tracer = case.trace('-L', '-Sgetppid',
                        command=[case.build('unknown.c'), str(count)])
    tracer.child.wait_for('made')
    most = int(case.child.status_field(f'/proc/{tracer.pid}/status',
                                       'VmHWM').split()[0])
    tracer.child.say('')
    tracer.wait(0)
    case.equal(len([line for line in tracer.lines() if 'getppid@SYS' in line]),
               1, 'calls')
    return most


def test():
    few, most = peak(FEW), peak(MANY)
    case.true(case.SANITIZED or most < few + 4096, f'{few} KiB, then {most}')


case.main(test)
