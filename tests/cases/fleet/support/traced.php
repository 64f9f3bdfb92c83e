<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// As traced.py, with FastCGI.
$base = new PDO('sqlite::memory:');
$found = 0;
for ($number = 0; $number < 3; $number++)
    $found += $base->query("select $number")->fetch()[0];
echo $_SERVER['HTTP_TRACEPARENT'] ?? 'none', ' ', $found;
