#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Asks SQLite for old films, as films.py does, and fetches one film at a time.
use strict;
use warnings;
use DBI;

my $base = DBI->connect('dbi:SQLite::memory:', '', '', { RaiseError => 1 });
$base->do('CREATE TABLE film (title TEXT, year INTEGER)');
$base->do('INSERT INTO film VALUES (?, ?)', undef, "film $_", 1900 + $_)
	for 1 .. 100;
print "$_->[0]\n"
	for @{$base->selectall_arrayref('SELECT title FROM film WHERE year > 1998')};
