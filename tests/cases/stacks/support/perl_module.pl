# SPDX-License-Identifier: GPL-2.0-or-later
# perl_subject.pl loads this file again and again.
package Module;

sub BEGIN { main::probe() }

sub apply {
    my ($function) = @_;
    return $function->();
}

main::probe();
apply(sub { main::plain() });
