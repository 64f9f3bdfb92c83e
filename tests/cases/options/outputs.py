#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the trace is written: with -o to a file or a command ('|command'), with
-ff to a file for each process. Other formats are written beside the trace or
instead of it. No two outputs may be the same file.
"""
import json
import os

import case

LINES = ['f(1, "users") = 1', 'f(2, "orders") = -1']
EXITED = '+++ exited (status 3) +++'


def run(*options, status=3, env=None):
    """Runs xtrace without the -o that case.trace() adds; returns the lines on
    stderr."""
    program = case.build('outputs.c')
    tracer = case.start(case.XTRACE, '-F', 'p.conf', '-x', 'f', *options,
                        '--', program, env=env)
    case.equal(tracer.wait(), status, f'status with {options}: {tracer.err}')
    return tracer.err.splitlines()


def refused(wanted, *options):
    case.same(run(*options, status=2), [f'xtrace: {wanted}'],
              'what xtrace says')


def read(name):
    return (case.FOLDER / name).read_text().splitlines()


def events(lines):
    return [json.loads(line)['event'] for line in lines]


def test_lines():
    case.same(run(), [*LINES, EXITED], 'on stderr')
    case.same(run('-o', 'trace'), [], 'with -o, on stderr')
    case.same(read('trace'), [*LINES, EXITED], '-o trace')
    case.same(run('--output=|tr a-z A-Z >shouted; sleep 0.2'), [], 'pipe')
    case.same(read('shouted'), [line.upper() for line in [*LINES, EXITED]],
              "-o '|command', which was waited for")
    case.same(run('-o', '|exit 7'), [], 'a command that does not read')


def test_formats():
    case.same(run('--json=j', '--folded=fo', '--summary=s', '-o', 'trace'),
              [], 'stderr')
    case.same(read('trace'), [*LINES, EXITED], 'lines beside the formats')
    case.equal(events(read('j')), ['start', 'call', 'call', 'exited'], 'JSON')
    case.true(read('fo')[-1].split()[0], 'folded')
    case.contains(read('s'), '2 calls of 1 function, %any in them')
    case.equal(events(run('--json')), ['start', 'call', 'call', 'exited'],
               'JSON in place of the lines')
    run('--json', '-o', 'trace', '--summary=s')
    case.equal(events(read('trace')), ['start', 'call', 'call', 'exited'],
               'JSON in place of -o')
    case.contains(run('-c', '--json=j'), '100.00%any 2 f')


def test_one_file_each():
    same = "%any and %any name the same file, '%any'"
    refused(same, '-o', 'new', '--json=new')
    refused(same, '-o', 'new', '--json=./new')
    refused(same, '--folded=new', f'--summary={case.FOLDER}/new')
    # Dangling symbolic links, one of them to the other.
    (case.FOLDER / 'first').symlink_to('second')
    (case.FOLDER / 'second').symlink_to(case.FOLDER / 'new')
    refused(same, '-o', 'new', '--json=first')
    refused(same, '--summary=second', '--folded=first')
    (case.FOLDER / 'round').symlink_to('round')
    case.contains(run('-o', 'round', status=1),
                  'xtrace: round: cannot be written: %any')
    case.true(not (case.FOLDER / 'new').exists(), 'no file was made')
    (case.FOLDER / 'old').write_text('kept\n')
    os.link(case.FOLDER / 'old', case.FOLDER / 'hard')
    os.symlink('old', case.FOLDER / 'soft')
    refused(same, '--json=old', '--folded=hard')
    refused(same, '--json=old', '-o', 'soft')
    case.same(read('old'), ['kept'], 'a file that is named twice')
    run('--json=/dev/null', '--folded=/dev/null', '-o', '/dev/null')
    refused('--json and --folded cannot both replace the trace; '
            'write one to a file: --folded=FILE', '--json', '--folded')
    refused('--json is given twice', '--json=a', '--json=b')


def test_stderr_is_a_file():
    with open(case.FOLDER / 'both', 'w') as file:
        pid = os.posix_spawn(
            case.XTRACE, [case.XTRACE, '--json=both', 'true'], os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, file.fileno(), 2)])
    case.equal(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 2, 'status')
    case.same(read('both'), ["xtrace: --json names the file 'both', to which "
                             'standard error is redirected'], 'stderr')


def parts(name):
    """The files of the parent and the child. The child's pid is lower if the
    system has begun anew with low pids between the two."""
    return sorted(case.FOLDER.glob(f'{name}.*'),
                  key=lambda path: -path.stat().st_size)


def test_split():
    run('-b', '-ff', '-o', 'part', env={'FORK': '1'})
    first, second = (path.read_text().splitlines() for path in parts('part'))
    case.same(first, [*LINES, EXITED], 'the parent')
    case.same(second, ['f(3, "child") = 3', '+++ exited (status 0) +++'],
              'the child')
    run('-b', '--follow', '--follow', '--output', 'object', '--json',
        env={'FORK': '1'})
    case.equal([events(path.read_text().splitlines())
                for path in parts('object')],
               [['start', 'call', 'call', 'exited'],
                ['start', 'call', 'exited']], 'JSON of each process')
    refused('-ff needs -o FILE; it writes FILE.PID for each process', '-ff')
    refused("-ff writes files; -o '|cat' is a command", '-ff', '-o', '|cat')
    case.same(run('-ff', '-o', 'no/where', status=1),
              ['xtrace: no/where.PID: cannot be written: No such file or '
               'directory'], 'what xtrace says')


def test():
    (case.FOLDER / 'p.conf').write_text('int f(int n, const char *what);\n')
    test_lines()
    test_formats()
    test_one_file_each()
    test_stderr_is_a_file()
    test_split()


case.main(test)
