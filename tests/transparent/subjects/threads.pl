# SPDX-License-Identifier: GPL-2.0-or-later
# Threads, shared data, queues and semaphores of Perl; Debian's package has no
# tests of its own.
use strict;
use warnings;
use threads;
use threads::shared;
use Thread::Queue;
use Thread::Semaphore;
use Data::Dumper;
use Digest::SHA qw(sha1_hex);
use List::Util qw(sum0);
use POSIX qw(floor);
use Storable qw(freeze thaw);
$| = 1;

open(my $gate, '<', 'gate') or die; <$gate>; close $gate;

my $total :shared = 0;
my @threads = map { my $n = $_; threads->create(sub {
	for my $i (1 .. 200) { lock($total); $total += $i * $n; }
	return $n * $n;
}) } 1 .. 8;
print join(' ', map { $_->join } @threads), " $total\n";

# A queue of jobs for the workers, and a queue of their results.
my ($in, $out) = (Thread::Queue->new, Thread::Queue->new);
my @workers = map { threads->create(sub {
	while (defined(my $job = $in->dequeue)) { $out->enqueue($job ** 2); }
	return 'done';
}) } 1 .. 4;
$in->enqueue(1 .. 300);
$in->end;
print join(' ', map { $_->join } @workers), "\n";
my $sum = 0;
$sum += $out->dequeue while $out->pending;
print "sum $sum\n";

# Functions written in C, with data for each thread.
print map { $_->join . "\n" } map { my $n = $_; threads->create(sub {
	local ($Data::Dumper::Indent, $Data::Dumper::Sortkeys) = (0, 1);
	my @kept = map { { n => $_, half => floor($_ / 2) } } $n .. $n + 20;
	my $again = thaw(freeze(\@kept));
	return sum0(map { $_->{half} } @$again) . ' ' . sha1_hex(Dumper($again));
}) } 1 .. 4;

# Two threads that take turns, by a condition variable.
my $turn :shared = 0;
my @pair = map { my $me = $_; threads->create(sub {
	my $text = '';
	for my $i (1 .. 50) {
		lock($turn);
		cond_wait($turn) until $turn % 2 == $me;
		$text .= $turn % 10;
		$turn++;
		cond_signal($turn);
	}
	return $text;
}) } 0, 1;
print join("\n", map { $_->join } @pair), "\n";

# A thread that dies, one that is told to end, one that returns.
{
	local $SIG{__WARN__} = sub { print "warned: ", $_[0] =~ s/ at .*//sr, "\n" };
	my $dies = threads->create(sub { die "in a thread\n" });
	$dies->join;
	print "error: ", $dies->error;
}
my $ready = Thread::Semaphore->new(0);
my $told = threads->create(sub {
	local $SIG{KILL} = sub { threads->exit };
	$ready->up;
	select(undef, undef, undef, 0.01) while 1;
});
$ready->down;
$told->kill('KILL')->join;
print "told to end\n";
my ($left) = threads->create({ context => 'list' }, sub {
	threads->exit if 0; return ('a', 'b') })->join;
print "left $left\n";
print "running: ", scalar(threads->list), "\n";
open(my $file, '>', 'result') or die;
print $file "$total $sum\n";
close $file;
exit 4;
