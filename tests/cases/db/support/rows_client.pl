# SPDX-License-Identifier: GPL-2.0-or-later
# Fetches rows by DBD::mysql or DBD::MariaDB; rowscase.py tells what it prints.
use strict;
use warnings;
use DBI;
use Time::HiRes qw(clock_gettime sleep CLOCK_MONOTONIC);

$| = 1;
my ($nap, $driver) = @ARGV;
my $prefix = lc $driver;
my $base = DBI->connect(
	"DBI:$driver:database=xtrace;${prefix}_socket=$ENV{MARIADB_SOCKET}",
	'root', '', { RaiseError => 1 });

# Seconds in which the thread ran or waited for a CPU, proc(5).
sub ran {
	open my $file, '<', '/proc/thread-self/schedstat' or die "schedstat: $!";
	my ($ran, $waited) = split ' ', <$file>;
	return ($ran + $waited) / 1e9;
}

sub fetch_slowly {
	my ($statement) = @_;
	my $worked = 0;
	while ($statement->fetchrow_arrayref) {
		my $began = clock_gettime(CLOCK_MONOTONIC);
		sleep($nap);
		$worked += clock_gettime(CLOCK_MONOTONIC) - $began;
	}
	return $worked;
}

$base->do('CREATE OR REPLACE PROCEDURE rows_perl() BEGIN '
	. join(' ', map { "SELECT SLEEP(0.0$_), REPEAT('x', 40000);" } 2 .. 4)
	. ' END');

while (my $line = <STDIN>) {
	chomp $line;
	my ($way, $sql) = split /\t/, $line;
	my $worked = 0;
	my %with;
	$with{"${prefix}_server_prepare"} = 1 if $way =~ /^prepared/;
	$with{"${prefix}_use_result"} = 1 if $way eq 'used-slowly';
	my $statement = $base->prepare($sql, \%with);
	my $busy = ran();
	my $began = clock_gettime(CLOCK_MONOTONIC);
	$statement->execute;
	my $asked = clock_gettime(CLOCK_MONOTONIC) - $began;
	if ($way eq 'used-slowly') {
		$worked = fetch_slowly($statement);
	} else {
		$statement->fetchall_arrayref;
	}
	if ($way eq 'prepared-sets') {
		$statement->fetchall_arrayref while $statement->more_results;
	}
	undef $statement;
	my $took = clock_gettime(CLOCK_MONOTONIC) - $began;
	printf "query\t%s\t%.6f\t%.6f\t%.6f\t%.6f\n", $way, $took, $worked,
		$asked, ran() - $busy;
}
