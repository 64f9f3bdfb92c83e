# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs in many languages leave functions, traced and not, in all the ways
of their language. Their output is the same as untraced, the trace has each
call once with its right end, and the memory of xtrace does not grow with the
number of calls.
"""
import collections
import pathlib
import re
import subprocess

import case

HERE = pathlib.Path(__file__).parent
GROWTH_MOST = 1024  # KiB of memory from the first mark to the second


def compiled(name):
    return [case.build(name)]


def rust(name):
    out = case.FOLDER / 'panics'
    if not pathlib.Path('/usr/bin/rustc').exists():
        return [out]
    done = subprocess.run(['/usr/bin/rustc', '-g', '-O', '-o', out,
                           HERE / name], cwd=case.FOLDER, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    case.equal(done.returncode, 0, f'rustc: {done.stdout}')
    return [out]


def script(tool):
    return lambda name: [f'/usr/bin/{tool}', HERE / name]


class Program:
    """A program and what is expected of it. make: builds it. rounds: {function:
    (calls, calls that do not return)} of one round; once: the calls that the
    whole run adds. line: the pattern of each line of a call in the trace."""

    def __init__(self, name, make, rounds, once=None, status=3, line=r'.*'):
        self.name, self.make, self.status = name, make, status
        self.line = re.compile(line)
        self.rounds, self.once = rounds, once or {}
        self.filter = '+'.join([*rounds, *self.once])

    def wanted(self, rounds):
        out = {name: (calls * rounds, left * rounds)
               for name, (calls, left) in self.rounds.items()}
        for name, (calls, left) in self.once.items():
            have = out.get(name, (0, 0))
            out[name] = (have[0] + calls, have[1] + left)
        return out


PROGRAMS = [
    Program('thrown.cc', compiled,
            {'inner': (1, 1), 'middle': (1, 1), 'outer': (1, 1)}),
    Program('panics.rs', rust, {'inner': (1, 1), 'outer': (1, 1)}),
    Program('raised.rb', script('ruby'),
            {'rb_error_frozen_object': (1, 1),
             'rb_throw_obj': (1, 1), 'rb_catch_obj': (1, 0),
             'rb_fiber_yield_kw': (1, 0), 'rb_fiber_resume_kw': (1, 0)},
            {'rb_fiber_yield_kw': (0, 1)}),
    Program('died.pl', script('perl'),
            {'Perl_sortsv_flags': (1, 1), 'Perl_die_unwind': (3, 3),
             'Perl_die_sv': (3, 3)}),
    Program('bailed.php', script('php'),
            {'zend_throw_exception_object': (1, 0),
             'zend_fetch_debug_backtrace': (1, 0)},
            {'_zend_bailout': (1, 1), 'php_request_shutdown': (1, 0)}, 255),
    Program('erred.lua', script('lua5.4'),
            {'lua_error': (2, 2), 'luaL_argerror': (1, 1),
             'luaL_error': (1, 1), 'lua_yieldk': (1, 1),
             'lua_resume': (1, 0)}),
    # The stacks of the greenlets are copied to the same addresses in turn.
    Program('greenlets.py', script('python3'),
            {'PyNumber_MatrixMultiply': (2, 0)},
            line=r'\w+\(\w+, (\w+)[,)].* = \1$'),
    Program('jumps.c', compiled, {'inner': (1, 1), 'outer': (1, 1)}),
    Program('contexts.c', compiled, {'inner': (2, 0)}, {'inner': (0, 2)}),
    Program('cancelled.c', compiled, {'inner': (1, 1)}),
]


def own_memory(pid):
    """KiB without those of files, which the kernel maps and unmaps as it likes.
    """
    return int(case.child.status_field(f'/proc/{pid}/status',
                                       'RssAnon').split()[0])


def counts(path, line):
    """Returns {function: (calls, calls that do not return)} of a long trace, in
    which each line of a call must match the pattern. Each call that does not
    return must have a line that says so. Of the calls that the program's end
    interrupts, only the innermost has such a line."""
    begun, left = collections.Counter(), collections.Counter()
    returned = collections.Counter()
    with open(path, errors='replace') as file:
        for row in file:
            found = re.match(r'(?:\d+ )?(?:<\.\.\. )?(\w+)(\(| resumed>)', row)
            if not found:
                continue
            case.true(line.match(row), f'like {line.pattern}: {row!r}')
            begun[found[1]] += found[2] == '('
            if row.endswith(('= <unwound>\n', '<no return ...>\n')):
                left[found[1]] += 1
            elif not row.endswith('<unfinished ...>\n'):
                returned[found[1]] += 1
    for name in begun:
        case.true(begun[name] - returned[name] - left[name] in (0, 1),
                  f'{name}: {begun[name]} calls, {returned[name]} returned, '
                  f'{left[name]} left')
    return {name: (begun[name], begun[name] - returned[name])
            for name in begun}


def outcome(run, at_marks=lambda: None):
    marks = []
    for _ in range(2):
        run.wait_for('ready')
        marks.append(at_marks())
        run.say()
    return run.wait(), run.out, run.err, marks


def try_one(program, first, last):
    command = [*program.make(program.name), first, last]
    if not pathlib.Path(command[0]).exists():
        return f'{program.name}: {command[0]} is not here'
    *wanted, _ = outcome(case.start(*command))
    case.equal(wanted[0], program.status, f'{program.name}: status')
    tracer = case.trace('-b', '-x', program.filter, command=command)
    *got, marks = outcome(tracer.child, lambda: own_memory(tracer.pid))
    for one, other, what in zip(got, wanted, ('status', 'stdout', 'stderr')):
        case.equal(one, other, f'{program.name}: {what}')
    have = counts(tracer.path, program.line)
    for name, calls in program.wanted(last).items():
        got = have.get(name, (0, 0))
        case.equal(got, calls,
                   f'{program.name}: {name}: calls, those that do not return')
    grown = marks[1] - marks[0]
    if not case.SANITIZED:
        case.true(grown < GROWTH_MOST, f'{program.name}: {grown} KiB more')
    return f'{program.name}: {have}, {grown} KiB more'


def run(first, last):
    """Runs each program, and compares its memory after two numbers of calls,
    rounded up to whole rounds of its loop."""
    for program in PROGRAMS:
        calls = sum(calls for calls, _ in program.rounds.values())
        print(try_one(program, -(-first // calls), -(-last // calls)))
