<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// As asking.py, by mysqli and by PDO.
function note($label, $server, $port, $name) {
    echo json_encode([$label, $server, $port, $name],
                     JSON_UNESCAPED_SLASHES), "\n";
}
$port = (int)getenv('TLS_MARIADB_PORT');
$socket = getenv('TLS_MARIADB_SOCKET');
$base = new mysqli('127.0.0.1', 'root', '', 'xtrace', $port);
$row = $base->query("select 'mysqli', database()")->fetch_row();
note('mysqli', '127.0.0.1', $port, $row[1]);
$base->select_db('mysql');
$row = $base->query("select 'mysqli select_db', database()")->fetch_row();
note('mysqli select_db', '127.0.0.1', $port, $row[1]);
foreach (['xtrace', null, 'mysql'] as $number => $name) {
    $base->change_user('root', '', $name);
    $row = $base->query("select 'mysqli change_user $number', database()")
        ->fetch_row();
    note("mysqli change_user $number", '127.0.0.1', $port, $row[1]);
}
$base = new PDO("mysql:unix_socket=$socket;dbname=xtrace", 'root', '');
$row = $base->query("select 'PDO', database()")->fetch();
note('PDO', $socket, null, $row[1]);
$pg = getenv('TLS_PGPORT');
$base = new PDO("pgsql:host=127.0.0.1;port=$pg;dbname=postgres;sslmode=disable",
                'xtrace', '');
$row = $base->query("select 'PDO pgsql', current_database()")->fetch();
note('PDO pgsql', '127.0.0.1', (int)$pg, $row[1]);
