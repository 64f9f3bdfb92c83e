# SPDX-License-Identifier: GPL-2.0-or-later
# The same work in each of three threads, once for each line that is not 'stop',
# beside a thread that works all the time.
use strict;
use warnings;
use threads;
use threads::shared;
use Data::Dumper;
use Digest::SHA qw(sha1_hex);
use List::Util qw(sum0 first reduce);
use Storable qw(freeze thaw);
$| = 1;

package Point {
	use overload '+' => sub { Point->new($_[0]{x} + $_[1]{x}) }, '""' => sub { "<$_[0]{x}>" },
		'<=>' => sub { $_[0]{x} <=> $_[1]{x} };
	sub new { my ($class, $x) = @_; return bless { x => $x }, $class }
	sub AUTOLOAD { our $AUTOLOAD; return $AUTOLOAD =~ s/.*:://r }
	sub DESTROY { }
}

sub texts {
	my $n = shift;
	my @words = map { sprintf('%05.2f|%s|%x', $_ * $n / 7, "a\x{e9}" x ($_ % 5), $_ * $n) } 1 .. 40;
	my $text = join(',', @words);
	my @again = map { s/([a-z])/\u$1/gr =~ tr/0-4/v-z/r } split(/,/, $text);
	my %seen; $seen{$_}++ for @again;
	my @found = $text =~ /(?<k>\d+)\.(\d\d)\|(?!x)/g;
	return (scalar(keys %seen), scalar(@found), substr($text, 3, 9), index($text, '|'), lc uc 'ab',
		unpack('%32C*', $text), join(' ', unpack('N n a3', pack('N n a3', $n, 7, 'xyz'))), reverse('abc') . '',
		ucfirst(sprintf('%vd', '1.22.333')), quotemeta('a.b'), $text =~ /(.)\1/ ? $1 : 'none', pos($text) // 'no');
}

sub containers {
	my $n = shift;
	my %hash = map { ('k' . $_ * $n % 31 => $_) } 1 .. 60;
	my @list = sort { $hash{$b} <=> $hash{$a} || $a cmp $b } keys %hash;
	my @part = @list[2 .. 5]; my %slice = (%hash)[0, 1]; splice(@list, 1, 2, 'x', 'y', 'z');
	delete $hash{k1}; local $hash{k2} = 'local';
	push @list, shift @list; unshift @list, pop @list;
	my $again = thaw(freeze({ list => \@list, deep => [[1, { a => 2 }]] }));
	local ($Data::Dumper::Indent, $Data::Dumper::Sortkeys) = (0, 1);
	return (@part, scalar(@list), exists $hash{k1} ? 1 : 0, Dumper($again), sum0(1 .. $n),
		(first { $_ > 3 } 1 .. 9), (reduce { $a * $b } 1 .. 6), wantarray, ref($again), "@{[map { $_ * 2 } grep { $_ & 1 } 1 .. 9]}");
}

sub control {
	my ($n, @out) = shift;
	for my $i (1 .. 10) {
		eval { die { code => $i } if $i % 2; local $SIG{__DIE__} = sub { push @out, 'dies' }; die "text\n" };
		push @out, ref $@ ? $@->{code} : $@;
	}
	my $point = Point->new($n) + Point->new(2);
	push @out, "$point", $point->anything, (sort { $a <=> $b } $point, Point->new(1))[0] . '';
	my @closures = map { my $x = $_; sub { $x += shift } } 1 .. 3;
	push @out, map { $_->($n) } @closures, @closures;
	OUTER: for my $i (1 .. 5) { for my $j (1 .. 5) { next OUTER if $j > $i; last OUTER if $i * $j == 12; push @out, $i * $j } }
	push @out, eval "$n + 1", 10 ** 20, -7 % 3, 0x1f ^ 3, int(-3.7), 'a' x 3;
	open(my $file, '<', \"one\ntwo\nthree\n"); local $/ = "\n"; push @out, map { chomp; $_ } <$file>;
	my $text = ''; open(my $to, '>', \$text); printf $to '%s-%d', 'x', $n; close $to;
	return (@out, $text, sprintf('%s', join ',', (caller(0))[3]), defined &texts);
}

sub once { return sha1_hex(join("\n", texts($_[0]), containers($_[0]), control($_[0]))) }

my ($stopping, $faults) :shared = (0, 0);
my $always = threads->create(sub {
	my $wanted = once(3);
	until ($stopping) { $faults++ if once(3) ne $wanted; select(undef, undef, undef, 0.02) }
});
print "ready\n";
while (defined(my $line = <STDIN>)) {
	last if $line eq "stop\n";
	my @threads = map { my $n = $_; threads->create(sub { my %seen = map { once($n) => 1 } 1 .. 15; return join(' ', keys %seen) }) } 1 .. 3;
	print map { $_->join . "\n" } @threads;
	print "$_\n" for containers(9), control(9);
	chomp $line;
	print "$line done\n";
}
$stopping = 1;
$always->join;
print "faults $faults\n";
exit 5;
