#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--alloc shows which lines make a process get memory from the system: of
Python, Ruby, PHP and Perl, and of a C program. With --alloc=100 all of it is
seen. Under the budget, known shares are right within what chance allows. The
program's output and status are those of an untraced run.

TIMEOUT: 240
"""
import math
import os
import re
import shutil

import case

ROUNDS = 6000
SECONDS = 3  # of CPU time, for ROUNDS
NUMBER = r'(\d{1,3}(?: \d{3})*)'
ROW = re.compile(rf' *{NUMBER} +{NUMBER}  \((\w+)\)  (.*)$')
END = re.compile(rf' *{NUMBER} +{NUMBER}  in all, of growth: memory that was '
                 r'got from the system$')
ESTIMATED = re.compile(r'  estimated from (\d+) samples, error about \d+ %$')
PIECE = 256 << 10
# 16 MB of small objects, and 20 large ones of 500 000 bytes.
SCRIPTS = {
    case.PYTHON: ('a.py', """
class Node:
    __slots__ = ('a', 'b')
def small():
    return [Node() for _ in range(300000)]  # line 5
def large():
    return [bytearray(500000) for _ in range(20)]  # line 7
kept = small(), large()
print(len(kept[0]), len(kept[1]))
"""),
    'ruby': ('a.rb', """


def small
  Array.new(300000) { Object.new }
end
def large() = Array.new(20) { 'x' * 500000 }
kept = [small, large]
puts kept.map(&:size).join(' ')
"""),
    'php': ('a.php', """<?php class Node { public $a = 1; }
ini_set('memory_limit', -1);
function small() {
    $kept = [];
    for ($i = 0; $i < 300000; $i++) $kept[] = new Node;
    return $kept; }
function large() { for ($i = 0; $i < 20; $i++) $kept[] = str_repeat('x', 500000); return $kept; }
$kept = [small(), large()];
echo count($kept[0]), ' ', count($kept[1]), "\\n";
"""),
    'perl': ('a.pl', """
sub small {
    my @kept;

    push @kept, { a => 1 } for 1..60000;
    return \\@kept }
sub large { my @kept = map { 'x' x 500000 } 1..20; return \\@kept }
my @kept = (small(), large());
print scalar(@{$kept[0]}), ' ', scalar(@{$kept[1]}), "\\n";
"""),
}


def number(text):
    return int(text.replace(' ', ''))


def rows_of(lines):
    """[count, bytes, how, where] of each row."""
    case.equal(lines[0].split(), ['count', 'bytes', 'growth', 'where'], 'head')
    matches = [ROW.match(line) for line in lines]
    return [(number(match[1]), number(match[2]), match[3], match[4])
            for match in matches if match]


def check_sums(lines, rows):
    match = END.match(next(line for line in lines if 'in all' in line))
    # An estimate rounds each row, so the sums differ by at most one per row.
    for column in 0, 1:
        case.true(abs(sum(row[column] for row in rows) -
                      number(match[column + 1])) <= len(rows),
                  f'sums of {lines}')


def run(options, command):
    """The lines of the table. The program's output and status are unchanged."""
    wanted = case.untraced(*command)
    tracer = case.trace('--top', '9999', *options, command=command)
    tracer.wait(wanted[0])
    case.equal((tracer.child.out, tracer.err()), wanted[1:], 'what it says')
    case.equal(tracer.says(), [], 'what xtrace says')
    return tracer.lines()


def test_script(program):
    name, text = SCRIPTS[program]
    path = case.FOLDER / name
    path.write_text(text)
    lines = run(['--alloc=100'], [program, str(path)])
    rows = rows_of(lines)
    check_sums(lines, rows)
    case.true(not any(ESTIMATED.match(line) for line in lines), f'{lines}')
    of_line = {at: sum(row[1] for row in rows if f'{name}:{at} ' in row[3])
               for at in (5, 7)}
    # A part of the objects fits into memory that the process has already got.
    case.true(9e6 < of_line[5] < 60e6, f'{program}: small {of_line[5]}')
    case.true(8e6 < of_line[7] < 30e6, f'{program}: large {of_line[7]}')
    folded = case.FOLDER / 'folded'
    tracer = case.trace('--alloc=100', f'--folded={folded}', to_file=False,
                        command=[program, str(path)])
    tracer.wait(0)
    found = [line.rsplit(' ', 1) for line in folded.read_text().splitlines()]
    size = sum(int(size) for stack, size in found
               if re.search(rf'{name}:7\)', stack))
    case.true(8e6 < size < 30e6, f'{program}: folded {size}')


def test_all_is_seen():
    rounds = 300
    lines = run(['--alloc=100'], [case.build('growing.c'), 'keep', str(rounds)])
    rows = rows_of(lines)
    check_sums(lines, rows)
    pieces = [row[:3] for row in rows if re.search(r'\bpiece@', row[3])]
    case.equal(pieces, [(4 * rounds, 4 * rounds * PIECE, 'mmap')], f'{rows}')


def loops_of(program):
    """So often the program must loop before each piece. A fast CPU loops six
    times as fast as a slow one."""
    rounds, loops, before = 200, 200000, os.times().children_user
    case.untraced(program, 'keep', str(rounds), str(loops))
    took = os.times().children_user - before
    return int(loops * SECONDS * rounds / (took * ROUNDS))


def test_shares():
    """The folded stacks of growing.c have the shares 1/2, 1/4 and 1/4. The
    program works for longer than the first break of xtrace lasts (2.3 s at
    most: 1.5 times the 30 ms of a window by the budget of 2 %), because growth
    in a break that no window follows is not seen."""
    program = case.build('growing.c')
    command = [program, 'keep', str(ROUNDS), str(loops_of(program))]
    folded = case.FOLDER / 'shares'
    tracer = case.trace('--alloc', f'--folded={folded}', to_file=False,
                        command=command)
    tracer.wait(7)
    case.equal(tracer.child.out, 'kept 24000\n', 'what it says')
    found = [line.rsplit(' ', 1) for line in folded.read_text().splitlines()]
    total = sum(int(size) for stack, size in found if ';piece' in stack)
    lines = run(['--alloc'], command)
    samples = [int(match[1]) for match in map(ESTIMATED.match, lines) if match]
    case.equal(len(samples), 1, f'it is estimated: {lines}')
    case.true(samples[0] > 8, f'{samples} samples')
    # The run with --folded may have had fewer samples than this run.
    bound = 3 / math.sqrt(samples[0] / 2)
    for name, share in ('one', 0.5), ('two', 0.25), ('three', 0.25):
        size = sum(int(size) for stack, size in found
                   if re.search(rf';{name}\b', stack))
        case.true(abs(size / total - share) < bound,
                  f'{name}: {size / total:.3f}, {samples} samples')


def test():
    test_all_is_seen()
    for program in SCRIPTS:
        if shutil.which(program):
            test_script(program)
    test_shares()


case.main(test)
