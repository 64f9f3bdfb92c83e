# SPDX-License-Identifier: GPL-2.0-or-later
# Objects of many kinds, about as many as the first word says. Writes how many
# objects there are of each class of its own, and "all" with the number of values
# that Perl has (PL_sv_count), which the library in the second word reads. With a
# third word, makes and drops objects until a line comes.
use strict;
use DynaLoader;

my ($many, $library, $make) = @ARGV;
my $loaded = DynaLoader::dl_load_file($library, 0);
DynaLoader::dl_install_xsub('main::value_count',
    DynaLoader::dl_find_symbol($loaded, 'xs_value_count'));

my %counts = ('Order' => $many, 'Shop::Special' => int($many / 2),
    'Text' => int($many / 3), 'Code' => 7, 'Handle' => 1);
my @kept = map { bless { number => $_ }, 'Order' } 1 .. $counts{Order};
push @kept, map { bless [1, 2, $_], 'Shop::Special' }
    1 .. $counts{'Shop::Special'};
push @kept, map { my $text = "text $_" x ($_ % 100); bless \$text, 'Text' }
    1 .. $counts{Text};
for my $number (1 .. 7) {
    push @kept, bless sub { $number }, 'Code';
}
push @kept, bless \*STDERR, 'Handle';
# Every third Order is freed, so that there are free places between the places
# of objects.
my @holes = map { bless {}, 'Order' } 1 .. $many;
$holes[3 * $_] = undef for 0 .. int(($many - 1) / 3);
$counts{Order} += grep { defined } @holes;
$| = 1;
print "$counts{$_} $_\n" for sort keys %counts;
my $made = 0;
if ($make) {
    print "all 0\n";
    my ($bits, @recent) = '';
    vec($bits, fileno(STDIN), 1) = 1;
    while ($made % 5000 || !select(my $ready = $bits, undef, undef, 0)) {
        $recent[$made++ % 500] = [bless({ a => $made }, 'Order'), "n $made"];
    }
}
else {
    my $values = 0;
    $values = value_count() for 1 .. 2;
    print "all $values\n";
    <STDIN>;
}
my $sum = grep { ref eq 'Order' && $_->{number} } @kept;
print $sum == $many ? 'whole' : 'broken', "\n";
