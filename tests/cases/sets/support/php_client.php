<?php
# SPDX-License-Identifier: GPL-2.0-or-later
# With a word: says ready and waits for a line before it asks.
if (isset($argv[1])) {
    echo "ready\n";
    fgets(STDIN);
}
mysqli_report(MYSQLI_REPORT_OFF);
$base = new PDO('mysql:unix_socket=' . getenv('MARIADB_SOCKET') .
    ';dbname=xtrace', 'root', '', [PDO::ATTR_ERRMODE => PDO::ERRMODE_SILENT]);
$base->query('SELECT SLEEP(0.1)')->fetchAll();
$base->query('SELEKT 1');
$base->exec('DO 2');
$base->setAttribute(PDO::ATTR_EMULATE_PREPARES, false);
$base->prepare('SELEKT 3');
$query = $base->prepare('SELECT 4');
$query->execute();
$query->fetchAll();
$query->execute();
$query = null;
$base = mysqli_connect(null, 'root', '', 'xtrace', 0,
    getenv('MARIADB_SOCKET'));
$base->query('SELECT 5');
mysqli_query($base, 'SELECT 6');
$query = $base->prepare('SELECT 7');
$query->execute();
$query->get_result();
mysqli_stmt_execute($query);
