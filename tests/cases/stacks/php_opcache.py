#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""PHP's frames are right (see php.py) in code that opcache has optimized and
stores in its shared memory, and in functions and traces that its JIT compiled.

NEEDS: /usr/lib/php/20220829/opcache.so
TIMEOUT: 120
"""
import case
import stackcase

OPCACHE = ['/usr/bin/php', '-d', 'opcache.enable_cli=1']
JIT = ['-d', 'opcache.jit_buffer_size=32M', '-d']
WAYS = {
    'opcache': [],
    'functions': [*JIT, 'opcache.jit=1205'],
    'traces': [*JIT, 'opcache.jit=1254', '-d', 'opcache.jit_hot_func=2',
               '-d', 'opcache.jit_hot_loop=2',
               '-d', 'opcache.jit_hot_return=2'],
}
# PHP code that prints how much machine code the JIT has made by the end of the
# script.
ASKING = '''<?php register_shutdown_function(function () {
    $jit = opcache_get_status()["jit"];
    fprintf(STDERR, "%d\n", $jit["buffer_size"] - $jit["buffer_free"]);
});
'''


def command(options, count):
    return lambda path: [*OPCACHE, *options, case.SUPPORT / 'php_subject.php',
                         path, str(count)]


def compiled(options):
    asking = case.FOLDER / 'asking.php'
    asking.write_text(ASKING)
    asked = command([*options, '-d', f'auto_prepend_file={asking}'], 300)
    return int(case.untraced(*asked(case.FOLDER / 'alone'))[2])


def test():
    for name, options in WAYS.items():
        if options:
            case.true(compiled(options) > 20000, f'{name}: nothing is compiled')
        try:
            stackcase.run(command(options, 300), 'isatty', 'int isatty(int);')
        except case.Failure as fault:
            case.fail(f'{name}: {fault}')


case.main(test)
