# SPDX-License-Identifier: GPL-2.0-or-later
# Signals, forks, pipes and sockets of Perl; Debian's package has no tests of
# its own.
use strict;
use warnings;
use POSIX qw(:sys_wait_h :signal_h);
use IO::Socket::INET;
use IO::Socket::UNIX;
use IO::Select;
$| = 1;

open(my $gate, '<', 'gate') or die; <$gate>; close $gate;

# Signals to oneself, blocked ones, a handler that dies, sigaction.
my %seen;
$SIG{$_} = sub { $seen{$_[0]}++ } for qw(USR1 USR2 ALRM HUP WINCH TRAP);
for (1 .. 1500) { kill 'USR1', $$; kill 'TRAP', $$; }
my $set = POSIX::SigSet->new(SIGUSR2);
sigprocmask(SIG_BLOCK, $set);
kill 'USR2', $$ for 1 .. 3;
print "blocked ", $seen{USR2} // 0, "\n";
sigprocmask(SIG_UNBLOCK, $set);
print join(' ', map { "$_=$seen{$_}" } sort keys %seen), "\n";
eval { local $SIG{ALRM} = sub { die "alarm\n" }; alarm 1; select(undef, undef, undef, 60); };
print "interrupted by $@";
sigaction(SIGUSR1, POSIX::SigAction->new(sub { print "by sigaction $_[0]\n" },
	POSIX::SigSet->new, SA_SIGINFO));
kill 'USR1', $$;

# Children: statuses, signals, a tree of them.
for my $how (0, 7, 255, 'TERM', 'KILL', 'ABRT') {
	my $pid = fork // die;
	if (!$pid) {
		$SIG{TERM} = 'DEFAULT';
		POSIX::_exit($how) if $how =~ /^\d/;
		require BSD::Resource if 0;
		kill $how, $$;
		sleep 60;
	}
	waitpid $pid, 0;
	printf "%s: exit %d signal %d\n", $how, WIFEXITED($?) ? WEXITSTATUS($?) : -1,
		WIFSIGNALED($?) ? WTERMSIG($?) : 0;
}
sub tree {
	my $depth = shift;
	return 1 if !$depth;
	my $sum = 1;
	for (1, 2) {
		pipe(my $r, my $w) or die;
		my $pid = fork // die;
		if (!$pid) { close $r; syswrite $w, tree($depth - 1); POSIX::_exit(0); }
		close $w;
		sysread $r, my $text, 100;
		waitpid $pid, 0;
		$sum += $text;
	}
	return $sum;
}
print "tree of ", tree(4), "\n";
my $reaped = 0;
{
	local $SIG{CHLD} = sub { $reaped++ while waitpid(-1, WNOHANG) > 0 };
	for (1 .. 20) { my $pid = fork // die; POSIX::_exit(0) if !$pid; }
	select(undef, undef, undef, 0.05) while $reaped < 20;
}
print "reaped $reaped\n";

# Pipes to and from programs; a broken one.
open(my $sort, '|-', 'sort -n | head -3') or die;
print $sort "$_\n" for reverse 1 .. 100;
close $sort;
print "sort $?\n";
my @lines = `seq 1 500`;
print scalar(@lines), " lines, status $?\n";
{
	local $SIG{PIPE} = sub { print "broken pipe\n" };
	open(my $true, '|-', 'exec true') or die;
	waitpid -1, 0;
	syswrite $true, 'x' or print "error $!\n";
	close $true;
}

# Sockets: a server of forked children, and a pair.
my $server = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1') or die;
my @clients;
for my $n (1 .. 5) {
	my $pid = fork // die;
	if (!$pid) {
		my $s = IO::Socket::INET->new(PeerAddr => '127.0.0.1',
			PeerPort => $server->sockport) or die;
		for my $i (1 .. 50) {
			print $s "$n $i\n";
			my $answer = <$s>;
			die "got $answer" if $answer != $n * $i;
		}
		POSIX::_exit($n);
	}
	push @clients, $pid;
}
my ($select, $answered) = (IO::Select->new($server), 0);
while ($select->count > 1 || @clients > 0 && $answered < 250) {
	for my $s ($select->can_read) {
		if ($s == $server) { my $c = $s->accept; $c->autoflush(1); $select->add($c); next; }
		my $line = <$s>;
		if (!defined $line) { $select->remove($s); close $s; next; }
		my ($n, $i) = split ' ', $line;
		print $s $n * $i, "\n";
		$answered++;
	}
}
print "answered $answered, statuses ", join(' ', map { waitpid($_, 0); $? >> 8 } @clients), "\n";
unlink 'file';
rename 'gate', 'passed';
kill 'INT', $$;
sleep 60;
