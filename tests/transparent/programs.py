# SPDX-License-Identifier: GPL-2.0-or-later
"""The programs to compare, as data. harness.py explains the fields; the
scripts are in subjects/.
"""
from harness import Program

# Functions that are called a million times per second, which would only make
# the runs slower.
OFTEN = '-*mem*-*str*-*alloc*-free*-*_free*-cfree*-unlink_chunk*-*lock*' \
    '-*errno*-__ctype*-*tcache*-*arena*-bcmp*-*index*-*chr*' \
    '-*cond_signal*-*cmp*-*wc*-*mb*'
LIBC = '@libc.so.6' + OFTEN
# Calls out of all modules; CALLS leaves out the functions of interpreters. Most
# programs of Perl leave out few of these, because the modules of Perl call
# hardly any other functions, and not too often.
WIDE = '*@*' + OFTEN + '-*specific*-__tls_get_addr-*setjmp*'
CALLS = WIDE + '-Perl_*-PL_*-rb_*-ruby_*-st_*-Py*-_Py*'
# For programs that start hundreds of short processes: a filter for all of the
# C library would plant two thousand sites in each of them.
PROCESSES = '+'.join(f'*{word}*@libc.so.6' for word in (
    'fork', 'exec', 'spawn', 'wait', 'kill', 'sig', 'pipe', 'dup', 'poll',
    'select', 'open', 'close', 'read', 'write', 'sem_', 'pthread_', 'exit',
    'fcntl', 'id')) + OFTEN + '-pthread_self-readdir*'
# The programs that take longest.
LONG = ('python-subprocess', 'python-threading', 'node', 'perl-suite', 'git', 'bash',
        'sqlite3', 'java', 'perl-suite-threads', 'python-signals')
PYTHON = ['/usr/bin/python3', '-X', 'faulthandler', '{subjects}/suite.py']
QUIET_PYTHON = {'PYTHONDONTWRITEBYTECODE': '1'}


def suite(*tests, files=0, **more):
    """Parts of Python's own test suite; `files` descriptors may be open."""
    limit = ['/bin/sh', '-c', f'ulimit -n {files}; exec "$@"', 'sh']
    return Program([*(limit if files else []), *PYTHON, *tests], gate=True,
                   vary=[r'(?<=tests in )[\d.]+'],
                   **{'trace': LIBC, 'imports': CALLS, 'env': QUIET_PYTHON,
                      **more})


# The tests of Perl's own suite for processes and signals, and for threads.
# Tests whose untraced runs may differ are left out: alarm.t and sselect.t
# print how many seconds have passed, sigsystem.t reaps a child sooner or
# later; in threads/context.t, free.t, free2.t and op/threads.t, threads print
# in any order. threads/exit.t and thread.t are left out, too, because parts of
# them fail outside of Perl's own tree.
PERL_TESTS = [f't/{name}.t' for name in (
    'op/fork', 'op/sigdispatch', 'op/kill0', 'op/exec', 'io/dup', 'io/pipe',
    'io/socket')]
PERL_THREADS = [f'threads/{name}.t' for name in (
    'basic', 'blocks', 'end', 'err', 'join', 'kill2', 'kill3', 'libc', 'list',
    'problems', 'stack', 'stack_env')]


def perl_suite(*tests, **more):
    """Parts of Perl's own test suite, which expects the modules beside it."""
    return Program(
        ['/usr/bin/perl', '{subjects}/suite.pl', *tests], gate=True,
        trace=PROCESSES, imports=WIDE + '-Perl_*',
        source=('bookworm', 'perl', 't/test.pl', 't/charset_tools.pl',
                't/loc_tools.pl', *PERL_TESTS, 'dist/threads/t'),
        setup='cp -r {source}/t .; cp -r {source}/dist/threads/t threads; '
        'sed -i "s/^sub set_up_inc/sub not_called/" t/test.pl; '
        'echo "sub set_up_inc {{ }} 1;" >>t/test.pl', **more)


