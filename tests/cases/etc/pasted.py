#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole headers of libraries, after the preprocessor, are valid prototype
files: they are read without a complaint, and each function has the parameters
and the result that the compiler reports.

NEEDS: /usr/include/mariadb /usr/include/postgresql /usr/include/sqlite3.h
NEEDS: /usr/include/openssl/ssl.h /usr/include/zlib.h /usr/include/ldap.h
NEEDS: /usr/include/hiredis /usr/include/x86_64-linux-gnu/curl
NEEDS: /usr/include/python3.11 /usr/include/ruby-3.1.0
NEEDS: /usr/include/php/20220829 /usr/lib/x86_64-linux-gnu/perl/5.36/CORE
TIMEOUT: 120
"""
import case
import headers
import prototypes

PHP = '-I/usr/include/php/20220829'
# The headers: name, #includes, flags, and the least number of functions.
COMPARED = [
    ('clients', 'stddef stdio mysql libpq-fe sqlite3 zlib ldap '
     'hiredis/hiredis curl/curl',
     ['-I/usr/include/mariadb', '-I/usr/include/postgresql'], 1000),
    ('libc', 'stdlib stdio string unistd fcntl signal pthread netdb wchar '
     'complex math spawn sys/stat sys/wait ucontext', ['-D_GNU_SOURCE'], 1500),
]
READ = [
    ('OpenSSL', 'openssl/ssl openssl/x509v3 openssl/cms openssl/provider', []),
    ('Python', 'Python', ['-I/usr/include/python3.11']),
    ('Ruby', 'ruby', ['-I/usr/include/ruby-3.1.0',
                      '-I/usr/include/x86_64-linux-gnu/ruby-3.1.0']),
    ('PHP', 'php zend_API',
     [PHP, *[f'{PHP}/{part}' for part in ('main', 'Zend', 'TSRM')]]),
    ('Perl', 'EXTERN perl', ['-D_GNU_SOURCE',
                             '-I/usr/lib/x86_64-linux-gnu/perl/5.36/CORE']),
]


def pasted(name, words, flags):
    """The source that includes the headers, and the preprocessor's output of
    it.
    """
    source = ''.join(f'#include <{word}.h>\n' for word in words.split())
    out, err = prototypes.run('gcc', '-E', '-x', 'c', *flags, '-', feed=source)
    case.equal(err, '', f'gcc -E of {name}')
    file = case.FOLDER / f'{name}.conf'
    file.write_text(out)
    return source, file


def test_read():
    files = [pasted(*each)[1] for each in READ]
    out, err = prototypes.run(case.XTRACE, '--check-config', *files)
    case.equal((out, err), ('', ''), '--check-config')


def test_compared(program):
    for name, words, flags, least in COMPARED:
        source, file = pasted(name, words, flags)
        model = prototypes.Model(program, [file])
        case.equal(model.complaints, [], name)
        declared = headers.declarations(source, flags)
        both = set(declared) & set(model.protos)
        faults = [f'{model.protos[each].where}: {fault}' for each in both
                  if (fault := prototypes.compare(model.protos[each],
                                                  declared[each]))]
        case.equal(sorted(faults), [], f'{len(faults)} faults in {name}')
        missing = sorted(set(declared) - both)
        case.equal(missing, [], f'{name}: functions that are not there')
        case.true(len(both) >= least, f'{len(both)} functions of {name}')


def test():
    test_read()
    test_compared(prototypes.model_program())


case.main(test)
