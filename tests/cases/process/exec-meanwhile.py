#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The program execs while xtrace attaches, before a thread is stopped. The new
program is traced, and xtrace does not take it for the program to which it was
attaching, although both records may have had the same address in xtrace's
memory. A debugger stops xtrace at this moment.

NEEDS: gdb plain
TIMEOUT: 60
"""
import case
import debugger

SCRIPT = '''set breakpoint pending on
break slots_survey
run
shell touch exec
shell until grep -q "^State:.*tracing stop" /proc/PID/status; do :; done
delete
break announce_attached
commands
silent
shell touch taken
continue
end
continue
'''


def test():
    (case.FOLDER / 'p.conf').write_text('int f(int);\n')
    subject = case.start(case.build('exec-meanwhile.c'), case.FOLDER / 'exec')
    subject.wait_for('ready')
    tracer = case.Tracer(
        ['-F', case.FOLDER / 'p.conf', '-x', 'f', '-p', str(subject.pid)],
        program=debugger.runs(SCRIPT.replace('PID', str(subject.pid))))
    subject.wait_for('again')
    case.finish(subject, 3)
    tracer.wait()
    case.true(not (case.FOLDER / 'taken').exists(),
              'the new program is not taken for the old one')
    case.equal(tracer.calls(), ['f(2) = 2'], 'calls')


case.main(test)
