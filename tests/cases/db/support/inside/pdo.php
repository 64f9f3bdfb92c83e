<?php
# SPDX-License-Identifier: GPL-2.0-or-later
# Many fast queries by PDO, and some slow ones, of the server whose name is the
# argument.

function fast($base, $count) {
    for ($i = 0; $i < $count; $i++)
        $base->query("SELECT $i + 1")->fetchAll();
}

function rows($base, $sql) {
    echo count($base->query($sql)->fetchAll()), "\n";
}

function postgresql() {
    $base = new PDO('pgsql:host=' . getenv('PGHOST') . ';dbname=postgres;user='
                    . getenv('PGUSER'));
    fast($base, 150);
    rows($base, 'SELECT pg_sleep(0.1) /* slow, first */');
    $prepared = $base->prepare('SELECT pg_sleep(?) /* slow, sometimes */');
    for ($i = 0; $i < 100; $i++) {
        $prepared->execute([$i % 50 == 49 ? 0.1 : 0]);
        $prepared->fetchAll();
    }
    fast($base, 60);
}

function sqlite() {
    $base = new PDO('sqlite::memory:');
    $base->sqliteCreateFunction('pause', function ($span) {
        usleep((int)($span * 1e6));
        return 1;
    });
    fast($base, 150);
    rows($base, 'SELECT pause(0.1) /* slow, one step */');
    fast($base, 60);
    rows($base, 'WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM '
         . 's LIMIT 40) SELECT i, pause(0.003) FROM s /* slow, steps */');
    fast($base, 60);
}

$argv[1]();
