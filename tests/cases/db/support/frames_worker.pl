# SPDX-License-Identifier: GPL-2.0-or-later
# A worker whose jobs are calls of perform(), as in frames_worker.py: from a
# list, from a socket, and from the database.
use strict;
use warnings;
use DBI;
use Socket;

use constant { JOBS => 5, ROWS => 6 };
my $base = DBI->connect('dbi:SQLite:dbname=:memory:', '', '',
    { RaiseError => 1 });

sub perform {
    my $job = shift;
    $base->selectrow_array("SELECT 'first'");
    my $count = 0;
    $count += $base->selectrow_array('SELECT ? * 0 + 1', undef, $_)
        for 1 .. ROWS;
    $base->selectrow_array("SELECT 'last'");
    return $count;
}

# One variable holds each job in turn. "$job" makes Perl store a text in it.
sub listed {
    my @counts;
    for my $job (1 .. JOBS) {
        push @counts, perform("$job" && $job);
    }
    return @counts;
}

sub sent {
    socketpair(my $near, my $far, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die;
    my @counts;
    for (1 .. JOBS) {
        syswrite($far, 'job');
        sysread($near, my $job, 3);
        push @counts, perform();
    }
    return @counts;
}

sub stored {
    my @counts;
    for my $job (1 .. JOBS) {
        $base->selectrow_array("SELECT 'the next job', ?", undef, $job);
        push @counts, perform();
    }
    return @counts;
}

# With an argument: waits for a line, so that xtrace can attach before the jobs.
if (@ARGV) {
    $| = 1;
    print "ready\n";
    <STDIN>;
}
print join(' ', listed(), sent(), stored()), "\n";
