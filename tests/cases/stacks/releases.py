#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The interpreters of earlier and later releases of Debian, with the C
libraries of these releases, in their own roots: Python 3.9 to 3.14, Ruby 2.7
to 3.4, PHP 7.4 to 8.5, Perl 5.32 to 5.42. Their frames are the frames that they
report themselves. If a release cannot be downloaded, the others are still
tried.

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
# Each release: the packages to install, and the versions of its programs.
RELEASES = {
    'bullseye': (PACKAGES, {'python3': '3.9', 'ruby': '2.7', 'php': '7.4',
                            'perl': '5.32'}),
    'trixie': (PACKAGES, {'python3': '3.13', 'ruby': '3.3', 'php': '8.4',
                          'perl': '5.40'}),
    'forky': (PACKAGES, {'python3': '3.14', 'ruby': '3.3', 'php': '8.4',
                         'perl': '5.42'}),
    'experimental': (['ruby3.4', 'php8.5-cli', 'libc-bin'],
                     {'ruby': '3.4', 'php': '8.5'}),
}
ENV = {'LC_ALL': 'C', 'PATH': '/usr/bin:/usr/sbin:/bin:/sbin'}


# Each interpreter: its command ({} is the version), the option and the code
# that print its version, its subject, and the function that is traced. The
# packages' scripts that set the interpreter up are not run.
PROGRAMS = {
    'python3': (['/usr/bin/python3'], '-c', 'import sys; '
                'print(f"{sys.version_info[0]}.{sys.version_info[1]}")',
                'python_subject.py', 'isatty'),
    'ruby': (['/usr/bin/ruby{}'], '-e', 'puts RUBY_VERSION[/\\d+.\\d+/]',
             'ruby_subject.rb', 'umask'),
    'php': (['/usr/bin/php{}', '-n', '-d', 'extension=posix'], '-r',
            'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;',
            'php_subject.php', 'isatty'),
    'perl': (['/usr/bin/perl'], '-e', '$^V =~ /^v(\\d+\\.\\d+)/ and print $1',
             'perl_subject.pl', 'tcdrain'),
}


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


def try_program(root, release, name, wanted):
    words, option, text, subject, traced = PROGRAMS[name]
    program = [word.format(wanted) for word in words]
    got = case.untraced('/usr/sbin/chroot', root, *program, option, text,
                        env=ENV)
    case.equal(got[1].strip(), wanted, f'{program[0]}: {got[2]}')
    compare(root, release, wanted, program, subject, traced)


def release_of(release, packages, versions):
    root = debian.chroot(release, pathlib.Path(os.environ['BUILD_CACHE'])
                         .parent / 'roots' / release, packages)
    shutil.rmtree(root / 'cases', ignore_errors=True)
    (root / 'cases').mkdir()
    for page in case.SUPPORT.glob('*_*.*'):
        if page.is_file():
            shutil.copy(page, root / 'cases')
    wrong = []
    for name, wanted in versions.items():
        try:
            try_program(root, release, name, wanted)
        except case.Failure as fault:
            wrong.append(str(fault))
    if wrong:
        case.fail(*wrong)


def test():
    wrong = []
    missing = []
    for release, (packages, versions) in RELEASES.items():
        try:
            release_of(release, packages, versions)
        except debian.Unavailable as why:
            missing.append(f'{release}: {why}')
        except case.Failure as fault:
            wrong.append(str(fault))
    if wrong:
        case.fail(*wrong)
    if missing:
        case.skip('; '.join(missing))


case.main(test)
