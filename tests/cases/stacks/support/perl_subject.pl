#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls tcdrain(NUMBER) from all kinds of places, and prints a line for each
# call, with the frames that caller() tells:
# NUMBER TAB function TAB file TAB line TAB ...
use strict;
use warnings;
use utf8;
use feature qw(state current_sub);
use threads;
use FindBin;
use POSIX ();

our $number = 999;
my ($path, $count) = @ARGV;
our $said;
BEGIN { open $said, '>', $ARGV[0] or die; binmode $said, ':utf8' }

sub note {
    my @words = $number;
    for (my $i = 0; my ($file, $line) = (caller $i)[1, 2]; $i++) {
        my ($function, $required) = (caller $i + 1)[3, 7];
        $function = $required ? 'require' : $function // '{main}';
        push @words, $function, $file, $line;
    }
    print $said join("\t", @words), "\n";
}

sub probe {
    $number++;
    POSIX::tcdrain($number); note();
    return $number;
}

BEGIN { probe() }

# ---- places -----------------------------------------------------------------

sub plain { return probe() }

sub recursion {
    my ($n) = @_;
    return $n % 20 ? recursion($n - 1) : probe();
}

sub conditions {
    my ($n) = @_;
    if (!probe()) {
        plain();
    } elsif (
        plain() && !$n
    ) {
        plain();
    } elsif (probe() < 0) {
        plain();
    } else {
        plain();
    }
    my $i = 0;
    while (
        plain() && $i < 2
    ) {
        $i++;
        probe();
    }
    for (my $k = plain(); $k && $i; $k = 0) {
        $i = plain() ? 0 : 1;
    }
    plain() unless probe() < 0;
    my %kept = (
        one => plain(),
        two => [
            probe(),
        ],
    );
    return $kept{one} && plain() ? plain()
        : probe();
}

sub closures {
    my ($n) = @_;
    my $inner = sub { probe() + $n };
    my $outer = sub {
        return $inner->(
            1,
        );
    };
    my $self = sub { $_[0] ? __SUB__->($_[0] - 1) : probe() };
    return $outer->() + $self->(3);
}

sub lists {
    my @sorted = sort { probe(); $a <=> $b } 3, 1, 2;
    @sorted = sort by_number 3, 1, 2;
    my @mapped = map { plain() } 1, 2;
    @mapped = grep { probe() } map {
        plain()
    } 1, 2;
    for my $n (@mapped[0, 1]) {
        plain();
    }
    return scalar @mapped;
}

sub by_number { plain(); return $a <=> $b }

sub evals {
    my ($n) = @_;
    eval { plain(); die "so\n" };
    eval {
        eval { probe() };
        probe();
    } or probe();
    eval "\n\nprobe(); eval { plain() }";
    eval 'sub { plain() }->()';
    eval "# line 7 \"elsewhere.pl\"\nprobe()";
    eval { local $SIG{__DIE__} = sub { plain() }; die 'so' };
    local $SIG{__WARN__} = sub { probe() };
    warn 'so';
    return eval 'no such thing at all' // probe();
}

sub patterns {
    my $text = 'aXbXc';
    $text =~ s/X/plain()/eg;
    $text =~ s{[a-c]}{
        probe()
    }e;
    my $n = () = 'ab' =~ /(?:a(?{ probe() })|b)/g;
    return join ',', split /,/, plain();
}

sub jumps {
    goto &plain;
}

sub dynamic {
    no strict 'refs';
    no warnings 'redefine';
    my $name = 'plain';
    &$name();
    &{"main::$name"};
    local *elsewhere = \&plain;
    elsewhere();
    local *made = sub { probe() };
    made();
    Kept->can('probe_it')->('Kept');
    my $method = 'probe_it';
    Kept->$method();
    return main->can('recursion')->(41);
}

sub lexical {
    my sub hidden { return probe() }
    state $first = plain();
    return hidden();
}

sub signals {
    local $SIG{USR1} = sub { plain() };
    kill 'USR1', $$;
    POSIX::getpid() for 1 .. 3;
    return probe();
}

sub loops {
    my $n = 0;
    OUTER: for my $i (1 .. 3) {
        for my $k (1 .. 3) {
            next OUTER if plain() && $k == 2;
            $n++;
        }
    }
    do { probe() } while $n-- > 3;
    {
        local $_ = 3;
        probe();
        last;
    }
    return $n;
}

sub files {
    my $n = do "$FindBin::Bin/perl_module.pl" || die $@;
    delete $INC{"$FindBin::Bin/perl_module.pl"};
    return require "$FindBin::Bin/perl_module.pl";
}

sub grüße { return Käse::essen(probe()) }

package Käse;

sub essen { return main::probe() }

package Kept;
use overload
    '+' => sub { main::probe() },
    '""' => sub { main::plain() . '' },
    '<=>' => \&main::plain,
    'bool' => sub { 1 },
    '&{}' => sub { main::probe(); my $self = shift; sub { main::plain() } };

our $AUTOLOAD;

sub new { return bless {}, shift }
sub probe_it { return main::probe() }

sub AUTOLOAD {
    return if $AUTOLOAD =~ /DESTROY/;
    return main::probe();
}

package Derived;
our @ISA = 'Kept';

sub probe_it {
    my $self = shift;
    return $self->SUPER::probe_it() + main::plain();
}
sub DESTROY { main::probe() }

package Tied;
sub TIESCALAR { main::probe(); return bless [], shift }
sub FETCH { return main::probe() }
sub STORE { return main::plain() }

package main;

sub objects {
    my $object = Derived->new;
    $object->probe_it;
    $object->no_such_method(1);
    my $n = $object + 1;
    my $text = "$object and "
        . "$object";
    $n = $object <=> 1;
    $object->();
    undef $object;
    tie my $tied, 'Tied';
    $tied = $tied;
    return Kept->new->probe_it;
}

my @places = (
    \&plain, \&recursion, \&conditions, \&closures, \&lists, \&evals,
    \&patterns, \&jumps, \&dynamic, \&lexical, \&signals, \&loops, \&files,
    \&grüße, \&objects,
);

sub wander {
    my ($depth) = @_;
    if ($depth && rand 10 < 4) {
        return (map { wander($depth - 1) } 1)[0];
    }
    return $places[rand @places](1 + int rand 99);
}

srand 1;
$_->(7) for @places;
wander(6) for 1 .. $count;
$said->flush;
threads->create(sub {
    $number += 100000;
    lists();
    evals();
    plain();
    $said->flush;
})->join;
END { plain() }
