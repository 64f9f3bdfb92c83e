# SPDX-License-Identifier: GPL-2.0-or-later
# die out of the comparison of a sort, which perl leaves by its own longjmp,
# and out of nested evals. See languages.py.
use strict;
use warnings;
my ($first, $last) = @ARGV;
my ($died, $again) = (0, 0);
$| = 1;
for my $i (1 .. $last) {
    eval { my @sorted = sort { die "round $i\n" } 2, 1 };
    $died++ if $@ eq "round $i\n";
    eval { eval { die "inner\n" }; die "outer $@" };
    $again++ if $@ eq "outer inner\n";
    next unless $i == $first || $i == $last;
    print "ready\n";
    <STDIN>;
}
print "$died died, $again again\n";
exit 3;
