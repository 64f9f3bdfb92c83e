# SPDX-License-Identifier: GPL-2.0-or-later
# Runs tests of Perl's own suite, by name, and prints the result of each. Tests
# of t/ are run in that folder, all others in the current one.
use strict;
use warnings;

$| = 1;
open(my $gate, '<', 'gate') or die;
<$gate>;
close $gate;
for my $name (@ARGV) {
	my $in_t = $name =~ m{^t/(.*)};

	print "== $name\n";
	chdir 't' if $in_t;
	system($^X, $in_t ? $1 : $name);
	print "== status $?\n";
	chdir '..' if $in_t;
}
