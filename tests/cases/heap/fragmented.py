#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--heap tells how many of the free bytes are fragmented, that is in pages that
also have objects. For Python, this number, the bytes of objects and the rest are
those of sys._debugmallocstats(). For Ruby, PHP and Perl, the bytes that a
script leaves free between its objects are found again, and the pages that are in
use are whole pages. Each script makes many objects, and drops all but every tenth.

TIMEOUT: 60
"""
import re
import shutil
import subprocess
import sys

import case
import heapcase

FRAGMENTED = re.compile(rf'^  fragmented: {heapcase.NUMBER} of these bytes are in '
                        r'pages that also have objects$', re.M)
MANY = 200000
PYTHON = f'''
import sys
class Slots:
    __slots__ = ('one', 'two')
kept = [Slots() for _ in range({MANY})][::10]
print('all', flush=True)
sys.stdin.readline()
sys._debugmallocstats()
'''
RUBY = f'''
class Plain; end
$stdout.sync = true
kept = Array.new({MANY}) {{ Plain.new }}
kept = kept.each_slice(10).map(&:first)
GC.start
before = GC.stat
puts "all #{{before[:heap_allocated_pages]}} #{{kept.size}}"
$stdin.gets
'''
PHP = f'''
class Plain {{ }}
$kept = [];
for ($i = 0; $i < {MANY}; $i++) $kept[] = new Plain;
for ($i = 0; $argc > 1 && $i < {MANY}; $i++) if ($i % 10) unset($kept[$i]);
$input = fopen('php://stdin', 'r');
fgets($input);
for ($i = 0; $i < 2; $i++) {{
    $usage = [memory_get_usage(), memory_get_usage(true)];
    echo $i ? 'all ' : 'at first ', $usage[0], ' ', $usage[1], "\\n";
}}
fgets($input);
'''
PERL = f'''
$| = 1;
my @kept = map {{ bless {{ one => 1 }}, 'Plain' }} 1..{MANY};
for (my $i = 0; @ARGV && $i < {MANY}; $i++) {{ undef $kept[$i] if $i % 10 }}
print "all\\n";
<STDIN>;
'''


def census(*command, feed=()):
    """The subject, the words of its last line, and of its heap: the bytes of
    objects, all bytes, the fragmented ones."""
    subject = case.start(*command)
    for line in feed:
        subject.say(line)
    subject.wait_for('all')
    out, err = heapcase.census(subject.pid)
    case.equal(err, '', 'what xtrace says')
    _, size, mapped = heapcase.last_row(out)
    found = FRAGMENTED.findall(out)
    case.equal(len(found), 1, out[-400:])
    fragmented = heapcase.number(found[0])
    case.true(fragmented <= mapped - size, f'{fragmented} of {mapped} - {size}')
    words = subject.out.splitlines()[-1].split()
    subject.say('end')
    case.finish(subject)
    return subject, words, (size, mapped, fragmented)


def test_python():
    if sys.version_info[:2] != (3, 11):
        print('no Python 3.11')
        return
    subject, _, (size, mapped, fragmented) = census(case.PYTHON, '-c', PYTHON)

    def says(pattern):
        return int(re.search(pattern + r' *= +([\d,]+)$', subject.err,
                             re.M)[1].replace(',', ''))
    # Python uses some blocks to write its numbers, and up to four new pools.
    near = 4 * 16384
    case.true(abs(size - says('bytes in allocated blocks')) < near, 'objects')
    own = (says('bytes in available blocks') +
           says('bytes lost to pool headers') +
           says('bytes lost to quantization'))
    case.true(abs(fragmented - own) < near, f'{fragmented}, {own} by Python')
    # Nine of ten objects of 48 bytes were dropped.
    case.true(fragmented > MANY * 48 * 0.85, f'{fragmented}')
    rest = says(r'unused pools \* 16384 bytes') + \
        says('bytes lost to arena alignment')
    case.true(abs(mapped - size - fragmented - rest) < near,
              f'{mapped - size - fragmented}, {rest} by Python')


def test_ruby():
    _, words, (_, mapped, fragmented) = census('ruby', '-e', RUBY)
    pages, kept = int(words[1]), int(words[2])
    case.equal(kept, MANY // 10, 'kept')
    # Nine of ten slots of 40 bytes are free.
    case.true(MANY * 40 * 0.85 < fragmented < pages * 16384,
              f'{fragmented} in {pages} pages')
    case.true(fragmented < mapped, f'{fragmented} of {mapped}')


def census_of_php(*words):
    _, words, (size, mapped, fragmented) = census(
        'php', '-d', 'memory_limit=-1', '-r', PHP, '--', *words, feed=['begin'])
    case.equal((size, mapped), (int(words[1]), int(words[2])), 'by PHP')
    return size, fragmented


def test_php():
    whole, little = census_of_php()
    size, fragmented = census_of_php('drop')
    # Nine of ten objects of 40 bytes were dropped, and nothing else.
    holes = MANY * 9 // 10 * 40
    case.true(abs(whole - size - holes) < 4000, f'{whole} - {size}')
    case.true(abs(fragmented - little - holes) < 4000,
              f'{fragmented} - {little}, {holes} dropped')


def test_perl():
    little = census('perl', '-e', PERL)[2][2]
    fragmented = census('perl', '-e', PERL, 'drop')[2][2]
    # Each of the dropped objects had two heads of 24 bytes, of the hash and of
    # its value, and a body of 32 bytes. The loop makes some values of its own,
    # for which Perl may get another arena, of 4096 bytes, of each kind.
    holes = MANY * 9 // 10 * (24 + 24 + 32)
    case.true(abs(fragmented - little - holes) < 3 * 4096,
              f'{fragmented} - {little}, {holes} dropped')
    case.true(little < 500000, f'{little} without holes')


def test():
    test_python()
    for program, version, run in (('ruby', 'print RUBY_VERSION', test_ruby),
                                  ('php', 'echo PHP_VERSION;', test_php),
                                  ('perl', 'printf "%vd", $^V', test_perl)):
        if not shutil.which(program):
            continue
        says = subprocess.run([program, '-r' if program == 'php' else '-e',
                               version], check=True, capture_output=True,
                              text=True).stdout
        if says.startswith(('3.1.', '8.2.', '5.36.')):
            run()


case.main(test)
