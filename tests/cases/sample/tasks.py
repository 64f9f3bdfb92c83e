#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The samples of an event loop of asyncio name the task that runs: within the
frame of the loop that runs it, if the program has given it a name, as [task
NAME], else as [task]. A long name is cut between two characters. A callback that
belongs to no task has no such frame.

TIMEOUT: 60
"""
import re
import sys

import case

SCRIPT = '''
import asyncio, time

def burn():
    until = time.thread_time() + 0.01
    while time.thread_time() < until:
        pass

async def stepped():
    while burning():
        burn()
        await asyncio.sleep(0)

async def woken():
    while burning():
        burn()
        await asyncio.sleep(0.001)

async def nameless():
    while burning():
        burn()
        await asyncio.sleep(0)

def called():
    burn()
    if burning():
        asyncio.get_running_loop().call_soon(called)

end = time.thread_time() + 2
def burning():
    return time.thread_time() < end

async def main():
    asyncio.get_running_loop().call_soon(called)
    await asyncio.gather(asyncio.create_task(stepped(), name='pay; ment'),
                         asyncio.create_task(woken(), name='mail' + '\\u20ac' * 99),
                         asyncio.create_task(nameless()))
    print('over')

asyncio.run(main())
'''
WANTED = {'stepped': 'pay', 'woken': 'mail', 'nameless': '', 'called': None}


def test():
    if sys.version_info[:2] != (3, 11):
        case.skip('no Python 3.11')
    script = case.FOLDER / 'script.py'
    script.write_text(SCRIPT)
    folded = case.FOLDER / 'folded'
    run = case.start(case.XTRACE, '--sample=499', f'--folded={folded}', '--',
                     case.PYTHON, script)
    case.equal((run.wait(), run.out, run.err), (0, 'over\n', ''), 'the script')
    seen = dict.fromkeys(WANTED, 0)
    for line in folded.read_text().splitlines():
        for name, task in WANTED.items():
            if f';{name} (' not in line:
                continue
            seen[name] += 1
            tasks = re.findall(r';\[task(?: (\w+))?[^\]]*\];', line)
            case.equal(tasks, [] if task is None else [task], line)
            case.true(task is None or re.search(
                rf';(?:Handle\.)?_run \([^;]*\);\[task.*;{name} \(', line), line)
    case.true(min(seen.values()) > 0, f'{seen}')


case.main(test)
