#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The interpreters of the Debian before and of the one after, with the C
libraries of those, in roots of their own: Python 3.9 and 3.13, Ruby 2.7 and
3.3, PHP 7.4 and 8.4, Perl 5.32 and 5.40. Their frames are those that they tell
themselves.

NEEDS: root chroot
SLOW:
TIMEOUT: 900
"""
import os
import pathlib
import shutil

import case
import debian
import stackcase

PACKAGES = ['python3', 'ruby', 'php-cli', 'perl', 'libc-bin']
RELEASES = {'bullseye': ('3.9', '2.7', '7.4', '5.32'),
            'trixie': ('3.13', '3.3', '8.4', '5.40')}
VERSION = ('import sys; print(f"{sys.version_info[0]}.{sys.version_info[1]}")',
           'puts RUBY_VERSION[/\\d+.\\d+/]',
           'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;',
           '$^V =~ /^v(\\d+\\.\\d+)/ and print $1')
ENV = {'LC_ALL': 'C', 'PATH': '/usr/bin:/usr/sbin:/bin:/sbin'}


def programs(php):
    """The program, how it takes a line of text, its subject, what is traced;
    what their packages would have set up is not."""
    return ((['/usr/bin/python3'], '-c', 'python_subject.py', 'isatty'),
            (['/usr/bin/ruby'], '-e', 'ruby_subject.rb', 'umask'),
            ([f'/usr/bin/php{php}', '-n', '-d', 'extension=posix'], '-r',
             'php_subject.php', 'isatty'),
            (['/usr/bin/perl'], '-e', 'perl_subject.pl', 'tcdrain'))


def compare(root, release, version, program, subject, name):
    (case.FOLDER / 'stacks.conf').write_text(f'int {name}(int);\n')
    tracer = case.trace('-F', 'stacks.conf', '-w', '100', '-x', name, env=ENV,
                        command=['/usr/sbin/chroot', root, *program,
                                 f'/cases/{subject}', '/said', '100'])
    tracer.wait(0)
    what = f'{release}, {program[0]} {version}'
    case.equal(tracer.says(), [], f'{what}: what xtrace says')
    said = stackcase.said_of(root / 'said')
    case.true(len(said) > 300, f'{what}: {len(said)} calls are enough')
    stackcase.compare(said, stackcase.traced_of(stackcase.read(tracer.path),
                                                name), 100, what)


def release_of(release, versions):
    root = debian.chroot(release, pathlib.Path(os.environ['BUILD_CACHE'])
                         .parent / 'roots' / release, PACKAGES)
    shutil.rmtree(root / 'cases', ignore_errors=True)
    (root / 'cases').mkdir()
    for page in case.HERE.glob('*_*.*'):
        if page.is_file():
            shutil.copy(page, root / 'cases')
    wrong = []
    for wanted, text, (program, option, subject, name) in zip(
            versions, VERSION, programs(versions[2])):
        got = case.untraced('/usr/sbin/chroot', root, *program, option, text,
                            env=ENV)
        case.equal(got[1].strip(), wanted, f'{program[0]}: {got[2]}')
        try:
            compare(root, release, wanted, program, subject, name)
        except case.Failure as fault:
            wrong.append(str(fault))
    if wrong:
        case.fail(*wrong)


def test():
    wrong = []
    for release, versions in RELEASES.items():
        try:
            release_of(release, versions)
        except debian.Unavailable as why:
            case.skip(f'{release}: {why}')
        except case.Failure as fault:
            wrong.append(str(fault))
    if wrong:
        case.fail(*wrong)


case.main(test)
