# SPDX-License-Identifier: GPL-2.0-or-later
# Queries from functions and from recursion in Perl, for languages.py.
use strict;
use warnings;
use DBI;
my $base = DBI->connect('dbi:SQLite:dbname=:memory:', '', '',
	{ RaiseError => 1 });

sub run {
	my ($sql) = @_;
	return $base->selectall_arrayref($sql);
}

sub tree {
	my ($depth, $sql) = @_;
	return tree($depth - 1, $sql) if $depth > 0;
	return run($sql);
}

$base->do('create table film (title text)');
for my $number (0 .. 11) {
	$base->do("insert into film values ($number)");
	tree($number % 3, 'select count(*) from film a, film b');
}
