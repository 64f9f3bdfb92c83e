#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--heap of a command counts the objects of its interpreter (Python, Ruby, PHP
and Perl) when the interpreter begins to end: also after the threads have ended,
or if the program leaves by _exit(2) or is killed. The output and the status of
the program are as untraced.
"""
import os
import re
import shutil
import signal

import case
import heapcase

KEPT = 3000
SCRIPTS = {
    case.PYTHON: ('a.py', f"""
import atexit, sys, threading
class Session: pass
kept = []
def late():
    kept.extend(Session() for _ in range({KEPT}))
atexit.register(print, 'at exit')
threading.Timer(0.1, late).start()
sys.exit(5)
"""),
    'ruby': ('a.rb', f"""
class Session; end
at_exit {{ puts 'at exit' }}
$kept = Array.new({KEPT}) {{ Session.new }}
exit 5
"""),
    'php': ('a.php', f"""<?php
class Session {{ public $a = 1; }}
register_shutdown_function(function () {{ echo "at exit\\n"; }});
for ($i = 0; $i < {KEPT}; $i++) $kept[] = new Session;
exit(5);
"""),
    'perl': ('a.pl', f"""
package Session;
our @kept = map {{ bless {{}} }} 1..{KEPT};
END {{ print "at exit\\n" }}
exit 5;
"""),
}
ABRUPT = f"""
import os, sys
class Session: pass
kept = [Session() for _ in range({KEPT})]
if len(sys.argv) == 1:
    os._exit(6)
os.kill(os.getpid(), int(sys.argv[1]))
"""
FORKS = f"""
import os, sys
class Session: pass
class Child: pass
kept = [Session() for _ in range({KEPT})]
sys.stdout.flush()
if os.fork() == 0:
    more = [Child() for _ in range({KEPT})]
    sys.exit(0)
os.wait()
"""


def run(options, command, says=()):
    """Counts the heap of a command. Returns the text of the census. The command
    must do what it does without xtrace."""
    wanted = case.untraced(*command)
    tracer = case.trace('--heap', '--top', '9999', *options, command=command)
    tracer.wait(wanted[0] if wanted[0] >= 0 else 128 - wanted[0])
    case.equal((tracer.child.out, tracer.err()), wanted[1:], 'what it says')
    case.equal(tracer.says(), list(says), 'what xtrace says')
    return '\n'.join(tracer.lines())


def script(name, text):
    path = case.FOLDER / name
    path.write_text(text)
    return str(path)


def check(text, what):
    rows = heapcase.rows_of(text)
    case.equal(heapcase.count_of(rows, 'Session'), KEPT, what)
    count, size, mapped = heapcase.last_row(text)
    case.equal(sum(row[0] for row in rows.values()), count, what)
    case.true(size <= mapped, f'{what}: {size} of {mapped} bytes')
    case.true(heapcase.STOPPED.search(text), text[-300:])


def test_abrupt():
    path = script('b.py', ABRUPT)
    check(run([], [case.PYTHON, path]), 'after _exit()')
    check(run([], [case.PYTHON, path, '15']), 'killed by SIGTERM')


def test_several():
    text = run(['-f'], [case.PYTHON, script('f.py', FORKS)])
    child, parent = re.split(r'^\d+ python.*\n', text, flags=re.M)[1:]
    check(child.rstrip('\n'), 'the child')
    case.true('  Child\n' in child and '  Child\n' not in parent, text)
    check(parent, 'the parent')
    text = run([], [case.PYTHON, script('f.py', FORKS)])
    check(text, 'without -f')
    case.true('  Child\n' not in text, text)


def test_refused():
    tracer = case.trace('--heap', command=['sh', '-c', 'exit 7'])
    tracer.wait(7)
    case.equal((tracer.child.out, tracer.err(), tracer.lines()), ('', '', []),
               'what a shell says')
    case.equal([re.sub(r'\d+ has', 'N has', line) for line in tracer.says()],
               ['xtrace: process N has no heap that xtrace knows: it runs no '
                'Python 3.11, Ruby 3.1, PHP 8.2 or Perl 5.36 (--heap=native '
                'counts the blocks of malloc())'], 'a shell')


PATIENT = f"""
import os, pathlib, sys, time
class Session: pass
keep = [Session() for _ in range({KEPT})]
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
while not os.path.exists('go'):
    time.sleep(0.02)
pathlib.Path('done').write_text('right')
"""


def test_xtrace_ends_first(number, says):
    """The trap at the interpreter's end is removed, and the program continues."""
    names = [case.FOLDER / name for name in ('pid', 'done', 'go')]
    pid, done, go = names
    for name in names:
        name.unlink(missing_ok=True)
    tracer = case.trace('--heap', command=[
        case.PYTHON, script('p.py', PATIENT), 'pid'])
    case.until(lambda: pid.exists() and pid.read_text(), 'it runs')
    os.kill(tracer.pid, number)
    tracer.child.popen.wait()
    case.until(lambda: case.child.status_field(
        f'/proc/{pid.read_text()}/status', 'TracerPid') == '0', 'xtrace left')
    case.until(lambda: not case.text_changes(int(pid.read_text())), 'no trap')
    go.touch()
    case.until(done.exists, 'it ends')
    tracer.child.wait()
    case.equal([re.sub(r'\d+ still', 'N still', line)
                for line in tracer.says()], says, 'what xtrace says')


def test():
    for program, (name, text) in SCRIPTS.items():
        case.true(shutil.which(program), program)
        check(run([], [program, script(name, text)]), program)
    test_abrupt()
    test_several()
    test_refused()
    test_xtrace_ends_first(signal.SIGTERM, [
        'xtrace: process N still runs, so its heap was not counted'])
    test_xtrace_ends_first(signal.SIGKILL, [])


case.main(test)
