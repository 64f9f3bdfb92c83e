<?php
# SPDX-License-Identifier: GPL-2.0-or-later
# Clients in PHP: client.php DRIVER FILE; see README.md. Also a page, for
# php-fpm: DRIVER is then $_GET['driver'], and it answers with what it asked.

function mysql_base()
{
    mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
    $base = mysqli_init();
    $tls = getenv('TLS_CA');
    if ($tls)
        $base->ssl_set(null, null, $tls, null, null);
    # On a unix socket it knows no encryption.
    $base->real_connect($tls ? '127.0.0.1' : null, 'root', '', 'xtrace',
        (int)getenv('MARIADB_PORT'), $tls ? null : getenv('MARIADB_SOCKET'),
        $tls ? MYSQLI_CLIENT_SSL | MYSQLI_CLIENT_SSL_DONT_VERIFY_SERVER_CERT
             : 0);
    if ($tls && !$base->query("SHOW STATUS LIKE 'Ssl_cipher'")->fetch_row()[1])
        exit("not encrypted\n");
    return $base;
}

function pdo_base($what, $user, $emulate)
{
    $base = new PDO($what, $user, '', [PDO::ATTR_ERRMODE =>
        PDO::ERRMODE_EXCEPTION]);
    $base->setAttribute(PDO::ATTR_EMULATE_PREPARES, $emulate);
    return $base;
}

function pdo_ask($base)
{
    return function ($sql, $count) use ($base) {
        $statement = $base->prepare($sql);
        $GLOBALS['began'] = hrtime(true);
        for ($i = 0; $i < $count; $i++) {
            $statement->execute();
            $statement->fetchAll();
        }
    };
}

function opened($driver)
{
    switch ($driver) {
    case 'mysqli':
        $base = mysql_base();
        return function ($sql, $count) use ($base) {
            for ($i = 0; $i < $count; $i++)
                $base->query($sql)->fetch_all();
        };
    case 'mysqli-prepared':
        $base = mysql_base();
        return function ($sql, $count) use ($base) {
            $statement = $base->prepare($sql);
            $GLOBALS['began'] = hrtime(true);
            for ($i = 0; $i < $count; $i++) {
                $statement->execute();
                $statement->get_result()->fetch_all();
            }
        };
    case 'mysqli-async':
        $base = mysql_base();
        return function ($sql, $count) use ($base) {
            for ($i = 0; $i < $count; $i++) {
                $base->query($sql, MYSQLI_ASYNC);
                $result = $base->reap_async_query();
                if (!$result)
                    throw new Exception($base->error);
                $result->fetch_all();
            }
        };
    case 'pdo-mysql':
    case 'pdo-mysql-native':
        return pdo_ask(pdo_base('mysql:dbname=xtrace;unix_socket=' .
            getenv('MARIADB_SOCKET'), 'root', $driver == 'pdo-mysql'));
    case 'pgsql':
        $base = pg_connect('dbname=postgres');
        return function ($sql, $count) use ($base) {
            for ($i = 0; $i < $count; $i++) {
                $result = @pg_query($base, $sql);
                if (!$result)
                    throw new Exception('failed');
                pg_fetch_all($result);
            }
        };
    case 'pgsql-params':
        $base = pg_connect('dbname=postgres');
        return function ($sql, $count) use ($base) {
            for ($i = 0; $i < $count; $i++) {
                $result = @pg_query_params($base, $sql, []);
                if (!$result)
                    throw new Exception('failed');
                pg_fetch_all($result);
            }
        };
    case 'pdo-pgsql':
    case 'pdo-pgsql-emulated':
        return pdo_ask(pdo_base('pgsql:dbname=postgres', 'xtrace',
            $driver != 'pdo-pgsql'));
    case 'sqlite3':
        $base = new SQLite3(':memory:');
        $base->enableExceptions(true);
        $base->createFunction('pause', function ($span) {
            usleep((int)($span * 1e6));
        });
        return function ($sql, $count) use ($base) {
            for ($i = 0; $i < $count; $i++) {
                $statement = $base->prepare($sql);
                $result = $statement->execute();
                $result->finalize();
            }
        };
    case 'pdo-sqlite':
        $base = pdo_base('sqlite::memory:', '', false);
        $base->sqliteCreateFunction('pause', function ($span) {
            usleep((int)($span * 1e6));
        });
        return pdo_ask($base);
    }
}

function run($ask, $count, $sql)
{
    $GLOBALS['began'] = hrtime(true);
    $how = 'ok';
    try {
        $ask($sql, $count);
    } catch (Exception $e) {
        $how = 'error';
    }
    return [(hrtime(true) - $GLOBALS['began']) / 1e9, $how];
}

if (PHP_SAPI != 'cli') {
    run(opened($_GET['driver']), (int)$_GET['count'], $_GET['sql']);
    echo "asked\n";
    return;
}
$ask = opened($argv[1]);
echo "ready\n";
fgets(STDIN);
foreach (file($argv[2], FILE_IGNORE_NEW_LINES) as $line) {
    [$count, $sql] = explode("\t", $line, 2);
    printf("query\t%.6f\t%s\n", ...run($ask, (int)$count, $sql));
}
echo "end\n";
