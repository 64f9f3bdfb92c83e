# SPDX-License-Identifier: GPL-2.0-or-later
# Authors and their books, with DBI, as an application of PSGI.
use strict;
use warnings;
use DBI;

my $base;

sub books {
	my ($author) = @_;
	return map { "$author->[1]: $_->[0]" } @{ $base->selectall_arrayref(
		'SELECT title FROM book WHERE author_id = ?', {},
		$author->[0]) };
}

sub authors {
	my $all = $base->selectall_arrayref('SELECT id, name FROM author');
	return join("\n", map { books($_) } @$all);
}

sub {
	my ($env) = @_;
	$base ||= DBI->connect("dbi:SQLite:$ENV{BASE}", '', '');
	my ($id) = $env->{PATH_INFO} =~ m{^/book/(\d+)};
	my $text = $id ? $base->selectrow_array(
		'SELECT title FROM book WHERE id = ?', {}, $id) : authors();
	return [200, ['Content-Type' => 'text/plain'], [$text]];
};
