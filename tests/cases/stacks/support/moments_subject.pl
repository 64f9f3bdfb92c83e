# SPDX-License-Identifier: GPL-2.0-or-later
# The subject of moments.py in Perl; it does what moments_subject.py does.
use strict;
use warnings;
use threads;
use threads::shared;
use IO::Select;

my $over :shared = 0;

sub alpha {
	my ($depth) = @_;
	my $text = join('', map { "$_" } 0 .. 20);
	return beta($depth - 1) if $depth > 0;
	return length($text);
}

sub beta {
	my ($depth) = @_;
	my @found = map { gamma($_) } ($depth, $depth);
	alpha($depth - 1) if $depth > 1;
	return \@found;
}

sub gamma {
	my ($depth) = @_;
	eval { delta($depth) };
	return $@;
}

sub delta {
	my ($depth) = @_;
	my %kept = map { $_ => [$_] } 0 .. 9;
	die("$depth of " . keys(%kept) . "\n");
}

sub epsilon {
	my ($depth) = @_;
	my @sorted = sort { eta($a) cmp eta($b) } (3, 1, 2);
	epsilon($depth - 1) if $depth > 0;
	return "@sorted";
}

sub eta {
	my ($n) = @_;
	return "$n" x 3;
}

sub first {
	my $input = IO::Select->new(\*STDIN);
	while (!$input->can_read(0)) {
		alpha(4) for 1 .. 100;
	}
	$over = 1;
}

sub second {
	while (!$over) {
		epsilon(5);
	}
}

sub start {
	my $other = threads->create(sub { second() });
	syswrite(STDOUT, "ready\n");
	first();
	$other->join;
}

start();
