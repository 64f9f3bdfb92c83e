#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Statements that Perl's drivers prepared before xtrace attached: every execution
has its text, in the order of the client. An execution that hangs while xtrace
attaches has its text, too.

NEEDS: mariadb postgresql /usr/share/doc/libmojo-pg-perl
TIMEOUT: 60
"""
import case
import matrix
import prepared

DBI = '''
use strict;
use DBI;
my $base = DBI->connect(%s);
my %%known;

sub ask {
    my ($name, $value) = @_;
    $known{$name} //= $base->prepare("SELECT '$name', ?");
    $known{$name}->execute("$value");
    $known{$name}->fetchall_arrayref;
}
''' + prepared.PERL
PG = "'dbi:Pg:', '', '', { pg_switch_prepared => 1 }"
MYSQL = "'dbi:%s:database=xtrace;%s_socket=' . $ENV{MARIADB_SOCKET} . " \
    "';%s_server_prepare=1', 'root'"
MOJO = '''
use strict;
use Mojo::Pg;
my $pg = Mojo::Pg->new('postgresql:///');
my $base = $pg->db;

sub ask {
    my ($name, $value) = @_;
    my $text = "SELECT '$name', ?";
    # Some executions block, the others wait in the event loop.
    return $base->query($text, "$value")->arrays if $value != 1;
    $base->query_p($text, "$value")->wait;
}
''' + prepared.PERL
# A program that hangs in a statement.
HANGS = """
use strict;
use DBI;
$| = 1;
my $base = DBI->connect('dbi:Pg:', '', '', { pg_switch_prepared => 1 });
my $statement = $base->prepare('SELECT pg_sleep(?::float)');
$statement->execute(0) for 1 .. 3;
print "ready\\n";
$statement->execute(30);
"""


def test_in_flight():
    """The server ends the statement as soon as xtrace has attached."""
    client = case.start('/usr/bin/perl', '-e', HANGS, env=matrix.env())
    client.wait_for('ready')
    case.until(lambda: sleeping() == 1, 'it sleeps')
    tracer = case.attach(client, '--sql')
    case.true(sleeping(cancel=True) == 1, 'it still sleeps')
    client.wait()
    tracer.wait()
    case.equal([line for line in tracer.lines()
                if 'PQexecPrepared "SELECT pg_sleep(?::float)"' in line] != [],
               True, f'the text of what hangs: {tracer.lines()}')


def sleeping(cancel=False):
    """How many statements sleep on the server. Cancels them if cancel is
    true."""
    function = 'pg_cancel_backend(pid)' if cancel else '1'
    out = case.untraced(
        'psql', '-qtAc', f"SELECT {function} FROM pg_stat_activity WHERE "
        "query LIKE 'SELECT pg_sleep($%' AND state = 'active'",
        env=matrix.env())[1]
    return len(out.splitlines())


def test():
    for name, text in (
            ('DBD::Pg', DBI % PG),
            ('DBD::mysql', DBI % (MYSQL % (('mysql',) * 3))),
            ('DBD::MariaDB', DBI % (MYSQL % (('MariaDB',) + ('mariadb',) * 2))),
            ('Mojo::Pg', MOJO)):
        prepared.check(name, ['/usr/bin/perl', '-e', text],
                       lambda word: f"SELECT '{word}', ?")
    test_in_flight()


case.main(test)
