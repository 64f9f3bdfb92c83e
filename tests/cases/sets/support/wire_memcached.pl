# SPDX-License-Identifier: GPL-2.0-or-later
# A client of memcached for sets/wire-memcached.py: SOCKET
use strict;
use warnings;
use Cache::Memcached;

my $client = Cache::Memcached->new({ servers => [$ARGV[0]] });
print $client->set('a', 'one'), $client->get('a'), "\n";
print defined($client->get('none')) ? 'found' : 'nothing', "\n";
my $found = $client->get_multi('a', 'd');
print join(',', %$found), "\n";
print $client->add('a', 'two') ? 'added' : 'there', "\n";
print $client->delete('a'), "\n";
