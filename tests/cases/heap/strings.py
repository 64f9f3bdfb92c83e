#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--heap-strings shows the commonest and the longest strings of a Python, Ruby,
PHP or Perl script with their exact numbers and lengths, also while the script
makes strings at full speed, and says that they may be secrets. The events have
the same numbers. The script does not notice it.

TIMEOUT: 90
"""
import json
import re
import shutil
import subprocess
import sys

import jsonschema

import case
import heapcase

TOP = case.TESTS.parent
ROW = re.compile(rf' *{heapcase.NUMBER} {{2,}}{heapcase.NUMBER} {{2,}}'
                 rf'{heapcase.NUMBER}  ("(?:[^"\\]|\\.)*"(?:\.\.\.)?)$')
HEAD = r' +count +bytes +length  string, the (\w+) first \(may be secrets\)$'
END = re.compile(rf'  {heapcase.NUMBER} strings, {heapcase.NUMBER} of them '
                 r'different; strings of one length with the same first 64 bytes count as '
                 r'the same$')
# Each script keeps 150 strings with each of three contents that fit into an
# object and with each of two that do not, some odd ones, and a long one. With
# an argument, other strings are made until a line of input comes.
PYTHON = r'''
import sys, threading
kept = ['pending-%d' % (i % 3) for i in range(450)] + \
    ['so long that it is elsewhere, number %d' % (i % 2) for i in range(300)]
kept += ['\x1b[31m"red"', 'z' * 5000000, ''.join(['\u00fcn', '\u00ef']),
         '\u20ac' * 30, ''.join(['sm', '\U0001f600']), 'q' * 64, 'q' * 65]
over = []
def make():
    while not over:
        ['other %d' % i for i in range(500)]
thread = threading.Thread(target=make)
if len(sys.argv) > 1: thread.start()
print('all 0', flush=True)
sys.stdin.readline()
over.append(1)
print('end', len(kept))
'''
# What it says at its end is by sys.getsizeof(), which is the size of a str.
LONG = r'''
import sys
in_list = ['L-%06d ' % i * 80 for i in range(1000)]
in_short_list = ['A-%d ' % i * 200 for i in range(5)]
in_dict = {'K-%d ' % i * 150: 'V-%d ' % i * 150 for i in range(500)}
in_set = {'S-%d ' % i * 150 for i in range(300)}
in_frozenset = frozenset(f'F-{i} ' * 150 for i in range(90))
in_tuple = tuple('T-%d \u20ac' % i * 150 for i in range(200))
class C: pass
one = C()
one.text = 'O-\U0001f600' * 100000
again = in_list + in_short_list * 100
print('all 0', flush=True)
sys.stdin.readline()
found = {}
for text in {*again, *in_dict, *in_dict.values(),
             *in_set, *in_frozenset, *in_tuple, one.text}:
    row = found.setdefault(text[:2], [0, 0])
    row[0] += 1
    row[1] += sys.getsizeof(text)
print(' '.join(f'{kind}={row[0]},{row[1]}' for kind, row in sorted(found.items())))
'''
LONG_COUNTS = {'A-': 5, 'F-': 90, 'K-': 500, 'L-': 1000, 'O-': 1, 'S-': 300,
               'T-': 200, 'V-': 500}
RUBY = r'''
$stdout.sync = true
kept = (0...450).map { |i| "pending-#{i % 3}" } +
  (0...300).map { |i| "so long that it is elsewhere, number #{i % 2}" }
kept += ["\e[31m\"red\"", 'z' * 1_000_000, "\xff\x00\xfe".b, 'q' * 64, 'q' * 65]
over = false
maker = Thread.new { (0...500).each { |i| "other #{i}" * 3 } until over } if ARGV[0]
puts 'all 0'
$stdin.gets
over = true
maker&.join
puts "end #{kept.size}"
'''
PHP = r'''
$kept = [];
for ($i = 0; $i < 450; $i++) $kept[] = 'pending-' . ($i % 3);
for ($i = 0; $i < 300; $i++)
    $kept[] = 'so long that it is elsewhere, number ' . ($i % 2);
$kept[] = "\x1b[31m" . chr(34) . 'red"';
$kept[] = str_repeat('z', 5000000);
$kept[] = "\xff\x00" . chr(254);
$kept[] = str_repeat('q', 64);
$kept[] = str_repeat('q', 65);
$input = fopen('php://stdin', 'r');
if ($argc > 1) stream_set_blocking($input, false);
echo "all 0\n";
if ($argc > 1) { for ($i = 0; $i % 5000 || !fgets($input); $i++) $last = "other $i"; }
else fgets($input);
echo 'end ', count($kept), "\n";
'''
PERL = r'''
use IO::Select;
$| = 1;
my @kept = ((map { 'pending-' . ($_ % 3) } 1..450),
    (map { 'so long that it is elsewhere, number ' . ($_ % 2) } 1..300));
my ($z, $q) = ('z', 'q');
push @kept, "\e[31m" . chr(34) . 'red"', $z x 1000000, "\xff\x00" . chr(254),
    $q x 64, $q x 65;
my $input = IO::Select->new(\*STDIN);
print "all 0\n";
if (@ARGV) { for (my $i = 0; $i % 5000 || !$input->can_read(0); $i++) { $last = "other $i" } }
<STDIN>;
print 'end ', scalar(@kept), "\n";
'''
LANGUAGES = (
    ('Python 3.11', [case.PYTHON, '-c', PYTHON], 757, 5000000,
     ['"\u00fcn\u00ef"', '"' + '\u20ac' * 21 + '"...', '"sm\U0001f600"']),
    ('Ruby 3.1', ['ruby', '-e', RUBY], 755, 1000000, ['"\\377\\0\\376"']),
    ('PHP 8.2', ['php', '-r', PHP, '--'], 755, 5000000, ['"\\377\\0\\376"']),
    ('Perl 5.36', ['perl', '-e', PERL], 755, 1000000, ['"\\377\\0\\376"']),
)
PENDING = [f'"pending-{i}"' for i in range(3)]
ELSEWHERE = [f'"so long that it is elsewhere, number {i}"' for i in range(2)]


def tables_of(text):
    """The rows of both tables: (count, bytes, length, text) of each."""
    out = []
    for line in text.splitlines():
        head, row = re.match(HEAD, line), ROW.match(line)
        if head:
            out.append((head[1], []))
        elif row and out:
            out[-1][1].append((*map(heapcase.number, row.groups()[:3]), row[4]))
    case.equal([name for name, _ in out], ['commonest', 'longest'], text)
    return out[0][1], out[1][1]


def check_rows(whole, common, long, longest, odd, shared):
    """shared: some of these strings may have an equal one in a script's code
    or among its temporary values."""
    counts = {}
    for count, _, length, text in common:
        counts.setdefault(text, {})[length] = count
    for text in PENDING + ELSEWHERE:
        count = counts.get(text, {}).get(len(text) - 2, 0)
        case.true(150 <= count <= 150 + shared,
                  f'{count} of {text}: {whole[-1500:]}')
    for text in odd + ['"\\033[31m\\"red\\""']:
        case.true(text in counts, f'{text}: {sorted(counts)[:50]}')
    q = '"' + 'q' * 64 + '"'
    case.true(64 in counts.get(q, []) and 65 in counts.get(q + '...', []),
              f'q: {[row for row in common if "qqq" in row[3]]}')
    case.equal([row[0] for row in common],
               sorted((row[0] for row in common), reverse=True), 'by count')
    case.equal([row[2] for row in long],
               sorted((row[2] for row in long), reverse=True), 'by length')
    z = '"' + 'z' * 64 + '"...'
    case.true((longest, z) in [row[2:] for row in long], f'{long[:3]}')
    case.equal(sorted(common), sorted(long), 'the same strings')


def census(pid, *options, option='--heap'):
    text, err = heapcase.census(pid, '--heap-strings', *options, option=option)
    case.equal(err, '', 'what xtrace says')
    return text


def check_end(text, common):
    end = next(filter(None, map(END.match, text.splitlines())))
    case.equal(heapcase.number(end[1]), sum(row[0] for row in common), 'strings')
    case.equal(heapcase.number(end[2]), len(common), 'contents')


def test_waiting(command, kept, longest, odd):
    subject, _, _ = heapcase.start(*command)
    text = census(subject.pid)
    common, long = tables_of(text)
    check_rows(text, common, long, longest, odd, 2)
    check_end(text, common)
    case.true('  not read: ' not in text, text[-300:])
    case.true('string, the' not in heapcase.census(subject.pid)[0], '--heap')
    short = tables_of(census(subject.pid, '--top', '7'))
    case.equal([len(rows) for rows in short], [7, 7], '--top')
    file = case.FOLDER / 'heap.json'
    census(subject.pid, '--top', '30', f'--json={file}')
    events = [json.loads(line) for line in file.read_text().splitlines()]
    schema = json.loads((TOP / 'docs' / 'json-schema.json').read_text())
    check = jsonschema.Draft202012Validator(schema)
    for event in events:
        check.validate(event)
    strings = [event for event in events if event['event'] == 'string']
    rows = {row[:3] for row in common}
    case.true(30 < len(strings) <= 60, f'{len(strings)} events')
    # To read the line, the script may make an empty string meanwhile.
    found = {(event['count'], event['bytes'], event['length'])
             for event in strings if event['length'] > 0}
    case.equal(sorted(found - rows), [], 'events')
    case.equal(sorted(event['count'] for event in strings
                      if event['text'] in [text[1:-1] for text in PENDING]),
               sorted(row[0] for row in common if row[3] in PENDING), 'pending')
    case.true(any(event['text'] == 'z' * 64 and event['cut'] and
                  event['length'] == longest for event in strings), 'z')
    compared = case.start(case.XTRACE, '--compare', file, file)
    case.equal((compared.wait(), compared.err), (0, ''), '--compare')
    heapcase.end(subject, f'end {kept}')


def test_running(command, kept, longest, odd):
    for option in '--heap', '--heap=still':
        subject, _, _ = heapcase.start(*command, 'make')
        text = ''

        def complete():
            nonlocal text
            text = census(subject.pid, option=option)
            return ' pages, which changed' not in text and (
                '  not read: ' not in text or
                all(f'{one}\n' in text for one in ELSEWHERE))
        # A page that changes all the time is not counted, and a string that
        # changes is not read, which is told. In a copy that was made while no
        # thread ran, nothing changes.
        case.until(complete, f'no page changes: {option}')
        case.true(option == '--heap' or '  not read: ' not in text, text[-300:])
        common, long = tables_of(text)
        # Ruby may collect garbage meanwhile, which changes flags of strings.
        check_rows(text, common, long, longest, odd, 2)
        # No string is torn. Python makes a string with room for more characters,
        # and shortens it when it is complete.
        for *_, string in common:
            case.true(not string.startswith('"other ') or
                      re.fullmatch(r'"(other (\d+|%d)?)+(\\0)*"(\.\.\.)?',
                                   string), string)
        heapcase.end(subject, f'end {kept}')


def test_at_end():
    run = case.start(case.XTRACE, '--heap', '--heap-strings', '--top', '9999',
                     '-o', case.FOLDER / 'out', '--', case.PYTHON, '-c',
                     "kept = ['pending-%d' % (i % 3) for i in range(450)]")
    case.equal(run.wait(), 0, run.err)
    common, _ = tables_of((case.FOLDER / 'out').read_text())
    counts = {row[3]: row[0] for row in common}
    case.equal([counts.get(text) for text in PENDING], 3 * [150], 'at its end')


def test_long():
    """Strings of Python that are longer than a block of a pool, in containers
    that are longer, too. Characters have 1, 2 or 4 bytes."""
    subject, _, _ = heapcase.start(case.PYTHON, '-c', LONG)
    file = case.FOLDER / 'long.json'
    census(subject.pid, '--top', '9999', f'--json={file}')
    counts = {}
    for line in file.read_text().splitlines():
        event = json.loads(line)
        # The strings that are made of others are short.
        if event['event'] == 'string' and event['length'] > 100 and \
                event['text'][:2] in LONG_COUNTS:
            row = counts.setdefault(event['text'][:2], [0, 0])
            row[0] += event['count']
            row[1] += event['bytes']
    heapcase.end(subject, ' '.join(f'{kind}={row[0]},{row[1]}' for kind, row
                                   in sorted(counts.items())))
    case.equal({kind: row[0] for kind, row in counts.items()}, LONG_COUNTS,
               'long strings')


def test_refused():
    for words, sentence in (
            (['--heap-strings', '-p', '1'], '--heap-strings needs --heap'),
            (['--heap', '--heap-strings', '--redact', '-p', '1'],
             '--redact has no effect')):
        run = case.start(case.XTRACE, *words)
        case.equal(run.wait(), 2, f'{words}')
        case.true(sentence in run.err, f'{words}: {run.err}')


def version_of(name):
    """What the language says of its version, or ''."""
    words = {'Python': [case.PYTHON, '-c',
                        'import sys; print("%d.%d" % sys.version_info[:2])'],
             'Ruby': ['ruby', '-e', 'print RUBY_VERSION'],
             'PHP': ['php', '-r', 'echo PHP_VERSION;'],
             'Perl': ['perl', '-e', 'printf "%vd", $^V']}[name]
    if not shutil.which(words[0]):
        return ''
    return subprocess.run(words, check=True, capture_output=True,
                          text=True).stdout.strip()


def test():
    test_refused()
    for language, *rest in LANGUAGES:
        name, version = language.split()
        if version_of(name).startswith(version):
            test_waiting(*rest)
            test_running(*rest)
    if sys.version_info[:2] == (3, 11):
        test_at_end()
        test_long()


case.main(test)
