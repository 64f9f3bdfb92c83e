# SPDX-License-Identifier: GPL-2.0-or-later
# Apache serves this by mod_perl, see hosted.py: it calls tcdrain(NUMBER) from
# several places.
package Hosted;
use strict;
use warnings;
use Apache2::Const -compile => 'OK';
use Apache2::RequestIO ();
use Apache2::RequestRec ();
use POSIX ();

sub said {
    my @words = shift;
    for (my $i = 0; my ($file, $line) = (caller $i)[1, 2]; $i++) {
        my ($function, $required) = (caller $i + 1)[3, 7];
        $function = $required ? 'require' : $function // '{main}';
        push @words, $function, $file, $line;
    }
    return join("\t", @words) . "\n";
}

sub probe {
    my ($number) = @_;
    POSIX::tcdrain($number); return said($number);
}

sub recursion {
    my ($left, $number) = @_;
    return $left ? recursion($left - 1, $number) : probe($number);
}

sub handler {
    my ($request) = @_;
    my ($number) = $request->uri =~ /(\d+)/;
    my $closure = sub { return probe($_[0]) };

    $request->content_type('text/plain');
    $request->print(probe($number));
    $request->print(eval { recursion(5, $number + 1) });
    $request->print(map { $closure->($_) } $number + 2, $number + 3);
    $request->print(eval("# line 7 made\nprobe(\$number + 4)"));
    my $row;
    my @sorted = sort {
        $row = probe($number + 5);
        $a <=> $b
    } 2, 1;
    $request->print($row);
    return Apache2::Const::OK;
}

1;
