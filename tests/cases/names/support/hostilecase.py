# SPDX-License-Identifier: GPL-2.0-or-later
"""What the hostile cases of this folder share: a program whose names would
move the cursor of a terminal or forge a line, and checks for everything that
xtrace writes.
"""
import os
import subprocess
import unicodedata

import case

# Pairs: a name in the symbol table, and how it is shown.
NAMES = [
    (b'red\x1b[31m', r'red\033[31m'),
    (b'end\n+++ exited (status 0) +++', r'end\n+++ exited (status 0) +++'),
    (b'\nputs("forged") = 7', r'\nputs("forged") = 7'),
    (b'a;b c 12', 'a;b c 12'),
    (b'title\x1b]0;x\a', r'title\033]0;x\a'),
    (b'csi\xc2\x9b31m', r'csi\302\23331m'),
    (b'turned\xe2\x80\xae', r'turned\342\200\256'),
    (b'latin\xe9', r'latin\351'),
    (b'rubbed\x7f\b', r'rubbed\177\b'),
    (b'tab\tback\r', r'tab\tback\r'),
    ('ä漢🐧'.encode(), 'ä漢🐧'),
    (rb'back\slash\n', r'back\slash\n'),
]
NEST = (b'nest\x1b[4m\n', r'nest\033[4m\n')
SECOND = (b'second\x1b[5m', r'second\033[5m')
TWIN = (b'twin\x1b[6m', r'twin\033[6m')
REFUSED = (b'refused\x1b[8m\n+', r'refused\033[8m\n+')
FIRST_LIB = (b'lib\x1b]0;x\a\n+++ killed by SIGKILL +++.so',
             r'lib\033]0;x\a\n+++ killed by SIGKILL +++.so')
SECOND_LIB = (b'lib;2\xff\x1b.so', r'lib;2\377\033.so')
REFUSED_LIB = (b'lib\nno\x1b.so', r'lib\nno\033.so')
PROGRAM = (b'prog\x1b[7m;x\n1', r'prog\033[7m;x\n1')
COMMENT = (b'#\x1bprog 1', r'\043\033prog 1')
COMM = ('c\x1b[31m\nx', r'c\033[31m\nx')
FOLDER = b'dir\x1b[2J\nforged'
# All functions of the first two libraries.
TRACED = '*@*SIGKILL*+*@lib?2*'

TURNING = {'\u061c', '\u200e', '\u200f', '\ufeff',
           *map(chr, range(0x2028, 0x202f)), *map(chr, range(0x2066, 0x206a))}
faults = []


# ---- what is wrong is gathered, and told at the end --------------------------

def check(condition, what):
    if not condition:
        faults.append(what)


def same(got, wanted, what):
    if got == wanted:
        return
    more = [row for row in got if row not in wanted]
    missing = [row for row in wanted if row not in got]
    faults.append(f'{what}: {len(got)} rows, {len(wanted)} expected; too many '
                  f'{more[:2]}, missing {missing[:2]}')


def main(test):
    def gathered():
        try:
            test()
        except case.Failure as fault:
            faults.append(str(fault))
        if faults:
            case.fail(*faults)
    case.main(gathered)


def clean(data, what, tabs=False):
    """Decodes the bytes: they are UTF-8, and a terminal obeys nothing in them."""
    text = data.decode(errors='surrogateescape')
    bad = {letter for letter in text
           if (unicodedata.category(letter) in ('Cc', 'Cs')
               or letter in TURNING)
           and letter != '\n' and not (tabs and letter == '\t')}
    check(not bad, f'{what} has {sorted(bad)}')
    return text


def rows(data, what):
    """Splits the bytes into lines, as a terminal would."""
    text = clean(data, what)
    check(text == '' or text.endswith('\n'), f'{what} ends in mid-line')
    return text.split('\n')[:-1]


def lines_begin(got, beginnings, what):
    """Checks that each line begins as the list says, and that no other line
    exists."""
    check(len(got) == len(beginnings),
          f'{what}: {len(got)} lines, not {len(beginnings)}')
    wrong = [line for line, beginning in zip(got, beginnings)
             if not line.startswith(beginning)]
    check(not wrong, f'{what}: {wrong[:2]}')


def run(*options, command=(), status=0, env=None, program=None):
    """The bytes that xtrace writes to stderr."""
    child = case.start(program or case.XTRACE, *options,
                       *(['--', *command] if command else []), env=env)
    case.equal(child.wait(), status, f'{options}: {child.err}')
    return child.output['err']


def read(name):
    return (case.FOLDER / name).read_bytes()


# ---- the subject -------------------------------------------------------------

def tool(*words):
    done = subprocess.run(words, capture_output=True, cwd=case.FOLDER)
    case.equal(done.returncode, 0, f'{words}: {done.stderr}')


def compile_parts():
    """Compiles the object files and renames their functions."""
    renamed = {f'name_{n}': name for n, (name, _) in enumerate(NAMES)}
    renamed.update(nest=NEST[0], second=SECOND[0], twin=TWIN[0],
                   refused=REFUSED[0])
    words = [word for old, new in renamed.items()
             for word in ('--redefine-sym', old.encode() + b'=' + new)]
    for part in ('FIRST', 'SECOND', 'REFUSED', 'PROGRAM'):
        tool('gcc', '-O1', '-fPIC', '-fno-optimize-sibling-calls', '-D', part,
             '-c', '-o', f'{part}.o', case.SUPPORT / 'hostile_subject.c')
        tool('objcopy', *words, f'{part}.o')


def build():
    """Builds the program in a folder with a hostile name, and once more under
    a name that begins like a comment.
    """
    folder = os.fsencode(case.FOLDER) + b'/' + FOLDER
    os.mkdir(folder)
    compile_parts()
    libraries = []
    for part, (name, _) in (('FIRST', FIRST_LIB), ('SECOND', SECOND_LIB),
                            ('REFUSED', REFUSED_LIB)):
        libraries.append(folder + b'/' + name)
        tool('gcc', '-shared', '-nostartfiles', '-Wl,-Bsymbolic',
             b'-Wl,-soname,' + name, '-o', libraries[-1], f'{part}.o')
    program, comment = (folder + b'/' + name for name, _ in (PROGRAM, COMMENT))
    tool('gcc', '-Wl,--no-as-needed', '-Wl,-rpath,$ORIGIN', '-o', program,
         'PROGRAM.o', *libraries)
    os.link(program, comment)
    return os.fsdecode(program), os.fsdecode(comment)
