# SPDX-License-Identifier: GPL-2.0-or-later
"""The programs that tests/same/run compares, as data.

Each row is (name, options of xtrace, the program's command line). If ATTACH is
before the command line, xtrace attaches to the program: the program prints a
line, and begins its work when it reads a line. {case} is a program that is
compiled from the page tests/cases/NAME; the next word is NAME.
"""
ATTACH = 'attach'
WIDE = '*@libc.so.6-*alloc*-free*-*lock*-*str*-*mem*-__ctype*-*errno*' \
    '-*random*'
SERVE = ['/usr/bin/python3', '-c', '''
import sys, zlib, hashlib, json
print("ready", flush=True)
sys.stdin.readline()
for i in range(5):
    zlib.crc32(b"abc" * i)
    json.dumps({"a": [1, 2, i]})
    open("/etc/hostname").read()
''']
SQLITE = ['/usr/bin/python3', '-c', '''
import sqlite3
base = sqlite3.connect(":memory:")
base.execute("CREATE TABLE t (a INTEGER, b TEXT)")
base.executemany("INSERT INTO t VALUES (?, ?)", [(i, str(i)) for i in range(9)])
for row in base.execute("SELECT sum(a) FROM t WHERE a > ?", (3,)):
    print(row)
''']
RUBY = ['/usr/bin/ruby', '-e', '''
require "zlib"
def outer = inner(3)
def inner(n) = n.times { |i| Zlib.crc32("abc" * i) }
outer
''']
PERL = ['/usr/bin/perl', '-e', '''
sub outer { inner($_) for 1 .. 3 }
sub inner { my @s = stat "/etc/passwd"; print "$s[2] $_[0]\n" }
outer();
''']
PHP = ['/usr/bin/php', '-n', '-r', '''
function outer() { foreach ([1, 2, 3] as $i) inner($i); }
function inner($i) { echo strlen(gethostname()) > 0, getmypid() > 0, "$i\n"; }
outer();
''']
SHELL = ['/bin/bash', '-c', 'for i in 1 2 3; do /bin/echo $i; done | wc -l']


def subject(page):
    return ['{case}', page]


PROGRAMS = [
    ('true', [], ['/bin/true']),
    ('echo -e', ['-e', '*'], ['/bin/echo', 'a', 'b']),
    ('echo -x', ['-x', WIDE], ['/bin/echo', 'a', 'b']),
    ('ls', ['-e', '*'], ['/bin/ls', '-1', '/etc/alternatives']),
    ('ls -c', ['-c'], ['/bin/ls', '-1', '/etc/alternatives']),
    ('ls -C -i', ['-C', '-i'], ['/bin/ls', '-d', '/']),
    ('cat -T', ['-T', '-tt'], ['/bin/cat', '/etc/passwd']),
    ('sort -r', ['-r', '-n', '2'], ['/usr/bin/sort', '/etc/passwd']),
    ('sed', ['-A', '9', '-s', '99', '-e', '*-mbrtowc@MAIN'],
     ['/bin/sed', 's/a/b/', '/etc/passwd']),
    ('grep -l', ['-l', 'libpcre*'],
     ['/bin/grep', '-c', 'root', '/etc/passwd']),
    ('awk', ['-e', '*@MAIN'],
     ['/usr/bin/awk', 'BEGIN { print sqrt(2), substr("abc", 2) }']),
    ('tar', ['-x', WIDE, '-f'], ['/bin/tar', 'cf', '/dev/null', '/etc/init.d']),
    ('gzip json', ['--json'], ['/bin/gzip', '-c', '/etc/passwd']),
    ('find', ['--limit', '200', '-e', '*'],
     ['/usr/bin/find', '/etc/init.d', '-type', 'f']),
    ('date', ['--if', 'retval == 0'], ['/bin/date', '-d', '@0', '+%F']),
    ('expr', ['-x', 'main+strcoll+puts'], ['/usr/bin/expr', '1', '+', '2']),
    ('false', ['-a', '60'], ['/bin/false']),
    ('missing', [], ['/nonexistent/program']),
    ('bad filter', ['-x', '/(/'], ['/bin/true']),
    ('bad sort', ['--sort', 'nosuch'], ['/bin/true']),
    ('nothing', ['-x', 'nosuchfunction'], ['/bin/true']),
    ('shell -f', ['-f', '--json', '-x', 'execve+_exit'], SHELL),
    ('shell -f -c', ['-f', '-c'], SHELL),
    ('sqlite --sql', ['--sql'], SQLITE),
    ('sqlite -w', ['--sql', '-w', '3'], SQLITE),
    ('sqlite summary', ['--sql', '--summary'], SQLITE),
    ('sqlite json', ['--sql', '--json', '--bind'], SQLITE),
    ('python folded', ['--folded', '--stack=merged', '-x', 'fstat64+lseek64'],
     SQLITE),
    ('ruby -w', ['-x', 'rb_*_crc32+crc32', '-w', '4'], RUBY),
    ('perl -w', ['-x', 'stat64', '-w', '4'], PERL),
    ('php -w', ['-x', 'gethostname+getpid', '-w', '4'], PHP),
    ('python attach', ['-x', 'crc32+fopen64+open64'], [ATTACH, *SERVE]),
    ('python attach -c', ['-c', '-x', 'crc32+PyObject_Call'],
     [ATTACH, *SERVE]),
    ('python attach json', ['--json', '-x', 'read', '-w', '2'],
     [ATTACH, *SERVE]),
    ('dump', ['--dump'], [ATTACH, *SERVE]),
    ('dlopen', ['-x', '*@lib*mod*'], subject('loader/dlopen.c')),
    ('longjmp', ['-x', '*@MAIN'], subject('calls/longjmp.c')),
    ('exception', ['-x', '*@MAIN', '-C'], subject('calls/exception.cc')),
    ('recursion', ['-x', '*@MAIN', '-n', '2'], subject('calls/recursion.c')),
    ('tail', ['-x', '*@MAIN'], subject('calls/tail.c')),
    ('ifunc', ['-x', '*@MAIN', '-e', '*'], subject('loader/ifunc.c')),
    ('fork', ['-f', '-x', '*@MAIN'], subject('process/fork.c')),
    ('vfork', ['-f', '-x', '*@MAIN'], subject('process/vfork.c')),
    ('exec', ['-f', '-x', '*@MAIN'], subject('process/exec.c')),
    ('threads', ['-c', '-x', '*@MAIN'], subject('threads/births.c')),
    ('aliases', ['-x', '*@MAIN'], subject('names/aliases.c')),
]
