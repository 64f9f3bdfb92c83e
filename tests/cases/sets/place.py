#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--group-by where in PHP names the function around the line, not the function
of PHP that the line calls; if -w leaves only the frame of the latter, that
function is named.

NEEDS: php
"""
import json

import case

SCRIPT = '''<?php
class Shop {
    function fill($base) {
        $base->exec('CREATE TABLE shelf (id INT)');
        $base->exec('INSERT INTO shelf VALUES (1)');
    }
}
function each($base) {
    array_map(fn($id) => $base->query("SELECT $id FROM shelf"), [1, 2]);
}
$base = new SQLite3(':memory:');
(new Shop)->fill($base);
each($base);
call_user_func([$base, 'exec'], 'DROP TABLE shelf');
'''


def asked(*options):
    """The places that --group-by where prints, without the folders."""
    tracer = case.trace('--sql', '--summary', '--json', '--group-by', 'where',
                        *options, command=['php', case.FOLDER / 'shop.php'])
    tracer.wait(0)
    rows = [json.loads(line) for line in tracer.lines()]
    return {row['name'].rpartition('/')[2] for row in rows
            if row['event'] == 'row'}


def test():
    (case.FOLDER / 'shop.php').write_text(SCRIPT)
    places = asked()
    case.true({'shop.php:4 in Shop->fill', 'shop.php:5 in Shop->fill',
               'shop.php:9 in {closure}', 'shop.php:14 in {main}'} == places,
              f'who asks: {places}')
    case.equal(asked('-w', '1'), places, 'one frame')
    case.true('shop.php:4 in SQLite3->exec'
              in asked('-w', '1', '--stack-from=top'), 'the innermost frame')


case.main(test)
