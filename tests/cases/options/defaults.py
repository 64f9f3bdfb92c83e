#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Options from ~/.config/xtrace/options, or in its place from XTRACE_OPTIONS:
the command line takes precedence, and mistakes are reported with their place.
Only a file of the user's own is read, because an option may start a command.
"""
import os

import case

ECHO = '/bin/echo'
ETC = case.TESTS.parent / 'etc'
HOME = case.FOLDER / 'home'
FILE = HOME / '.config/xtrace/options'


def run(*words, variable=None, home='HOME', program=case.XTRACE):
    """Traces echo; returns the lines of the trace and of the messages."""
    env = {home: str(HOME if home == 'HOME' else HOME / '.config')}
    if variable is not None:
        env['XTRACE_OPTIONS'] = variable
    wanted = case.untraced(ECHO, 'some text that is long')
    child = case.start(program, '-F', ETC, '-L', '-o', 'trace', *words, '--', ECHO,
                       'some text that is long', env=env)
    status = child.wait()
    lines = child.err.splitlines()
    if status == 2:
        case.equal(child.out, '', 'nothing ran')
        return status, lines
    case.equal((status, child.out), wanted[:2], 'the run of the program')
    trace = (case.FOLDER / 'trace').read_text().splitlines()
    trace = [' '.join(line.split()) for line in trace]
    return [line for line in trace if line.startswith('write')], lines


def write(text, mode=0o600):
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text)
    FILE.chmod(mode)


def used():
    plain = ['write@SYS(1, "some text that is long\\n", 23) = 23']
    short = ['write@SYS(1, "some"..., 23) = 23']
    case.equal(run('-Swrite'), (plain, []), 'no file')
    write('# a comment\n\n  -s 4\t# another\n"-Swrite" \'--color\'=never\n')
    case.equal(run(), (short, []), 'the file')
    case.equal(run(home='XDG_CONFIG_HOME'), (short, []), 'XDG_CONFIG_HOME')
    case.equal(run('-s40'), (plain, []), 'the command line comes first')
    case.equal(run(variable='-s 5 -Sw"rite"'),
              (['write@SYS(1, "some "..., 23) = 23'], []),
              'XTRACE_OPTIONS in place of the file')
    case.equal(run('-Swrite', variable=''), (plain, []), 'none')
    case.equal(run(variable='-r -Z -f -Swrite -s4 --sort calls', ),
              ([], []), '--sort without a table is no mistake here')
    case.equal(run('-z', variable='-Z -Swrite -s4'), (short, []),
              '-z in place of -Z')
    # An option that only matters to a command, such as -E, does not disturb an
    # attach.
    subject = case.start('/bin/cat')
    tracer = case.attach(subject, '-F', ETC, '-L', '-Swrite', env={'XTRACE_OPTIONS': '-E A=1'})
    subject.say('line')
    subject.wait_for('line')
    subject.close_input()
    case.equal((subject.wait(), tracer.wait()), (0, 0), 'status')
    case.contains(tracer.calls(), 'write@SYS(1, "line\\n", 5) = 5')


def mistakes():
    for text, line, why, shown, caret in (
            ('-f\n-s 4 --sumary\n', 2,
             "unknown option '--sumary'; did you mean '--summary'?",
             '-s 4 --sumary', 5),
            ('-s\t"4x"\n', 1, "-s: '4x' is not a number from 0 to 2147483647",
             '-s\\t"4x"', 4),
            ('-f ls\n', 1, "'ls' is no option; a command is given on the "
             'command line', '-f ls', 3),
            ("-f 'ls\n", 1, "no closing '", "-f 'ls", 3),
            ('-f \\\n', 1, 'nothing follows \\', '-f \\', 3),
            ('-p 1\n', 1, '-p is only for the command line', '-p 1', 0),
            ('-n 2 --dump', 1, '--dump is only for the command line',
             '-n 2 --dump', 5),
            ('-fQ', 1, "unknown option '-Q'; --help lists them", '-fQ', 0),
            ('-f -s', 1, "option '-s' needs N: print at most N bytes of a "
             'string (default: 32)', '-f -s', 3)):
        write(text)
        case.equal(run(), (2, [f'xtrace: {FILE}:{line}: {why}',
                              f'  {shown}', f'  {" " * caret}^']), text)
    write('-x f+\n')
    status, lines = run()
    case.equal((status, lines[0].split(': ')[1:3], lines[2:]),
               (2, [f'{FILE}:1', '-x'], ['    ^']), 'the caret of the filter')
    case.equal(run(variable='-b --no'), (2, [
        "xtrace: XTRACE_OPTIONS: option '--no' could be any of --no-library-calls, "
        '--no-plt, --no-signals', '  -b --no', '     ^']), 'the variable')
    # --help is printed even if the options of the file have a mistake.
    child = case.start(case.XTRACE, '--help', env={'HOME': str(HOME)})
    case.equal((child.wait(), child.err), (0, ''), '--help')


def own():
    short = ['write@SYS(1, "some"..., 23) = 23']
    plain = ['write@SYS(1, "some text that is long\\n", 23) = 23']
    ltrace = case.FOLDER / 'ltrace'
    ltrace.symlink_to(case.XTRACE)
    write('-s 4\n')
    case.equal(run('-Swrite'), (short, []), 'own')
    trace, _ = run('-Swrite', program=ltrace)
    case.equal([line.startswith('write@SYS(1, "some text') for line in trace],
               [True], 'the name ltrace')
    write('-s 4\n', 0o620)
    case.equal(run('-Swrite'), (plain, [
        f'xtrace: {FILE}: not read: other users may write it']), 'writable')
    FILE.unlink()
    os.mkfifo(FILE)
    case.equal(run('-Swrite'), (plain, [
        f'xtrace: {FILE}: not a regular file']), 'a pipe')
    if os.geteuid() != 0:
        return
    FILE.unlink()
    write('-s 4\n')
    os.chown(FILE, 65533, 65533)
    case.equal(run('-Swrite'), (plain, [
        f'xtrace: {FILE}: not read: it belongs to user 65533']), 'foreign')
    os.chown(FILE, 0, 0)
    os.chown(FILE.parent, 65533, 65533)
    trace, messages = run('-Swrite')
    case.equal((trace, messages[0]), (plain, (
        f'xtrace: {FILE}: not read: {FILE.parent} belongs to user 65533')),
        'a foreign folder')


def test():
    used()
    mistakes()
    own()


case.main(test)
