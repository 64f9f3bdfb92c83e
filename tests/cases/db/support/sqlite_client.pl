# SPDX-License-Identifier: GPL-2.0-or-later
# A client of SQLite by DBD::SQLite; see clients/README.md.
use strict;
use warnings;
use Time::HiRes qw(clock_gettime sleep CLOCK_MONOTONIC);

$| = 1;

sub hear {
	print "$_[0]\n";
	my $line = <STDIN>;
}

hear('begin');
require DBI;
my $base = DBI->connect('dbi:SQLite:dbname=:memory:', '', '',
	{ RaiseError => 1 });
$base->sqlite_create_function('pause', 1, sub { sleep($_[0]); 1 });
hear('loaded');
open(my $queries, '<', $ARGV[0]) or die;
while (my $sql = <$queries>) {
	chomp $sql;
	my $began = clock_gettime(CLOCK_MONOTONIC);
	$base->selectall_arrayref($sql);
	my $took = clock_gettime(CLOCK_MONOTONIC) - $began;
	printf "query\t%.6f\t%s\n", $took, $sql;
}
print "end\n";
$base->disconnect;
