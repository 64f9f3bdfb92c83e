#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace attaches in the middle of a load: clients with several threads or
tasks execute statements that they have prepared. At most 2 of 100 lines have no
text, except of clients that keep no texts. No line has another statement's
text, as the bound value shows.

NEEDS: postgresql mariadb /usr/share/doc/ruby-activerecord
NEEDS: /usr/share/doc/libmojo-pg-perl /usr/lib/python3/dist-packages/uvloop
TIMEOUT: 380
SLOW: many loads
"""
import json
import re

import case
import loads
import matrix

LINES = 200


def check(name, command):
    client = case.start(*command, env=matrix.env())
    client.wait_for('ready')
    # The load never pauses, so case.attach(), which waits until the client
    # sleeps, cannot be used.
    tracer = case.trace('--sql', '--json', '--bind', '-s', '1000', '-p',
                        str(client.pid))
    case.until(lambda: len(tracer.lines()) >= LINES, f'{name}: {LINES} lines')
    client.say()
    case.finish(client)
    tracer.wait(0)
    known = unknown = 0
    for row in map(json.loads, tracer.lines()):
        if row['event'] != 'call':
            continue
        text = row['arguments'][0]['value']
        if not isinstance(text, str):
            unknown += 1
            continue
        word = re.match("SELECT '(one|two|three|four)'", text)
        if not word:
            continue
        known += 1
        values = [argument['value'] for argument in row['arguments']
                  if argument['name'] == 'values']
        # A value that mysql2 bound before the attach is not known.
        case.true(values in ([], [[word.group(1)]]),
                  f'{name}: {values} is bound to {text}')
    print(f'{name}: {unknown} of {known + unknown} lines have no text')
    if name in loads.WITHOUT_TEXTS:
        case.equal(known, 0, f'{name}: lines with a text')
        return
    case.true(known >= LINES // 3, f'{name}: {known} statements')
    case.true(unknown * 100 <= 2 * (known + unknown),
              f'{name}: {unknown} unknown, {known} known')


def test():
    for name, command in loads.ALL.items():
        check(name, command)


case.main(test)
