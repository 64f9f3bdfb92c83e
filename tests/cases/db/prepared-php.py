#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Statements that PHP's PDO prepared before xtrace attached. Each execution is
shown with its text, from the first one on, in the client's order.

NEEDS: mariadb postgresql
TIMEOUT: 60
"""
import case
import prepared

PDO = '''
class Mine extends PDOStatement
{
    public $more = 'it';
    public function execute(?array $values = null): bool
    {
        return parent::execute($values);
    }
}
$base = new PDO(%s);
$base->setAttribute(PDO::ATTR_STATEMENT_CLASS, ['Mine']);
$known = [];
function ask($name, $value)
{
    global $base, $known;
    $known[$name] ??= $base->prepare("SELECT '$name', ?");
    $known[$name]->execute(["$value"]);
    $known[$name]->fetchAll();
}
''' + prepared.PHP
PG = "'pgsql:host=' . getenv('PGHOST')"
MYSQL = "'mysql:dbname=xtrace;unix_socket=' . getenv('MARIADB_SOCKET'), " \
    "'root', '', [PDO::ATTR_EMULATE_PREPARES => false]"


def test():
    for name, connection in ('pgsql', PG), ('mysql', MYSQL):
        prepared.check(f'PDO {name}', ['/usr/bin/php', '-r', PDO % connection],
                       lambda word: f"SELECT '{word}', ?")


case.main(test)
