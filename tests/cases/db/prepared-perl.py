#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Statements that Perl's drivers prepared before xtrace came: every execution
has its text, in the order of the client, at the first one and later.

NEEDS: mariadb postgresql /usr/share/doc/libmojo-pg-perl
TIMEOUT: 60
"""
import case
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
    # By turns blocking, and with the event loop.
    return $base->query($text, "$value")->arrays if $value != 1;
    $base->query_p($text, "$value")->wait;
}
''' + prepared.PERL


def test():
    for name, text in (
            ('DBD::Pg', DBI % PG),
            ('DBD::mysql', DBI % (MYSQL % (('mysql',) * 3))),
            ('DBD::MariaDB', DBI % (MYSQL % (('MariaDB',) + ('mariadb',) * 2))),
            ('Mojo::Pg', MOJO)):
        prepared.check(name, ['/usr/bin/perl', '-e', text],
                       lambda word: f"SELECT '{word}', ?")


case.main(test)
