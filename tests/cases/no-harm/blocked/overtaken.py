#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace reads a process's memory map before it holds a thread. Before it then
maps its own areas, the program may have mapped something at the chosen
addresses. xtrace then chooses other addresses, during the same stop. A
debugger stops xtrace between the two steps.

NEEDS: gdb plain
TIMEOUT: 120
"""
import case
import debugger
from area import exists

TRAP = b'\xcc'
SCRIPT = '''break slots_survey
run
finish
shell touch surveyed
shell until test -e mapped; do sleep 0.01; done
delete
continue
'''


def byte_at(pid, address):
    with open(f'/proc/{pid}/mem', 'rb') as memory:
        memory.seek(address)
        return memory.read(1)


def test():
    program = case.build('overtaken.c')
    subject = case.start(program, case.FOLDER / 'surveyed',
                         case.FOLDER / 'mapped')
    subject.wait_for('ready')
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)],
                         program=debugger.runs(SCRIPT))
    subject.wait_for('mapped')
    f = int(subject.out.split()[0], 16)
    case.until(lambda: byte_at(subject.pid, f) == TRAP or
               not tracer.child.alive(), 'f is planted')
    case.true(exists(subject.pid), 'the handler area was mapped before')
    subject.say('go')
    case.finish(subject)
    tracer.wait(0)
    case.same(tracer.calls(), ['f(5, %any) = 5'])


case.main(test)
