<?php
# SPDX-License-Identifier: GPL-2.0-or-later
function ask($base, $sql)
{
    try {
        $base->query($sql)->fetch_all();
    } catch (mysqli_sql_exception $fault) {
        echo $fault->getMessage(), "\n";
    }
}

function work($base)
{
    ask($base, 'SELECT 1 UNION SELECT 2');
    ask($base, 'SELEKT');
    ask($base, 'SELECT SLEEP(0.1)');
}

$base = mysqli_connect(null, 'root', '', 'xtrace', 0, getenv('MARIADB_SOCKET'));
work($base);
