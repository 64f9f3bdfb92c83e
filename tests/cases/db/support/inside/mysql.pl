# SPDX-License-Identifier: GPL-2.0-or-later
# Many fast queries by DBD::mysql, whose statements the server prepares, and some
# slow ones: executed, with a slow row, and a CALL whose second result is slow,
# which DBD::mysql gets by a function of the connection.
use strict;
use warnings;
use DBI;

my $base = DBI->connect(
    "dbi:mysql:xtrace;mysql_socket=$ENV{MARIADB_SOCKET};mysql_server_prepare=1",
    'root', '', { RaiseError => 1, PrintError => 0 });
my $rows = "SELECT seq, REPEAT('x', 200), SLEEP(IF(seq = 900, ?, 0)) "
    . 'FROM seq_1_to_1000 /* slow, rows */';

# One line: the stack of a query may be that of a later call of it.
sub results { my $s = shift; $s->execute(@_); do { $s->fetchall_arrayref if $s->{NUM_OF_FIELDS} } while $s->more_results; $s->rows }

$base->do('CREATE OR REPLACE PROCEDURE inside_mysql(IN seconds DOUBLE)
    BEGIN SELECT seq FROM seq_1_to_2 WHERE FALSE; SELECT SLEEP(seconds); END');
my $fast = $base->prepare('SELECT ?');
my $sets = $base->prepare('CALL inside_mysql(?) /* slow, sets */');
my $slow = $base->prepare('SELECT SLEEP(?) /* slow, executed */');
my $some = $base->prepare($rows);
results($fast, $_) for 1 .. 200;
print results($slow, 0.1), "\n";
results($fast, $_) for 1 .. 60;
print results($some, 0.1), "\n";
results($sets, 0) for 1 .. 60;
$base->do('DO 1');
print results($sets, 0.1), "\n";
results($fast, $_) for 1 .. 60;
