# SPDX-License-Identifier: GPL-2.0-or-later
# A client of MariaDB by DBD::mysql; see clients/README.md.
use strict;
use warnings;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

$| = 1;

sub hear {
	print "$_[0]\n";
	my $line = <STDIN>;
}

hear('begin');
require DBI;
my $base = DBI->connect(
	"DBI:mysql:database=xtrace;mysql_socket=$ENV{MARIADB_SOCKET}",
	'root', '', { RaiseError => 1 });
hear('loaded');
open(my $queries, '<', $ARGV[0]) or die;
while (my $sql = <$queries>) {
	chomp $sql;
	my $began = clock_gettime(CLOCK_MONOTONIC);
	my $statement = $base->prepare($sql);
	$statement->execute;
	my $took = clock_gettime(CLOCK_MONOTONIC) - $began;
	$statement->fetchall_arrayref;
	printf "query\t%.6f\t%s\n", $took, $sql;
}
print "end\n";
$base->disconnect;
