<?php
# SPDX-License-Identifier: GPL-2.0-or-later
# PDO, for php-fpm behind nginx; see service.py. DRIVER: mysql, pgsql.

function base()
{
    $what = getenv('DRIVER') == 'pgsql'
        ? 'pgsql:dbname=postgres;host=' . getenv('PGHOST')
        : 'mysql:dbname=xtrace;unix_socket=' . getenv('MARIADB_SOCKET');
    $user = getenv('DRIVER') == 'pgsql' ? 'xtrace' : 'root';
    return new PDO($what, $user, '', [
        PDO::ATTR_EMULATE_PREPARES => false,
        PDO::ATTR_PERSISTENT => true,
        PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
}

function title_of($base, $word, $number)
{
    $query = $base->prepare(
        "SELECT title FROM book WHERE '$word' = '$word' AND id = ?");
    $query->execute([$number]); # ORM-LINE
    return $query->fetchAll()[0][0];
}

function pause($base, $sql)
{
    $began = hrtime(true);
    $base->query($sql)->fetchAll(); # SLOW-LINE
    return (hrtime(true) - $began) / 1e9;
}

$base = base();
[, $word, $number] = explode('/', parse_url($_SERVER['REQUEST_URI'])['path']);
$titles = [];
for ($i = 0; $i < 3; $i++)
    $titles[] = title_of($base, $word, (int)$number + $i);
echo json_encode([$titles,
    isset($_GET['sleep']) ? pause($base, $_GET['sleep']) : 0]);
