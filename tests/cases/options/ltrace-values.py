#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace and ltrace print values in the same way for the same prototype file
in ltrace's language: types, lenses, lengths, structs by value and behind
pointers, formats, out-parameters.

NEEDS: ltrace
"""
import re

import case

CONF = '''
; ltrace's own language, and nothing that 0.7.3 does not know
typedef color = enum(RED, GREEN=2, BLUE);
void colors(color, color, color);
void letters(enum[char](A,B,C));
void bits(bitvec(uint), bitvec(uint), bitvec(uint));
bool(int) truth(bool(int));
void bases(hex(int), hex(long), hex(short), octal(int), oct(int));
struct(double,long) pairs(struct(double,long));
typedef named = struct(string(array(char,6)), short);
void names(named*, named*);
void arrays(array(int,arg2)*, int);
array(int,arg1)* numbers(int);
string filled(+string, int);
int out(+int*);
void hidden(int,int,hide(int),int);
int printed(format);
typedef list = struct;
typedef list = struct(int, list*);
void lists(list*);
typedef counted = struct(ulong, array(int, elt1));
void counts(counted*);
void texts(string, string[arg3], int, string);
void sizes(char, short, ushort, int, uint, long, ulong, addr);
void many(int,int,int,int,int,int,int,string);
int made(+string*, format);
'''
STARTUP = re.compile(r'(__libc_start_main|__cxa_finalize)\(')


def trace(program, command):
    run = case.start(program, '-F', 'p.conf', '-o', 'trace', command,
                     env={'COLUMNS': '', 'XDG_CONFIG_HOME': '/nowhere'})
    case.equal(run.wait(), 0, f'status of {program}: {run.err}')
    lines = []
    for line in (case.FOLDER / 'trace').read_text().splitlines():
        if STARTUP.search(line):
            continue
        line = re.sub(r'0x[0-9a-f]{6,}', 'ADDRESS', line)
        lines.append(re.sub(r' += ', ' = ', line))
    return lines


def test():
    program = case.build('ltrace-values.c')
    (case.FOLDER / 'p.conf').write_text(CONF)
    ours = case.FOLDER / 'bin' / 'ltrace'
    ours.parent.mkdir()
    ours.symlink_to(case.XTRACE)
    theirs = trace('/usr/bin/ltrace', program)
    case.true(len(theirs) > 25, f'ltrace: {theirs}')
    case.equal(trace(ours, program), theirs, 'lines')


case.main(test)
