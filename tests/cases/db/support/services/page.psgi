# SPDX-License-Identifier: GPL-2.0-or-later
# DBIx::Class, for Starman; see service.py. DRIVER: mysql, Pg.
package Books::Book;
use strict;
use base 'DBIx::Class::Core';
__PACKAGE__->table('book');
__PACKAGE__->add_columns('id', 'title');
__PACKAGE__->set_primary_key('id');

package Books;
use strict;
use base 'DBIx::Class::Schema';
__PACKAGE__->register_class('Book', 'Books::Book');

package main;
use strict;
use JSON::PP;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my $base;

sub open_base {
    return Books->connect('dbi:Pg:dbname=postgres;host=' . $ENV{PGHOST},
        'xtrace', '') if $ENV{DRIVER} eq 'Pg';
    return Books->connect('dbi:mysql:database=xtrace;mysql_socket=' .
        $ENV{MARIADB_SOCKET}, 'root', '');
}

sub title_of {
    my ($word, $number) = @_;
    my $books = $base->resultset('Book')->search(
        { -and => [\"'$word' = '$word'", { id => $number }] });
    my ($book) = $books->all; # ORM-LINE
    return $book->title;
}

sub pause {
    my ($sql) = @_;
    my $began = clock_gettime(CLOCK_MONOTONIC);
    $base->storage->dbh->selectall_arrayref($sql); # SLOW-LINE
    return clock_gettime(CLOCK_MONOTONIC) - $began;
}

sub {
    my ($environ) = @_;
    my (undef, $word, $number) = split '/', $environ->{PATH_INFO};
    my ($sql) = $environ->{QUERY_STRING} =~ /sleep=(.*)/;
    $base //= open_base();
    my @titles = map { title_of($word, $number + $_) } 0 .. 2;
    if (defined $sql) {
        $sql =~ tr/+/ /;
        $sql =~ s/%(..)/chr hex $1/ge;
    }
    my $body = encode_json([\@titles, defined $sql ? pause($sql) : 0]);
    return [200, ['Content-Type' => 'application/json'], [$body]];
}
