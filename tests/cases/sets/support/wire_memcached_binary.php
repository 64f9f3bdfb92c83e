<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// A client of memcached's binary protocol for sets/wire-memcached.py: SOCKET
$client = new Memcached();
$client->setOption(Memcached::OPT_BINARY_PROTOCOL, true);
$client->addServer($argv[1], 0);
var_dump($client->set('a', 'one'), $client->get('a'), $client->get('none'));
var_dump($client->setMulti(['b' => '2', 'c' => '3']));
var_dump($client->getMulti(['b', 'c', 'd']));
var_dump($client->add('a', 'two'), $client->increment('n'));
var_dump($client->increment('b', 40), $client->increment('a'));
var_dump($client->delete('c'), $client->touch('none', 10));
var_dump($client->getResultMessage());
