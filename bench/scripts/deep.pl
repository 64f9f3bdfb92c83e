# SPDX-License-Identifier: GPL-2.0-or-later
# deep.pl N [native]: makes N calls of umask() from a depth of ten frames; with
# `native`, native functions are between them.
package Deep;
use strict;
use overload '""' => sub { main::nest_native(@{$_[0]}) };

package main;

sub leaf {
	my ($n) = @_;
	my $mask;
	for (my $i = 0; $i < $n; $i++) {
		$mask = umask;
	}
	return 1;
}

sub nest {
	my ($depth, $n) = @_;
	my $got = $depth > 0 ? nest($depth - 1, $n) : leaf($n);
	return $got;
}

sub nest_native {
	my ($depth, $n) = @_;
	return leaf($n) if $depth == 0;
	my $deep = bless [$depth - 1, $n], 'Deep';
	return "$deep";
}

if (@ARGV > 1) {
	nest_native(6, $ARGV[0]);
} else {
	nest(7, $ARGV[0]);
}
