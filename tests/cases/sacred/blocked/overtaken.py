#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is mapped is read before a thread is held, and by the time that it makes
our mappings the program may have mapped something of its own there: then ours
go elsewhere, at the same stop. A debugger holds xtrace in between.

NEEDS: gdb plain
TIMEOUT: 120
"""
import os
import pathlib

import case

SCRIPT = '''set pagination off
set confirm off
set debuginfod enabled off
break slots_survey
run
finish
shell touch surveyed
shell until test -e mapped; do sleep 0.01; done
delete
continue
'''


def home(pid):
    """Is there executable memory that is no file's, but for the kernel's?"""
    rows = [row.split() for row in
            pathlib.Path(f'/proc/{pid}/maps').read_text().splitlines()]
    return any('x' in row[1] and len(row) < 6 for row in rows)


def debugger():
    """In xtrace's place."""
    (case.FOLDER / 'commands').write_text(SCRIPT)
    path = case.FOLDER / 'debugged'
    path.write_text('#!/bin/sh\nexec gdb -nx -batch -return-child-result '
                    f'-x commands --args {case.XTRACE} "$@" 2>&1\n')
    os.chmod(path, 0o700)
    return path


def test():
    program = case.build('overtaken.c')
    subject = case.start(program, case.FOLDER / 'surveyed',
                         case.FOLDER / 'mapped')
    subject.wait_for('ready')
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)],
                         program=debugger())
    subject.wait_for('mapped')
    case.until(lambda: case.text_changes(subject.pid) or
               not tracer.child.alive(), 'something is planted')
    case.true(home(subject.pid), 'what survives us was mapped before')
    subject.say('go')
    case.finish(subject)
    tracer.wait(0)
    case.same(tracer.calls(), ['f(5, %any) = 5'])


case.main(test)
