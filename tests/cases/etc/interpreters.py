#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The prototypes of Python, Ruby, Perl and PHP, checked as prototypes.py
describes.

NEEDS: /usr/include/python3.11 /usr/include/ruby-3.1.0
NEEDS: /usr/include/php/20220829 /usr/lib/x86_64-linux-gnu/perl/5.36/CORE
TIMEOUT: 240
"""
import re

import case
from prototypes import Set, check_all, run

PYTHON = '''Python structmember'''
RUBY = '''ruby ruby/thread ruby/encoding ruby/io ruby/re ruby/debug ruby/st
ruby/vm'''
PERL = '''EXTERN perl XSUB'''
PHP = '''php zend_API zend_execute zend_exceptions zend_interfaces zend_vm
zend_observer zend_generators zend_closures zend_extensions
zend_language_scanner zend_weakrefs zend_fibers zend_enum zend_attributes
zend_smart_str zend_builtin_functions SAPI php_main php_ini php_output
php_variables php_network ext/standard/info ext/standard/php_var
ext/json/php_json ext/pcre/php_pcre ext/session/php_session
ext/spl/spl_exceptions'''


def includes(names):
    return ''.join(f'#include <{name}.h>\n' for name in names.split())


def folders(*paths):
    return [f'-I/usr/{path}' for path in paths]


def php_version():
    return re.match(r'PHP ([\d.]+)', run('/usr/bin/php8.2', '-n', '-v')[0])[1]


def test():
    php = 'include/php/20220829'
    check_all('interpreters', [
        Set('Python', ['libpython3.so.conf'],
            ['libpython3.11.so.1.0', '/usr/bin/python3.11'],
            includes(PYTHON), folders('include/python3.11')),
        Set('Ruby', ['libruby.so.conf'], ['libruby-3.1.so.3.1'],
            includes(RUBY),
            folders('include/ruby-3.1.0',
                    'include/x86_64-linux-gnu/ruby-3.1.0')),
        Set('Perl', ['libperl.so.conf'],
            ['libperl.so.5.36', '/usr/bin/perl'], includes(PERL),
            ['-D_REENTRANT', '-D_GNU_SOURCE', '-D_FILE_OFFSET_BITS=64',
             *folders('lib/x86_64-linux-gnu/perl/5.36/CORE')]),
        Set('PHP', ['parts/php-engine.conf'], ['/usr/bin/php8.2'], includes(PHP),
            ['-D_GNU_SOURCE', *folders(php, f'{php}/main', f'{php}/Zend',
                                       f'{php}/TSRM', f'{php}/ext')],
            ('php8.2', php_version())),
    ])


case.main(test)
