#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--budget with --engine=agent: calls that are counted inside the program cost no
stops, so their function is not left out, and each call is in the table. A
function that still stops its threads is left out as without the agent.

NEEDS: plain
"""
import re

import case

CALLS = 3000000
PROGRAM = '''
#include <stdio.h>
__attribute__((noinline)) int
hot(int x)
{
	__asm__ volatile("" ::: "memory");
	return x * 3 + 1;
}
int
main(void)
{
	unsigned long sum = 0;
	for (int i = 0; i < %d; i++)
		sum += (unsigned)hot(i);
	printf("%%lu\\n", sum);
	return 4;
}
'''


def counted(program, *options):
    table = case.FOLDER / 'table'
    run = case.start(case.XTRACE, *options, '--budget=1', '--stats', '-c', '-x',
                     'hot', '-o', table, '--', program)
    case.equal(run.wait(), 4, 'status')
    row = re.search(r' (\d+) hot$', table.read_text(), re.M)
    case.true(row, table.read_text())
    return run, int(row[1]), 'looked at' in table.read_text()


def test():
    source, program = case.FOLDER / 'hot.c', case.FOLDER / 'hot'
    source.write_text(PROGRAM % CALLS)
    case.equal(case.untraced('gcc', '-O1', '-o', program, source)[0], 0, 'gcc')
    alone = case.untraced(program)
    run, calls, left_out = counted(program, '--engine=agent')
    case.equal([calls, left_out, run.out], [CALLS, False, alone[1]],
               'counted inside')
    case.true(re.search(r'counted inside the programs: [1-9]', run.err),
              run.err)
    run, calls, left_out = counted(program)
    case.true(0 < calls < CALLS / 10 and left_out, f'{calls} calls with traps')
    case.equal(run.out, alone[1], 'the output')


case.main(test)
