# SPDX-License-Identifier: GPL-2.0-or-later
"""The drivers of matrix.py, and where --sql sees their queries."""
from matrix import Driver

REAL = ['mysql_real_query']
SEND = ['mysql_send_query']
EXECUTE = ['mysql_stmt_execute']
PREPARE = ['mysql_stmt_prepare']
STEP = ['sqlite3_step']
SQLITE_PREPARE = ['sqlite3_prepare_v2']

PYTHON = [
    Driver('py', 'mysqldb', 'mysql', REAL),
    Driver('py', 'pymysql', 'mysql'),
    Driver('py', 'psycopg2', 'pg', ['PQexec']),
    # This driver prepares a statement by itself when it gets it for the sixth
    # time.
    Driver('py', 'psycopg3', 'pg', ['PQsendQuery', 'PQsendQueryPrepared']),
    Driver('py', 'psycopg3-prepared', 'pg', ['PQsendQueryPrepared'],
           ['PQsendPrepare']),
    Driver('py', 'asyncpg', 'pg'),
    Driver('py', 'pg8000', 'pg'),
    Driver('py', 'sqlite3', 'sqlite', STEP, SQLITE_PREPARE),
]

RUBY = [
    Driver('rb', 'mysql2', 'mysql', SEND),
    Driver('rb', 'mysql2-prepared', 'mysql', EXECUTE, PREPARE),
    Driver('rb', 'mysql2-async', 'mysql', SEND),
    Driver('rb', 'sequel', 'mysql', SEND),
    Driver('rb', 'pg-exec', 'pg', ['PQsendQuery']),
    Driver('rb', 'pg-sync', 'pg', ['PQexec']),
    Driver('rb', 'pg-params', 'pg', ['PQsendQueryParams']),
    Driver('rb', 'pg-prepared', 'pg', ['PQsendQueryPrepared'],
           ['PQsendPrepare']),
    Driver('rb', 'sqlite3', 'sqlite', STEP, SQLITE_PREPARE),
]

PHP = [
    Driver('php', 'mysqli', 'mysql'),
    Driver('php', 'mysqli-prepared', 'mysql'),
    Driver('php', 'mysqli-async', 'mysql'),
    Driver('php', 'pdo-mysql', 'mysql'),
    Driver('php', 'pdo-mysql-native', 'mysql'),
    Driver('php', 'pgsql', 'pg', ['PQexec']),
    Driver('php', 'pgsql-params', 'pg', ['PQexecParams']),
    Driver('php', 'pdo-pgsql', 'pg', ['PQexecPrepared'], ['PQprepare']),
    Driver('php', 'pdo-pgsql-emulated', 'pg', ['PQexec']),
    Driver('php', 'sqlite3', 'sqlite', STEP, SQLITE_PREPARE),
    Driver('php', 'pdo-sqlite', 'sqlite', STEP, SQLITE_PREPARE),
]

PERL = [
    Driver('pl', 'dbd-mysql', 'mysql', REAL),
    Driver('pl', 'dbd-mysql-server', 'mysql', EXECUTE, PREPARE),
    Driver('pl', 'dbd-mariadb', 'mysql', REAL),
    Driver('pl', 'dbd-mariadb-server', 'mysql', EXECUTE, PREPARE),
    Driver('pl', 'dbd-pg', 'pg', ['PQexec']),
    # This driver prepares a statement when it gets it for the second time.
    Driver('pl', 'dbd-pg-prepared', 'pg', ['PQexecParams', 'PQexecPrepared'],
           ['PQexec'], ' WHERE 1 = $1'),
    Driver('pl', 'dbd-sqlite', 'sqlite', STEP, SQLITE_PREPARE),
]
