#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs of the system, each under ltrace and under xtrace with the name
ltrace. The lines of their traces are the same, except for what DIFFERENCES and
UNSEEN list. Each of these differences is a row of the manual's table, and is
seen.

NEEDS: ltrace
TIMEOUT: 240
"""
import difflib
import os
import re
import shlex
import shutil
import subprocess

import case

TEXT = 'one fish\ntwo fish\nred fish\n'
# They use the files text and other and the folder `folder`.
PROGRAMS = r'''
true
false
echo one two
printf %s-%d\n text 5
pwd
basename /usr/bin/env
dirname /usr/bin/env
seq 3
expr 3 + 4
factor 60
date -u -d @86400
cat text
head -n 1 text
tail -n 1 text
wc text
sort text
uniq text
cut -c 1-3 text
tr a-z A-Z
paste text text
comm text text
nl text
fold -w 5 text
fmt text
tac text
od -c text
base64 text
md5sum text
test -f text
stat -c %s text
touch new
cp text copy
mv other moved
ln -s text link
rm other
mkdir new
rmdir folder
readlink text
sed -n 2p text
env -i A=1 pwd
'''
MASKS = [
    (r'0x[0-9a-f]+', 'HEX'),
    (r' += ', ' = '),
    # The third argument of open() where the program passes two.
    (r'\b0\d{6,}\b', 'UNSET'),
]
# A row of the table; and what makes the lines of both tools equal.
DIFFERENCES = [
    ('a quote in a string is not escaped; a string that cannot be read is ""',
     r'\\(["\'])', r'\1'),
    ('0.7.3 shows a pointer to void that is null as 0, 0.8.1 as nil',
     r'\bnil\b', '0'),
    ('... follows a text of exactly as many bytes as -s allows',
     r'^((?:memcpy|memmove|mempcpy)\(.*")\.\.\.(, 32\))', r'\1\2'),
]
# A row, and lines that only xtrace writes for it.
UNSEEN_ROW = 'calls that go through no entry of .plt, but of .plt.got, or by ' \
             'a pointer, are not shown'
UNSEEN = re.compile(
    r'(__libc_start_main|__cxa_finalize|free|malloc|localtime_r)\(')


def traced(tool, words):
    """The lines of the trace, and what the program does, in a new folder."""
    folder = case.FOLDER / 'here'
    shutil.rmtree(folder, ignore_errors=True)
    (folder / 'folder').mkdir(parents=True)
    for file in 'text', 'other':
        (folder / file).write_text(TEXT)
    done = subprocess.run(
        [tool, '-o', '../trace', *words], cwd=folder, input=TEXT, text=True,
        capture_output=True, timeout=case.LIMIT,
        env={'PATH': os.environ['PATH'], 'HOME': str(folder), 'LC_ALL': 'C'})
    lines = (case.FOLDER / 'trace').read_text(errors='replace').splitlines()
    return lines, (done.stdout, done.stderr, done.returncode,
                   sorted(path.name for path in folder.iterdir()))


def replaced(lines, rules):
    for pattern, text in rules:
        lines = [re.sub(pattern, text, line) for line in lines]
    return lines


def differing(theirs, ours):
    """The lines that only one of the tools has, in pairs of lists."""
    matcher = difflib.SequenceMatcher(a=theirs, b=ours, autojunk=False)
    return [(theirs[a:b], ours[c:d])
            for kind, a, b, c, d in matcher.get_opcodes() if kind != 'equal']


def unexplained(theirs, ours, rules):
    """What is left if these rules are applied, and UNSEEN."""
    left = []
    for theirs, ours in differing(replaced(theirs, rules),
                                  replaced(ours, rules)):
        ours = [line for line in ours if not UNSEEN.match(line)]
        if theirs or ours:
            left += [*[f'  ltrace {line}' for line in theirs],
                     *[f'  xtrace {line}' for line in ours]]
    return left


def rows_of_the_manual():
    """The left column of the table, as plain text."""
    page = (case.TESTS.parent / 'docs' / 'xtrace.1').read_text()
    table = page.split('\nltrace|xtrace|as ltrace\n_\n')[1].split('\n.TE')[0]
    table = re.sub(r'\\f[BIPR]|\\&', '', table).replace('\\-', '-')
    return {' '.join(row.split('T}')[0].split())
            for row in re.split(r'^T\{$', table, flags=re.M)[1:]}


def test():
    ours = case.FOLDER / 'bin' / 'ltrace'
    ours.parent.mkdir()
    ours.symlink_to(case.XTRACE)
    rules = [rule[1:] for rule in DIFFERENCES]
    faults, unused = [], set(range(len(rules)))
    programs = [shlex.split(line) for line in PROGRAMS.splitlines() if line]
    case.true(len(programs) >= 40, f'{len(programs)} programs')
    for words in programs:
        theirs, their_end = traced('/usr/bin/ltrace', words)
        mine, my_end = traced(ours, words)
        case.equal(my_end, their_end, f'what {words} does')
        theirs, mine = replaced(theirs, MASKS), replaced(mine, MASKS)
        left = unexplained(theirs, mine, rules)
        faults += left and [' '.join(words), *left]
        for number in sorted(unused):
            without = rules[:number] + rules[number + 1:]
            if unexplained(theirs, mine, without) != left:
                unused.discard(number)
    if faults:
        case.fail(*faults)
    case.equal([DIFFERENCES[number][0] for number in unused], [],
               'differences that no program has')
    known = rows_of_the_manual()
    for row in (UNSEEN_ROW, *(rule[0] for rule in DIFFERENCES)):
        case.true(row in known, f'a row of the table: {row}')


case.main(test)