PROGRAMS = {
    'bash': Program(
        ['/bin/bash', '{subjects}/jobs.sh'], trace=LIBC, imports=CALLS,
        vary=[r' *\d+ (?=Segmentation|Quit)'], gate=True),
    'git': Program(
        ['/bin/bash', '{subjects}/git.sh'], trace=LIBC, imports=CALLS,
        skip=['*/.git/index'], gate=True),
    'make': Program(
        ['/usr/bin/make', '-j4', '-f', '{subjects}/Makefile.work'],
        trace=LIBC, imports=CALLS, gate=True),
    'perl-threads': Program(
        ['/usr/bin/perl', '{subjects}/threads.pl'], trace=LIBC,
        imports=WIDE + '-Perl_*_scope', gate=True),
    'perl-signals': Program(
        ['/usr/bin/perl', '{subjects}/signals.pl'], trace=LIBC,
        imports=WIDE + '-Perl_*_scope', gate=True),
    'perl-suite': perl_suite(*PERL_TESTS, vary=[r'(?<=# port )\d+']),
    'perl-suite-threads': perl_suite(*PERL_THREADS,
                                     vary=[r'(?<=GLOB.)0x\w+']),
    'python-threads': suite('test.test_thread', 'test.test_threadsignals',
                            'test.test_threading_local'),
    # SiginterruptTest is left out, because it waits for half a minute.
    'python-signals': suite(*(f'test.test_signal.{name}' for name in (
        'GenericTests', 'PosixTests', 'WakeupFDTests', 'WakeupSignalTests',
        'WakeupSocketSignalTests', 'ItimerTest', 'PendingSignalsTests',
        'StressTest', 'RaiseSignalTest', 'PidfdSignalTest')),
                            trace=PROCESSES),
    'python-threading': suite('test.test_threading', trace=PROCESSES),
    'python-processes': suite('test.test_fork1', 'test.test_popen',
                              'test.test_wait3'),
    # test_subprocess tries every descriptor that may be open, again and again.
    'python-subprocess': suite(
        'test.test_subprocess', files=256, trace=PROCESSES,
        imports=CALLS + '-*gconv*-pthread_self-readdir*-*locale*'),
    'python-ctypes': suite(*(
        f'ctypes.test.test_{name}' for name in (
            'callbacks', 'cfuncs', 'functions', 'errno', 'structures',
            'pointers', 'as_parameter', 'libc'))),
    'python-select': suite('test.test_select', 'test.test_socketserver',
                           'test.test_epoll', 'test.test_poll'),
    # Debian's package of the suite does not have the tests of sqlite3.
    'python-sqlite3': suite(*(
        f'test.test_sqlite3.test_{name}' for name in (
            'dbapi', 'types', 'factory', 'transactions', 'hooks',
            'regression', 'userfunctions', 'backup', 'dump')),
        source=('bookworm', 'python3.11', 'Lib/test/test_sqlite3'),
        imports=CALLS + '-sqlite3[A-Z]*-sqlite3_mutex*',
        env={**QUIET_PYTHON, 'MORE_TESTS': '{source}/Lib/test'}),
    'ruby': Program(
        ['/usr/bin/ruby', '{subjects}/fibers.rb'], trace=LIBC,
        imports=CALLS, gate=True),
    'php': Program(
        ['/usr/bin/php', '-n', '{subjects}/work.php'], trace=LIBC,
        imports=CALLS, gate=True),
    'node': Program(
        ['/usr/bin/node', '{subjects}/work.js'], trace=LIBC,
        imports='*@*' + OFTEN + '-*specific*-*pthread*', gate=True),
    'java': Program(
        ['/usr/bin/java', '-XX:-UsePerfData', '-Xmx64m', '-cp', 'classes',
         'Work'], trace=LIBC, imports=WIDE + '-JVM_*', gate=True,
        needs=['java', 'javac'],
        setup='javac -J-XX:-UsePerfData -nowarn -d classes {subjects}/Work.java'),
    'sqlite3': Program(
        ['/usr/bin/sqlite3', 'data.db'],
        trace='@libsqlite3.so.0-*str*-*alloc*-*free*-*mutex*',
        imports=CALLS + '-sqlite3_*', stdin='{subjects}/work.sql', gate=True),
    'ssh-keygen': Program(
        ['/bin/bash', '{subjects}/keys.sh'],
        skip=['rsa-cert.pub'],
        trace=LIBC,
        imports='*@MAIN' + OFTEN, gate=True,
        setup="ssh-keygen -q -t ed25519 -N '' -C ed -f ed; "
        "ssh-keygen -q -t rsa -b 2048 -N '' -C rsa -f rsa"),
    'redis': Program(
        ['/usr/bin/redis-server', '--port', '0', '--unixsocket', 'socket',
         '--save', '', '--databases', '2'],
        trace=LIBC, imports=CALLS,
        vary=[r'^\d+:[A-Z] .{24}', r'(?<=pid[ =])\d+'],
        skip=['dump.rdb'],
        ready='redis-cli -s socket ping',
        load='redis-benchmark -s socket -n 200 -c 8 -q '
        '-t set,get,incr,lpush,sadd,zadd,lrange_100 >/dev/null; '
        'for i in $(seq 20); do redis-cli -s socket set key$i value$i; '
        'done; redis-cli -s socket --raw eval "local s = 0 '
        'for i = 1, 1000 do s = s + i end return s" 0; '
        'redis-cli -s socket mget key1 key20 nothing; '
        'redis-cli -s socket bgsave; '
        'until redis-cli -s socket info persistence | '
        'grep -q bgsave_in_progress:0; do :; done; '
        'redis-cli -s socket dbsize; '
        'redis-cli -s socket shutdown nosave'),
    'nginx': Program(
        ['/usr/sbin/nginx', '-e', 'stderr', '-p', '.', '-c',
         '{subjects}/nginx.conf'], trace=LIBC, imports=CALLS,
        setup="seq 1 20000 >page; echo small >small",
        ready='curl -sf http://127.0.0.1:47231/small',
        load='for page in small page none; do '
        'ab -q -n 500 -c 8 http://127.0.0.1:47231/$page | '
        'grep -E "^(Document|Complete|Failed|Non-2xx|HTML)"; done; '
        'kill -HUP $(cat pid); '
        'curl -s http://127.0.0.1:47231/page | md5sum; '
        'curl -si --range 5-20 http://127.0.0.1:47231/page | head -1; '
        'kill -QUIT $(cat pid)'),
}
