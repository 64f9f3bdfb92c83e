<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// A client of Redis for sets/wire-redis.py: SOCKET
$client = new Redis();
$client->connect($argv[1]);
var_dump($client->set('a', '1'), $client->get('a'), $client->get('none'));
var_dump($client->rPush('list', 'x', 'a b'), $client->lRange('list', 0, -1));
var_dump($client->lPush('a', 'x'), $client->getLastError());
$pipe = $client->multi(Redis::PIPELINE);
for ($i = 0; $i < 3; $i++)
    $pipe->set("key$i", $i);
var_dump($pipe->exec(), $client->del('a', 'list'));
