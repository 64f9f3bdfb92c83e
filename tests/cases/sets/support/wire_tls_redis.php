<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// A client of Redis for sets/wire-tls.py: PORT CERTIFICATE
$client = new Redis();
$client->connect('tls://localhost', (int)$argv[1], 20, null, 0, 20,
                 ['stream' => ['cafile' => $argv[2]]]);
var_dump($client->set('a', '1'), $client->get('a'));
var_dump($client->multi(Redis::PIPELINE)->set('b', '2')->get('b')->exec());
