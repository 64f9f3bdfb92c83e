# SPDX-License-Identifier: GPL-2.0-or-later
# Prints its stack, function TAB file TAB line TAB ..., and waits there.
use strict;
use threads;
use utf8;

binmode STDOUT, ':utf8';
$| = 1;

sub say_it {
    my @words;
    for (my $i = 0; my ($file, $line) = (caller $i)[1, 2]; $i++) {
        my ($function, $required) = (caller $i + 1)[3, 7];
        push @words, $required ? 'require' : $function // '{main}', $file,
            $line;
    }
    print join("\t", @words), "\n";
}

sub inner {
    my ($n) = @_;
    say_it(); sysread STDIN, my $got, 1;
}

sub grüße {
    if ($_[0] > 9) {
        return 1;
    } elsif (
        inner(1)
    ) {
        return 2;
    }
}

package Place;
sub new { return bless {}, shift }
sub deeper { return (sort { main::grüße(7); 0 } 1, 2)[0] }

package main;
threads->create(sub {
    my $place = Place->new;
    eval "\n\n\$place->deeper(1)";
    eval { map { $place->deeper(2) } 1 };
})->join;
