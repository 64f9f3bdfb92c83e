#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""From which files prototypes come, in which order, and what --show-prototype
and --check-config print.

NEEDS: plain make
"""
import subprocess

import case


def installed():
    """Installs xtrace under another prefix, with a prototype file for this
    case's library."""
    place = case.FOLDER / 'place'
    done = subprocess.run(
        ['make', '-s', '-C', case.TESTS.parent, '-o', 'all', 'install',
         f'DESTDIR={place}',
         'PREFIX=/opt'], capture_output=True, text=True)
    case.equal(done.returncode, 0, done.stdout + done.stderr)
    (place / 'opt').rename(case.FOLDER / 'moved')
    share = case.FOLDER / 'moved/share/xtrace'
    (share / 'libown.so.conf').write_text('int f(string installed);\n'
                                          'int g(int installed);\n')
    return case.FOLDER / 'moved/bin/xtrace'


def lines(program, *options, config='config'):
    home = case.FOLDER / config
    tracer = case.Tracer(['--names', '-x', 'f+g+malloc@MAIN', *options],
                         [program], {'XDG_CONFIG_HOME': str(home),
                                     'LD_LIBRARY_PATH': str(program.parent)},
                         program=case.FOLDER / 'moved/bin/xtrace')
    tracer.wait(0)
    case.equal(tracer.says(), [], 'what xtrace says')
    return tracer.calls()


def test_order(program):
    """Each further folder takes precedence over the earlier ones, but only for
    the functions that its files have."""
    case.same(lines(program), ['f(installed="text") = 5', 'g(installed=2) = 2',
                               'malloc(%any) = %hex'], 'installed')
    user = case.FOLDER / 'config/xtrace'
    user.mkdir(parents=True)
    (user / 'xtrace.conf').write_text('int f(string everyone);\n')
    case.same(lines(program)[:2], ['f(everyone="text") = 5',
                                   'g(installed=2) = 2'], 'the user, for all')
    (user / 'libown.so.1.conf').write_text('int f(string named);\n')
    case.same(lines(program)[:2], ['f(named="text") = 5',
                                   'g(installed=2) = 2'], 'the user, by name')
    forced = case.FOLDER / 'forced'
    forced.mkdir()
    (forced / 'libown.so.1.2.conf').write_text('int f(string forced);\n')
    (case.FOLDER / 'file.conf').write_text('int g(int first);\n')
    case.same(lines(program, '-F', 'file.conf', '-F', forced)[:2],
              ['f(forced="text") = 5', 'g(first=2) = 2'], '-F')
    case.same(lines(program, f'--config={forced}:file.conf')[:2],
              ['f(forced="text") = 5', 'g(first=2) = 2'], '-F with a colon')
    case.same(lines(program, config='nowhere')[:2],
              ['f(installed="text") = 5', 'g(installed=2) = 2'], 'no user')


def ask(*words, status=0):
    run = case.start(case.FOLDER / 'moved/bin/xtrace', *words,
                     env={'XDG_CONFIG_HOME': str(case.FOLDER / 'config')})
    case.equal(run.wait(), status, f'status of {words}: {run.err}')
    return run.out.splitlines(), run.err.splitlines()


def test_show():
    share = case.FOLDER / 'moved/share/xtrace'
    out, _ = ask('--show-prototype', 'g')
    case.same(out, [f'{share}/libown.so.conf:2: int g(int installed);'], 'g')
    out, _ = ask('--show-prototype=f@libown.so.1.2')
    case.same(out, [f'{case.FOLDER}/config/xtrace/libown.so.1.conf:1: '
                    'int f(string named);'], 'f, in its library')
    out, _ = ask('-F', 'file.conf', '--show-prototype', 'g')
    case.same(out, ['file.conf:1: int g(int first);'], 'g, with -F')
    out, err = ask('--show-prototype', 'no_such', status=1)
    case.same(out + err, ["xtrace: there is no prototype for 'no_such'"],
              'what xtrace says')


def test_check():
    (case.FOLDER / 'good.conf').write_text('int f(int);\n')
    (case.FOLDER / 'bad.conf').write_text('int f(no_such);\nint g(int;\n')
    out, err = ask('--check-config', 'good.conf', 'file.conf')
    case.same(out + err, [], 'good files')
    out, err = ask('--check-config', 'good.conf', 'bad.conf', status=1)
    case.equal(out, [], 'stdout')
    case.same(err, ['bad.conf:1:%num: %anyno_such%any', '  int f(no_such);',
                    '        ^', 'bad.conf:2:%num: %any', '  int g(int;',
                    '  %any^'], 'errors')
    _, err = ask('--check-config', 'missing.conf', status=1)
    case.same(err, ['missing.conf: No such file or directory'], 'no file')


def test():
    installed()
    program = case.build('prototypes.c')
    test_order(program)
    test_show()
    test_check()


case.main(test)
