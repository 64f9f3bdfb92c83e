# SPDX-License-Identifier: GPL-2.0-or-later
# Clients in Perl: client.pl DRIVER FILE [THREADS]; see README.md.
use strict;
use warnings;
use DBI;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC sleep);

my ($driver, $file, $threads) = @ARGV;
my %more = (RaiseError => 1, PrintError => 0);

sub opened
{
	my $socket = $ENV{MARIADB_SOCKET} // '';
	return DBI->connect("DBI:mysql:database=xtrace;mysql_socket=$socket",
		'root', '', { %more, mysql_server_prepare =>
		    $driver =~ /server/ ? 1 : 0 })
	    if $driver =~ /^dbd-mysql/;
	return DBI->connect(
		"DBI:MariaDB:database=xtrace;mariadb_socket=$socket",
		'root', '', { %more, mariadb_server_prepare =>
		    $driver =~ /server/ ? 1 : 0 })
	    if $driver =~ /^dbd-mariadb/;
	return DBI->connect('DBI:Pg:dbname=postgres', '', '', { %more })
	    if $driver =~ /^dbd-pg/;
	my $base = DBI->connect('DBI:SQLite:dbname=:memory:', '', '',
		{ %more });
	$base->sqlite_create_function('pause', 1, sub { sleep($_[0]); 0 });
	return $base;
}

# Threads do not share connections: each opens its own.
my $base = $threads ? undef : opened();
# With DBD::Pg, the server prepares a statement only if it has a value to bind.
my ($where, @bound) = $driver eq 'dbd-pg-prepared' ? (' WHERE 1 = ?', 1) : ('');

sub run
{
	my ($count, $sql) = @_;
	my $began = clock_gettime(CLOCK_MONOTONIC);
	my $how = eval {
		my $statement = $base->prepare($sql . $where);
		$began = clock_gettime(CLOCK_MONOTONIC);
		for (1 .. $count) {
			$statement->execute(@bound);
			$statement->fetchall_arrayref;
		}
		1;
	} ? 'ok' : 'error';
	return (clock_gettime(CLOCK_MONOTONIC) - $began, $how);
}

$| = 1;
print "ready\n";
<STDIN>;
open(my $in, '<', $file) or die "$file: $!";
chomp(my @rows = <$in>);
if ($threads) {
	# libmariadb cannot open and close connections in several threads at
	# once.
	require threads;
	require threads::shared;
	my $open = 0;
	threads::shared::share(\$open);
	my @all = map {
		threads->create(sub {
			{
				lock($open);
				$base = opened();
				$open++;
			}
			run(split(/\t/, $_, 2)) for @rows;
			lock($open);
			$open--;
			threads::shared::cond_broadcast(\$open);
			threads::shared::cond_wait(\$open) while $open > 0;
			$base->disconnect;
		})
	} 1 .. $threads;
	$_->join for @all;
}
else {
	printf("query\t%.6f\t%s\n", run(split(/\t/, $_, 2))) for @rows;
}
print "end\n";
