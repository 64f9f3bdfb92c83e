# SPDX-License-Identifier: GPL-2.0-or-later
# A file of perl_subject.pl's own: brought in again and again.
package Module;

sub BEGIN { main::probe() }

sub apply {
    my ($function) = @_;
    return $function->();
}

main::probe();
apply(sub { main::plain() });
