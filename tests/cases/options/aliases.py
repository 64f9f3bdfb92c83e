#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A table of aliases gives a library's prototype file more names; xtrace's own
table and a user's. Each name in xtrace's table gets the prototypes of its
file. A user's file may import, by name, the installed parts and aliases.

TIMEOUT: 60
"""
import shutil

import case

ETC = case.TESTS.parent / 'etc'
# A function, the library whose prototype file has it, and the other names of
# that file.
SHARED = [
    ('dlopen', 'libc.so.6', 'libdl.so.2 libpthread.so.0 librt.so.1 '
     'libutil.so.1 libanl.so.1 libresolv.so.2 libc.musl-x86_64.so.1 '
     'ld-musl-x86_64.so.1 libc.so'),
    ('sin', 'libm.so.6', 'libc.musl-x86_64.so.1 ld-musl-x86_64.so.1 libc.so'),
    ('curl_easy_perform', 'libcurl.so.4',
     'libcurl-gnutls.so.4 libcurl-nss.so.4'),
    ('ldap_search_ext', 'libldap.so.2', 'libldap_r-2.4.so.2 libldap-2.5.so.0'),
    ('zend_lookup_class', 'php', 'php8.2 php-cgi php-cgi8.2 php-fpm '
     'php-fpm8.2 libphp.so libphp8.2.so libphp8.so'),
    ('Perl_sv_newmortal', 'libperl.so.5.36', 'perl perl5.36.0'),
    ('PyLong_FromLong', 'libpython3.11.so.1.0', 'python3.11 python3'),
    ('rb_ary_new', 'libruby-3.1.so.3.1', 'ruby'),
    ('mysql_query', 'libmariadb.so.3', 'libmysqlclient.so.21 mysql'),
]
PARTS = ['libc-types.conf', 'libc-file', 'mysql', 'openssl.conf', 'php-engine',
         'libcrypto-base.conf', 'libm-f128.conf']
ALIASES = ['perl.conf', 'libpthread.so.conf', 'libphp8.so', 'ruby']


def ask(*words, status=0):
    run = case.start(case.FOLDER / 'bin/xtrace', *words,
                     env={'XDG_CONFIG_HOME': str(case.FOLDER / 'config')})
    case.equal(run.wait(), status, f'status of {words}: {run.err}')
    return run.out.splitlines(), run.err.splitlines()


def user_file(name, text):
    path = case.FOLDER / 'config/xtrace' / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def trace(program, *says):
    tracer = case.Tracer(['--names', '-x', 'f+g'], [program],
                         {'XDG_CONFIG_HOME': str(case.FOLDER / 'config'),
                          'LD_LIBRARY_PATH': str(program.parent)},
                         program=case.FOLDER / 'bin/xtrace')
    tracer.wait(0)
    case.same(tracer.says(), list(says), 'what xtrace says')
    return tracer.calls()


def test_shared():
    for function, library, names in SHARED:
        wanted, _ = ask('--show-prototype', f'{function}@{library}')
        case.equal(len(wanted), 1, f'{function}@{library}')
        for name in names.split():
            out, _ = ask('--show-prototype', f'{function}@{name}')
            case.equal(out, wanted, f'{function}@{name}')


def test_imports(program):
    imports = ''.join(f'import "{name}";\n' for name in PARTS + ALIASES)
    path = user_file('libown.so.1.2.conf',
                     f'{imports}int f(string own);\nopen_flags g(my_bool);\n')
    case.equal(ask('--check-config', path), ([], []), 'imports by name')
    case.same(trace(program)[:2], ['f(own="text") = 5',
                                   'g(2) = O_RDWR'], 'imports by name')
    path.unlink()


def test_own(program):
    user_file('mine.conf', 'int f(string mine);\n')
    table = user_file('aliases', 'libown.so mine\n')
    case.same(trace(program)[:1], ['f(mine="text") = 5'], 'an alias')
    case.equal(ask('--check-config', table), ([], []), 'aliases')
    user_file('libown.so.1.conf', 'int f(string one);\n')
    user_file('libown.so.conf', 'int f(string own);\nint g(int own);\n')
    case.same(trace(program)[:2], ['f(one="text") = 5', 'g(own=2) = 2'],
              'a file before an alias')
    user_file('aliases', 'libown.so.1.2 absent\n\nlibx.so\n')
    calls = trace(program,
                  f'xtrace: {table}:3:8: expected the name of a file',
                  f"xtrace: {table}:1:15: there is no 'absent'")
    case.same(calls[:1], ['f(one="text") = 5'], 'wrong aliases')
    _, err = ask('--check-config', table, status=1)
    case.equal(err, [f'{table}:3:8: expected the name of a file',
                     '  libx.so', '         ^',
                     f"{table}:1:15: there is no 'absent'",
                     '  libown.so.1.2 absent', '                ^'],
               'wrong aliases')


def test():
    program = case.build('prototypes.c')
    (case.FOLDER / 'bin').mkdir()
    shutil.copy(case.XTRACE, case.FOLDER / 'bin/xtrace')
    shutil.copytree(ETC, case.FOLDER / 'share/xtrace')
    test_shared()
    test_imports(program)
    test_own(program)


case.main(test)
